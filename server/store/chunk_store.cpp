#include "store/chunk_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "log.h"
#include "store/chunk_record.h"
#include "store/directory_claim.h"
#include "store/environment.h"
#include "store/offered_worlds.h"
#include "store/opening_check.h"
#include "store/put_queue.h"
#include "store/reader_pool.h"
#include "store/snapshot.h"
#include "store/snapshot_reader.h"
#include "store/tree_check.h"
#include "store/use_clock.h"
#include "store/writer.h"
#include "terrane/mutex.h"
#include "terrane/result_macros.h"

namespace terrane::store {
namespace {

/// What there is once the files are known to be sound.
struct Database {
  Database(std::unique_ptr<Environment> opened, UseClock& uses, const OfferedWorlds& offered,
           PutQueue& queue, std::size_t puts_per_commit)
      : environment(std::move(opened)),
        readers(std::make_unique<ReaderPool>(*environment, uses)),
        writer(std::make_unique<Writer>(*environment, queue, *readers, uses, offered,
                                        puts_per_commit)) {}

  std::unique_ptr<Environment> environment;
  std::unique_ptr<ReaderPool> readers;
  std::unique_ptr<Writer> writer;
};

/// Bytes that the cache's file has, and that the disk has room for besides; nothing when it can't
/// be told.
std::optional<std::uint64_t> room_for_cache(const std::filesystem::path& directory) {
  struct stat file {};
  const bool exists = ::stat(data_file(directory).c_str(), &file) == 0;
  std::error_code error;
  const std::filesystem::space_info disk = std::filesystem::space(directory, error);
  if (error) return std::nullopt;
  constexpr std::uint64_t kStatBlock = 512;
  return disk.available + (exists ? static_cast<std::uint64_t>(file.st_blocks) * kStatBlock : 0);
}

void warn_of_a_small_disk(const std::filesystem::path& directory, std::uint64_t max_bytes) {
  const auto room = room_for_cache(directory);
  if (!room || *room >= max_bytes) return;
  spdlog::warn(
      "the cache may grow to {} MiB (--cache-size), and the disk of {} has room for {} MiB: when "
      "it "
      "is full, the cache starts anew with less",
      max_bytes >> 20, directory.string(), *room >> 20);
}

}  // namespace

class ChunkStore::Impl {
 public:
  Impl(DirectoryClaim claim, const StoreOptions& options)
      : claim_(std::move(claim)),
        options_(options),
        close_limit_(options.close_limit_ms),
        uses_(options.max_bytes),
        queue_({.max_puts = options.max_pending_puts,
                .batch_puts = options.puts_per_commit,
                .interval = std::chrono::milliseconds(options.commit_interval_ms)}) {
    check_.before_page = options.before_checked_page;
  }

  /// Errors: see ChunkStore::open(). close() is to be called even then.
  Result<void> open() {
    if (!claim_.found_unclean()) {
      TERRANE_RETURN_IF_ERROR(look_over(options_.directory));
      return open_database();
    }
    if (auto reader = SnapshotReader::open(data_file(options_.directory))) {
      claimed_entries_ = reader->entries();
      claimed_bytes_ = reader->bytes();
      snapshot_.offer(*std::move(reader));
    }
    checker_ = std::thread([this] {
      try {
        settle(open_when_checked());
      } catch (const std::exception& failure) {  // no memory for what a file claims to be
        settle(fail(ErrorCode::kUnavailable, std::string("its check failed: ") + failure.what()));
      }
    });
    const MutexLock lock(mutex_);
    if (await_settled(std::chrono::milliseconds(options_.check_wait_ms))) return *settled_;
    check_.in_background = true;
    spdlog::info(
        "the cache in {} was not closed cleanly: its {} MiB are checked while the server runs; "
        "until then what proves right is read from it, and nothing is written to it",
        options_.directory.string(), claimed_bytes_ >> 20);
    return {};
  }

  /// Writes what is queued and closes.
  /// @return false when the check or the writer has not come back in time; it still uses this
  ///   object
  bool close() {
    check_.stop = true;
    if (!end_check()) return false;
    if (!database_) return true;
    Database& database = *database_;
    if (!database.writer->stop(stuck_ ? std::chrono::milliseconds(0) : close_limit_)) return false;
    const bool written = !database.writer->counts().broken;
    database.writer.reset();
    database.readers.reset();
    const bool whole = written && database.environment->sync();
    database.environment.reset();
    if (whole) claim_.mark_clean();
    return true;
  }

  std::vector<codec::EncodedChunk> find(std::span<const ChunkKey> keys) {
    std::vector<codec::EncodedChunk> found(keys.size());
    // Pending first: what leaves the queue in between is committed by then, and the transaction
    // that follows sees it.
    queue_.find(keys, found);
    if (std::find(found.begin(), found.end(), nullptr) != found.end()) {
      find_on_disk(keys, found);
    }
    const auto misses = static_cast<std::uint64_t>(std::count(found.begin(), found.end(), nullptr));
    misses_.fetch_add(misses, std::memory_order_relaxed);
    hits_.fetch_add(keys.size() - misses, std::memory_order_relaxed);
    return found;
  }

  void put(const ChunkKey& key, codec::EncodedChunk chunk) {
    const Database* database = open_.load(std::memory_order_acquire);
    const bool broken =
        database == nullptr ? failed_.load() : database->writer->counts().broken.load();
    const bool storable = chunk && is_record_size(kChecksumBytes + chunk->size()) && !broken;
    if (!storable || !queue_.put(key, std::move(chunk)))
      refused_puts_.fetch_add(1, std::memory_order_relaxed);
  }

  std::vector<bool> contains(std::span<const ChunkKey> keys) {
    Database* const database = open_.load(std::memory_order_acquire);
    if (database == nullptr) return std::vector<bool>(keys.size());
    return database->readers->contains(keys);
  }

  Result<std::optional<KeyBytes>> scan(const KeyBytes& from, std::size_t limit,
                                       const Visit& visit) {
    Database* const database = open_.load(std::memory_order_acquire);
    if (database == nullptr) return not_open();
    return database->readers->scan(from, limit, visit);
  }

  Result<void> remove(std::span<const KeyBytes> keys) {
    const Database* const database = open_.load(std::memory_order_acquire);
    if (database == nullptr) return not_open();
    const Writer::Counts& counts = database->writer->counts();
    const std::uint64_t kept = counts.kept;
    const bool is_queued = std::all_of(keys.begin(), keys.end(),
                                       [&](const KeyBytes& key) { return queue_.remove(key); });
    if (!is_queued || !try_flush() || counts.broken || counts.kept != kept) {
      return fail(ErrorCode::kUnavailable,
                  "the cache does not take in what is to be removed: the log may say why");
    }
    return {};
  }

  void offer(std::vector<WorldFingerprint> fingerprints) { offered_.set(std::move(fingerprints)); }

  bool try_flush() {
    const bool is_open = open_.load(std::memory_order_acquire) != nullptr;
    return is_open && !stuck_ && queue_.flush(close_limit_);
  }

  void flush() {
    const bool is_open = open_.load(std::memory_order_acquire) != nullptr;
    if (is_open && !stuck_ && !queue_.flush(close_limit_)) stuck_ = true;
  }

  StoreStats stats() const {
    StoreStats stats{.hits = hits_,
                     .misses = misses_,
                     .dropped_puts = refused_puts_,
                     .bad_checksums = bad_checksums_,
                     .used_bytes = claimed_bytes_,
                     .max_bytes = options_.max_bytes,
                     .entries = claimed_entries_,
                     .check_pages = progress_.pages,
                     .checked_pages = progress_.checked};
    const Database* database = open_.load(std::memory_order_acquire);
    stats.checking = database == nullptr && !failed_;
    stats.writable = !failed_;
    if (database == nullptr) return stats;
    const Writer::Counts& written = database->writer->counts();
    const ReaderPool::Readers reading = database->readers->now_reading();
    stats.puts = written.puts;
    stats.dropped_puts += written.dropped;
    stats.evictions = written.evictions;
    stats.commits = written.commits;
    stats.commit_time = std::chrono::nanoseconds(written.commit_ns);
    stats.used_bytes = written.used_bytes;
    stats.max_bytes = written.limit_bytes;
    stats.writable = !written.broken;
    stats.entries = written.entries;
    stats.entries_by_world = database->writer->by_world();
    stats.readers = reading.count;
    stats.oldest_reader_age = reading.oldest_age;
    return stats;
  }

 private:
  /// The checker's thread. Nothing is written, and LMDB trusts nothing, before all is checked.
  Result<void> open_when_checked() {
    auto checked = check_all_of(options_.directory, check_, progress_);
    if (!checked) {
      snapshot_.retire([this] { claimed_entries_ = claimed_bytes_ = 0; });
      if (checked.error().code != ErrorCode::kDataLoss) return checked;
      TERRANE_RETURN_IF_ERROR(wipe_damaged(options_.directory, checked.error()));
    }
    return open_database();
  }

  Result<void> open_database() {
    TERRANE_ASSIGN_OR_RETURN(auto environment,
                             Environment::open(options_.directory, options_.max_bytes));
    snapshot_.retire([&] {
      database_ = std::make_unique<Database>(std::move(environment), uses_, offered_, queue_,
                                             options_.puts_per_commit);
      open_.store(database_.get(), std::memory_order_release);
    });
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> not_open() const {
    return fail(ErrorCode::kUnavailable,
                failed_ ? "the cache could not be opened: the log says why"
                        : "the cache is being checked after an unclean exit: ask again later");
  }

  void settle(Result<void> result) {
    const MutexLock lock(mutex_);
    failed_ = !result;
    if (!result && check_.in_background && !check_.stop)
      spdlog::error("the server goes on without a cache: {}", result.error().message);
    settled_ = std::move(result);
    has_settled_.notify_all();
  }

  bool await_settled(std::chrono::milliseconds limit) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto until = std::chrono::steady_clock::now() + limit;
    while (!settled_ && has_settled_.wait_until(mutex_, until)) {
    }
    return settled_.has_value();
  }

  /// @return whether the checker has ended
  bool end_check() {
    if (!checker_.joinable()) return true;
    bool ended = false;
    {
      const MutexLock lock(mutex_);
      ended = await_settled(close_limit_);
    }
    ended ? checker_.join() : checker_.detach();
    return ended;
  }

  void find_on_disk(std::span<const ChunkKey> keys, std::vector<codec::EncodedChunk>& found) {
    Database* database = open_.load(std::memory_order_acquire);
    if (database == nullptr) {
      // What is damaged is not removed now: it is written over when it has been generated again.
      if (const auto damaged = snapshot_.find(keys, found, uses_)) {
        bad_checksums_.fetch_add(*damaged, std::memory_order_relaxed);
        return;
      }
      database = open_.load(std::memory_order_acquire);
      if (database == nullptr) return;
    }
    for (const ChunkKey& damaged : database->readers->find(keys, found)) {
      bad_checksums_.fetch_add(1, std::memory_order_relaxed);
      queue_.remove(encode_key(damaged));  // else it will be found damaged, and removed, again
    }
  }

  DirectoryClaim claim_;  // first: given up last
  const StoreOptions options_;
  const std::chrono::milliseconds close_limit_;
  UseClock uses_;
  OfferedWorlds offered_;
  PutQueue queue_;
  CheckControl check_;
  CheckProgress progress_;
  // as the file says, unproven
  std::atomic<std::uint64_t> claimed_entries_ = 0;
  std::atomic<std::uint64_t> claimed_bytes_ = 0;
  Snapshot snapshot_;                      // to be read while there is no database yet
  std::unique_ptr<Database> database_;     // made by the checker, if there is one
  std::atomic<Database*> open_ = nullptr;  // the same, for all threads
  std::atomic<bool> failed_ = false;       // there never will be a database
  std::thread checker_;
  Mutex mutex_;
  CondVar has_settled_;
  // what became of the checker's work
  std::optional<Result<void>> settled_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> stuck_ = false;  // a flush() has waited in vain
  std::atomic<std::uint64_t> hits_ = 0;
  std::atomic<std::uint64_t> misses_ = 0;
  std::atomic<std::uint64_t> refused_puts_ = 0;
  std::atomic<std::uint64_t> bad_checksums_ = 0;
};

Result<std::unique_ptr<ChunkStore>> ChunkStore::open(const StoreOptions& options) {
  if (options.max_bytes < kMinCacheBytes) {
    return fail(ErrorCode::kInvalidArgument, "a cache of " + std::to_string(options.max_bytes) +
                                                 " bytes is too small: at least " +
                                                 std::to_string(kMinCacheBytes) + " are needed");
  }
  TERRANE_ASSIGN_OR_RETURN(auto claim, DirectoryClaim::take(options.directory));
  warn_of_a_small_disk(options.directory, options.max_bytes);
  std::unique_ptr<ChunkStore> store(
      new ChunkStore(std::make_unique<Impl>(std::move(claim), options)));
  TERRANE_RETURN_IF_ERROR(store->impl_->open());
  return store;
}

ChunkStore::ChunkStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ChunkStore::~ChunkStore() {
  if (impl_->close()) return;
  spdlog::error(
      "the cache is not closed: its writer, or its check, is stuck; the next start checks the "
      "files, and wipes them if they are damaged");
  static_cast<void>(impl_.release());  // its thread goes on with it until the process ends
}

std::vector<codec::EncodedChunk> ChunkStore::find(std::span<const ChunkKey> keys) {
  return impl_->find(keys);
}
void ChunkStore::put(const ChunkKey& key, codec::EncodedChunk chunk) {
  impl_->put(key, std::move(chunk));
}
std::vector<bool> ChunkStore::contains(std::span<const ChunkKey> keys) {
  return impl_->contains(keys);
}
Result<std::optional<KeyBytes>> ChunkStore::scan(const KeyBytes& from, std::size_t limit,
                                                 const Visit& visit) {
  return impl_->scan(from, limit, visit);
}
Result<void> ChunkStore::remove(std::span<const KeyBytes> keys) { return impl_->remove(keys); }
void ChunkStore::offer(std::vector<WorldFingerprint> fingerprints) {
  impl_->offer(std::move(fingerprints));
}
bool ChunkStore::try_flush() { return impl_->try_flush(); }
void ChunkStore::flush() { impl_->flush(); }
StoreStats ChunkStore::stats() const { return impl_->stats(); }

}  // namespace terrane::store
