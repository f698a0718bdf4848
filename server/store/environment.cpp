#include "store/environment.h"

#include <fcntl.h>
#include <lmdb.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "log.h"
#include "store/cache_format.h"
#include "store/map_faults.h"
#include "terrane/result_macros.h"

namespace terrane::store {
namespace {

constexpr MDB_dbi kFreeList = 0;   // LMDB's own, as is
constexpr MDB_dbi kDatabases = 1;  // the table of named databases
constexpr const char* kDataFile = "data.mdb";
constexpr const char* kLockFile = "lock.mdb";

std::uint64_t system_page_bytes() { return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)); }

std::uint64_t memory_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * system_page_bytes();
}

/// LMDB makes its lock file without blocks on the disk and writes it through memory; with the disk
/// full that would kill the process.
/// @return 0 or the error's number
int reserve_lock_file(const std::filesystem::path& directory) {
  constexpr off_t kBytes = 16 * 1024;  // twice what LMDB's 126 readers need
  const int fd = ::open((directory / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return errno;
  const int error = ::posix_fallocate(fd, 0, kBytes);
  ::close(fd);
  return error;
}

/// kDataLoss asks for a wipe; anything else is not the files' fault.
tl::unexpected<Error> open_error(const std::filesystem::path& directory, int rc) {
  const bool damaged = rc == MDB_INVALID || rc == MDB_CORRUPTED || rc == MDB_VERSION_MISMATCH ||
                       rc == MDB_PAGE_NOTFOUND || rc == MDB_NOTFOUND || rc == MDB_INCOMPATIBLE ||
                       rc == MDB_BAD_TXN || rc == MDB_MAP_FULL || rc == MDB_PANIC;
  if (damaged) return fail(ErrorCode::kDataLoss, mdb_strerror(rc));
  return fail(ErrorCode::kUnavailable,
              "no cache can be opened in " + directory.string() + ": " + mdb_strerror(rc) +
                  "; check its permissions, the free space and the limit on "
                  "address space");
}

MDB_val value_of(const void* data, std::size_t bytes) { return {bytes, const_cast<void*>(data)}; }

}  // namespace

Result<void> wipe(const std::filesystem::path& directory) {
  for (const char* name : {kDataFile, kLockFile}) {
    std::error_code error;
    std::filesystem::remove(directory / name, error);
    if (error) {
      return fail(ErrorCode::kUnavailable,
                  "a damaged cache file can't be removed: " + (directory / name).string() + ": " +
                      error.message() + "; remove it by hand");
    }
  }
  return {};
}

std::filesystem::path data_file(const std::filesystem::path& directory) {
  return directory / kDataFile;
}

Environment::Environment(std::filesystem::path directory, std::uint64_t max_bytes)
    : directory_(std::move(directory)),
      max_bytes_(max_bytes / system_page_bytes() * system_page_bytes()) {}

Result<std::unique_ptr<Environment>> Environment::open(const std::filesystem::path& directory,
                                                       std::uint64_t max_bytes) {
  std::unique_ptr<Environment> environment(new Environment(directory, max_bytes));
  auto opened = environment->open_all();
  if (!opened && opened.error().code == ErrorCode::kDataLoss) {
    spdlog::warn("the cache in {} is wiped and started anew: {}", directory.string(),
                 opened.error().message);
    opened = environment->start_anew();
  }
  TERRANE_RETURN_IF_ERROR(opened);
  return environment;
}

Result<void> Environment::start_anew() {
  close();
  if (auto removed = wipe(directory_); !removed) return removed;
  auto opened = open_all();
  if (opened) return {};
  close();
  return fail(ErrorCode::kUnavailable,
              "a new cache in " + directory_.string() + ": " + opened.error().message);
}

Result<void> Environment::open_all() {
  auto opened = open_files();
  return opened ? open_databases() : opened;
}

Result<void> Environment::open_files() {
  if (const int error = reserve_lock_file(directory_); error != 0)
    return open_error(directory_, error);
  const unsigned read_ahead = max_bytes_ > memory_bytes() ? MDB_NORDAHEAD : 0;
  int rc = mdb_env_create(&env_);
  if (rc == 0) rc = mdb_env_set_mapsize(env_, max_bytes_);
  if (rc == 0) rc = mdb_env_set_maxdbs(env_, 2);
  if (rc == 0)
    rc = mdb_env_open(env_, directory_.c_str(), MDB_NOTLS | MDB_NOMETASYNC | read_ahead, 0644);
  if (rc != 0) return open_error(directory_, rc);
  faults_.emplace(directory_, std::initializer_list<const char*>{kDataFile, kLockFile});

  MDB_envinfo info;
  MDB_stat stat;
  mdb_env_info(env_, &info);
  mdb_env_stat(env_, &stat);
  page_bytes_ = stat.ms_psize;
  std::error_code error;
  const std::uintmax_t file_bytes = std::filesystem::file_size(data_file(directory_), error);
  // Reading a page that is not there kills the process.
  if (error || info.me_last_pgno >= file_bytes / page_bytes_)
    return fail(ErrorCode::kDataLoss, "its data file is cut short");
  if ((info.me_last_pgno + 1) * page_bytes_ > max_bytes_) {
    return fail(ErrorCode::kDataLoss,
                "it is larger than the " + std::to_string(max_bytes_) + " bytes now allowed");
  }
  int dead = 0;
  mdb_reader_check(env_, &dead);
  return {};
}

Result<void> Environment::open_databases() {
  MDB_txn* txn = nullptr;
  int rc = mdb_txn_begin(env_, nullptr, 0, &txn);
  if (rc != 0) return open_error("the database", rc);
  MDB_stat databases{};
  rc = mdb_stat(txn, kDatabases, &databases);
  const bool is_new = databases.ms_entries == 0;
  const unsigned create = is_new ? MDB_CREATE : 0;  // a database that vanished is damage
  if (rc == 0) rc = mdb_dbi_open(txn, kMetaTable, create, &meta_);
  if (rc == 0) rc = mdb_dbi_open(txn, kChunkTable, create, &chunks_);
  MDB_val name = value_of(kFormatName, std::strlen(kFormatName));
  MDB_val format = value_of(kFormat.data(), kFormat.size());
  if (rc == 0)
    rc = is_new ? mdb_put(txn, meta_, &name, &format, 0) : mdb_get(txn, meta_, &name, &format);
  const bool known =
      rc != 0 || is_our_format({static_cast<const char*>(format.mv_data), format.mv_size});
  if (rc != 0 || !known) {
    mdb_txn_abort(txn);
    return known ? open_error("the database", rc)
                 : fail(ErrorCode::kDataLoss, "its format is another version's");
  }
  rc = mdb_txn_commit(txn);
  if (rc != 0) return open_error("the database", rc);
  return {};
}

Environment::~Environment() { close(); }

void Environment::close() {
  faults_.reset();
  if (env_ != nullptr) mdb_env_close(env_);
  env_ = nullptr;
}

bool Environment::sync() { return env_ != nullptr && mdb_env_sync(env_, 1) == 0; }

Environment::Usage Environment::usage(MDB_txn* txn) const {
  Usage usage;
  std::uint64_t pages = 2;  // LMDB's own two meta pages
  for (const unsigned dbi : {kFreeList, kDatabases, meta_, chunks_}) {
    MDB_stat stat;
    if (mdb_stat(txn, dbi, &stat) != 0) continue;
    pages += stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages;
    if (dbi == chunks_) usage.entries = stat.ms_entries;
  }
  usage.bytes = pages * page_bytes_;
  return usage;
}

}  // namespace terrane::store
