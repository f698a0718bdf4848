#include "store/verify.h"

#include <lmdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "store/chunk_record.h"
#include "store/environment.h"

namespace terrane::store {
namespace {

constexpr MDB_dbi kFreeList = 0;   // LMDB's own, as is
constexpr MDB_dbi kDatabases = 1;  // the table of named databases

/// Entries that a database says it has; a damaged tree can look like one that ends early.
std::size_t entries_of(MDB_txn* txn, MDB_dbi dbi) {
  MDB_stat stat{};
  mdb_stat(txn, dbi, &stat);
  return stat.ms_entries;
}

bool chunks_are_whole(MDB_txn* txn, MDB_dbi chunks) {
  MDB_cursor* cursor = nullptr;
  if (mdb_cursor_open(txn, chunks, &cursor) != 0) return false;
  std::size_t left = entries_of(txn, chunks);
  KeyBytes previous{};
  MDB_val key{}, record{};
  int rc = 0;
  while ((rc = mdb_cursor_get(cursor, &key, &record, MDB_NEXT)) == 0) {
    if (key.mv_size != kKeyBytes || !is_record_size(record.mv_size)) return false;
    KeyBytes bytes;
    std::memcpy(bytes.data(), key.mv_data, kKeyBytes);
    if (bytes <= previous) return false;  // no chunk has the all-zero key: its coordinates are out of every world
    previous = bytes;
    const char* data = static_cast<const char*>(record.mv_data);
    const std::string_view chunk(data + kChecksumBytes, record.mv_size - kChecksumBytes);
    if (left-- == 0 || chunk_checksum(bytes, chunk) != stored_checksum(data)) return false;
  }
  return rc == MDB_NOTFOUND && left == 0;
}

/// LMDB's list of free pages: per transaction a count, then page numbers in falling order. A wrong one would be written over.
bool free_list_is_whole(MDB_txn* txn, std::size_t last_page) {
  MDB_cursor* cursor = nullptr;
  if (mdb_cursor_open(txn, kFreeList, &cursor) != 0) return false;
  std::size_t left = entries_of(txn, kFreeList);
  MDB_val key{}, list{};
  int rc = 0;
  while ((rc = mdb_cursor_get(cursor, &key, &list, MDB_NEXT)) == 0) {
    const char* data = static_cast<const char*>(list.mv_data);
    std::size_t count = 0;
    if (left-- == 0 || list.mv_size < sizeof(count)) return false;
    std::memcpy(&count, data, sizeof(count));
    if (count > list.mv_size / sizeof(count) - 1) return false;
    std::size_t above = last_page + 1;
    for (std::size_t i = 1; i <= count; ++i) {
      std::size_t page = 0;
      std::memcpy(&page, data + i * sizeof(page), sizeof(page));
      if (page >= above || page < 2) return false;
      above = page;
    }
  }
  return rc == MDB_NOTFOUND && left == 0;
}

bool walk(const std::filesystem::path& directory) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi chunks = 0;
  if (mdb_env_create(&env) != 0 || mdb_env_set_maxdbs(env, 2) != 0) return false;
  if (mdb_env_open(env, directory.c_str(), MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS, 0644) != 0) return false;
  if (!file_holds_all_pages(env, directory)) return false;
  MDB_envinfo info;
  if (mdb_env_info(env, &info) != 0 || mdb_txn_begin(env, nullptr, MDB_RDONLY, &txn) != 0) return false;
  if (entries_of(txn, kDatabases) == 0) return true;  // stopped before its first commit
  return mdb_dbi_open(txn, "chunks", 0, &chunks) == 0 && free_list_is_whole(txn, info.me_last_pgno) &&
         chunks_are_whole(txn, chunks);
}

/// The child: says "whole" by one byte. Whatever else happens to it means damage, so it does not close what it opened.
[[noreturn]] void run_child(const std::filesystem::path& directory, int answer, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the inherited directory lock must not outlive the server
  if (::getppid() != parent) ::_exit(1);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) ::signal(fatal, SIG_DFL);
  const bool whole = walk(directory);
  const bool told = whole && ::write(answer, "w", 1) == 1;
  ::_exit(told ? 0 : 1);
}

/// Whether the child's byte arrives within the limit; the end of the pipe without it means that the child is gone.
bool hears_whole(int answer, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{answer, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    char byte = 0;
    return ready == 1 && ::read(answer, &byte, 1) == 1;
  }
}

}  // namespace

bool walks_clean(const std::filesystem::path& directory, std::chrono::milliseconds limit) {
  std::array<int, 2> answer{};
  if (::pipe(answer.data()) != 0) return false;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) run_child(directory, answer[1], parent);
  ::close(answer[1]);
  const bool whole = child > 0 && hears_whole(answer[0], limit);
  ::close(answer[0]);
  if (child > 0) {
    ::kill(child, SIGKILL);  // finished, or past its time
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return whole;
}

}  // namespace terrane::store
