#include "store/chunk_store.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "store/chunk_record.h"
#include "store/directory_claim.h"
#include "store/environment.h"
#include "store/put_queue.h"
#include "store/reader_pool.h"
#include "store/tree_check.h"
#include "store/use_clock.h"
#include "store/writer.h"
#include "terrane/result_macros.h"

namespace terrane::store {
namespace {

// a restart is to take less than two seconds
constexpr std::chrono::milliseconds kCheckLimit{1500};
constexpr std::chrono::milliseconds kLookLimit{250};  // where there is no reason for doubt

/// Wipes a cache that is damaged, or that is in doubt and too large to be checked in time. Errors:
/// it can't be wiped.
Result<void> check_or_wipe(const std::filesystem::path& directory, bool in_doubt) {
  const auto checked = check_tree(data_file(directory), in_doubt ? kCheckLimit : kLookLimit);
  if (checked || (!in_doubt && checked.error().code == ErrorCode::kDeadlineExceeded)) return {};
  spdlog::warn("the cache in {} is wiped and started anew{}: {}", directory.string(),
               in_doubt ? ", for its server did not stop cleanly" : "", checked.error().message);
  return wipe(directory);
}

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
  Impl(DirectoryClaim claim, std::unique_ptr<Environment> environment, const StoreOptions& options)
      : claim_(std::move(claim)),
        environment_(std::move(environment)),
        uses_(options.max_bytes),
        readers_(std::make_unique<ReaderPool>(*environment_, uses_)),
        queue_({.max_puts = options.max_pending_puts,
                .batch_puts = options.puts_per_commit,
                .interval = std::chrono::milliseconds(options.commit_interval_ms)}),
        writer_(std::make_unique<Writer>(*environment_, queue_, *readers_, uses_,
                                         options.puts_per_commit)),
        close_limit_(options.close_limit_ms) {}

  /// Writes what is queued and closes.
  /// @return false when the writer has not come back in time; it still uses this object
  bool close() {
    if (!writer_->stop(stuck_ ? std::chrono::milliseconds(0) : close_limit_)) return false;
    const bool written = !writer_->counts().broken;
    writer_.reset();
    readers_.reset();
    const bool whole = written && environment_->sync();
    environment_.reset();
    if (whole) claim_.mark_clean();
    return true;
  }

  std::vector<codec::EncodedChunk> find(std::span<const ChunkKey> keys) {
    std::vector<codec::EncodedChunk> found(keys.size());
    // Pending first: what leaves the queue in between is committed by then, and the transaction
    // that follows sees it.
    queue_.find(keys, found);
    if (std::find(found.begin(), found.end(), nullptr) != found.end()) {
      for (const ChunkKey& damaged : readers_->find(keys, found)) {
        bad_checksums_.fetch_add(1, std::memory_order_relaxed);
        queue_.remove(damaged);
      }
    }
    const auto misses = static_cast<std::uint64_t>(std::count(found.begin(), found.end(), nullptr));
    misses_.fetch_add(misses, std::memory_order_relaxed);
    hits_.fetch_add(keys.size() - misses, std::memory_order_relaxed);
    return found;
  }

  void put(const ChunkKey& key, codec::EncodedChunk chunk) {
    const bool storable =
        chunk && is_record_size(kChecksumBytes + chunk->size()) && !writer_->counts().broken;
    if (!storable || !queue_.put(key, std::move(chunk)))
      refused_puts_.fetch_add(1, std::memory_order_relaxed);
  }

  void flush() {
    if (!stuck_ && !queue_.flush(close_limit_)) stuck_ = true;
  }

  StoreStats stats() const {
    const Writer::Counts& written = writer_->counts();
    const ReaderPool::Readers reading = readers_->now_reading();
    return {.hits = hits_,
            .misses = misses_,
            .puts = written.puts,
            .dropped_puts = written.dropped + refused_puts_,
            .bad_checksums = bad_checksums_,
            .evictions = written.evictions,
            .commits = written.commits,
            .commit_time = std::chrono::nanoseconds(written.commit_ns),
            .used_bytes = written.used_bytes,
            .max_bytes = written.limit_bytes,
            .writable = !written.broken,
            .entries = written.entries,
            .readers = reading.count,
            .oldest_reader_age = reading.oldest_age};
  }

 private:
  DirectoryClaim claim_;  // first: given up last
  std::unique_ptr<Environment> environment_;
  UseClock uses_;
  std::unique_ptr<ReaderPool> readers_;
  PutQueue queue_;
  std::unique_ptr<Writer> writer_;
  const std::chrono::milliseconds close_limit_;
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
  TERRANE_RETURN_IF_ERROR(check_or_wipe(options.directory, claim.found_unclean()));
  TERRANE_ASSIGN_OR_RETURN(auto environment,
                           Environment::open(options.directory, options.max_bytes));
  warn_of_a_small_disk(options.directory, options.max_bytes);
  return std::unique_ptr<ChunkStore>(
      new ChunkStore(std::make_unique<Impl>(std::move(claim), std::move(environment), options)));
}

ChunkStore::ChunkStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ChunkStore::~ChunkStore() {
  if (impl_->close()) return;
  spdlog::error(
      "the cache is not closed: its writer is stuck; the next start "
      "checks the files, and wipes them if they are damaged");
  static_cast<void>(impl_.release());  // its thread goes on with it until the process ends
}

std::vector<codec::EncodedChunk> ChunkStore::find(std::span<const ChunkKey> keys) {
  return impl_->find(keys);
}
void ChunkStore::put(const ChunkKey& key, codec::EncodedChunk chunk) {
  impl_->put(key, std::move(chunk));
}
void ChunkStore::flush() { impl_->flush(); }
StoreStats ChunkStore::stats() const { return impl_->stats(); }

}  // namespace terrane::store
