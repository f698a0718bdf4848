#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk_codec.h"
#include "store/chunk_record.h"
#include "terrane/coord.h"
#include "terrane/result.h"

namespace terrane::store {

struct StoreOptions {
  // made when missing; owned exclusively while open
  std::filesystem::path directory;
  std::uint64_t max_bytes = std::uint64_t{4} << 30;  // the database file never grows past this
  // waiting for the writer; further ones are dropped
  std::size_t max_pending_puts = 4096;
  std::size_t puts_per_commit = 256;
  std::uint32_t commit_interval_ms = 50;
  std::uint32_t close_limit_ms = 5000;  // the longest that flush() and closing wait for the writer
  // after an unclean exit: how long open() waits for the check before it goes on in the background
  std::uint32_t check_wait_ms = 100;
  // called before the check reads a page, by its thread; for tests that want to look meanwhile
  std::function<void()> before_checked_page = {};
};

/// Totals since the store was opened, and its present size.
struct StoreStats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t puts = 0;           // committed
  std::uint64_t dropped_puts = 0;   // queue or map full, or a write failed
  std::uint64_t bad_checksums = 0;  // each was a miss and has been deleted
  std::uint64_t evictions = 0;      // entries deleted to make room, those not used lately first
  std::uint64_t commits = 0;
  std::chrono::nanoseconds commit_time{};  // that they took, all together
  std::uint64_t used_bytes = 0;
  // what it may grow to now: less than StoreOptions::max_bytes once the disk had no room for that
  std::uint64_t max_bytes = 0;
  bool writable = true;  // false: it can't be written, and takes no more chunks until a restart
  std::uint64_t entries = 0;
  std::map<WorldFingerprint, std::uint64_t> entries_by_world = {};  // none while it is checked
  std::uint64_t readers = 0;                                        // look-ups under way
  std::chrono::nanoseconds oldest_reader_age{};  // of the one that began first; 0 without any
  // After an unclean exit all pages are checked. While they are, `entries` and `used_bytes` are
  // what the file says of itself, and nothing is written to it.
  bool checking = false;
  std::uint64_t check_pages = 0;    // to be checked in all; 0 when there was no need
  std::uint64_t checked_pages = 0;  // so far
};

/// The chunk cache: encoded chunks on disk, in LMDB. A cache and no more: losing any of it only
/// costs time, and its troubles are misses and counters, never errors for whoever asks.
/// Thread-safe.
class ChunkStore {
 public:
  /// Opens or creates the cache. A file of another format version, or one that is damaged, is wiped
  /// and started anew. Errors: kFailedPrecondition when another process holds the directory (named
  /// in the message), kUnavailable when the directory can't be used at all, kInvalidArgument when
  /// max_bytes is below 1 MiB. Blocks on the disk. It checks the structure of the cache first, for
  /// 0.25 s at most. After an unclean exit all of it is checked, in the background when that takes
  /// longer than check_wait_ms: until then find() gives what proves right by itself, and puts wait
  /// in the queue. A cache that can't be opened after that has nothing and takes nothing.
  static Result<std::unique_ptr<ChunkStore>> open(const StoreOptions& options);

  /// Commits what is queued, then closes. When the writer does not come back within close_limit_ms
  /// (a damaged tree can make LMDB spin), it stays behind with all it uses until the process ends,
  /// and the next open() finds an unclean exit. So it does when the check was not finished; what is
  /// queued then is lost.
  ~ChunkStore();
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;

  /// Looks up a batch in one read transaction; entry i answers keys[i], null where it is not there.
  /// Puts that are still queued are found. Returns copies. Blocks on the disk: for look-up threads
  /// only.
  [[nodiscard]] std::vector<codec::EncodedChunk> find(std::span<const ChunkKey> keys);

  /// Queues a chunk for the writer thread and returns at once; dropped (and counted) when the queue
  /// or the cache is full.
  void put(const ChunkKey& key, codec::EncodedChunk chunk);

  /// Says which worlds there are now: chunks of any other make room first. Until the first call
  /// all are alike.
  void offer(std::vector<WorldFingerprint> fingerprints);

  /// As flush(), for a server that goes on. @return whether all that was queued before the call has
  /// been committed or dropped
  [[nodiscard]] bool try_flush();

  /// Whether chunks have been committed to the file, whatever state they are in. Counts as a use of
  /// them. Blocks on the disk. While the check after an unclean exit goes on, none has.
  [[nodiscard]] std::vector<bool> contains(std::span<const ChunkKey> keys);

  using Visit = std::function<void(const KeyBytes& key, std::size_t bytes)>;

  /// Looks at up to `limit` entries of the file at one state of it, in the order of their keys.
  /// Blocks on the disk.
  /// @param from  where to begin; zeros: at the first entry
  /// @param visit  gets each key, and the size of its encoded chunk
  /// @return where to go on; nothing after the last entry. Errors: kUnavailable, while it is
  ///   checked, or once it can't be read
  [[nodiscard]] Result<std::optional<KeyBytes>> scan(const KeyBytes& from, std::size_t limit,
                                                     const Visit& visit);

  /// Removes entries, at most max_pending_puts at once; what is not there is left out. Blocks until
  /// that is committed, or for close_limit_ms. Errors: kUnavailable, where it is not.
  Result<void> remove(std::span<const KeyBytes> keys);

  /// Blocks until everything queued before the call is committed or dropped, but no longer than
  /// close_limit_ms, and not at all while the check after an unclean exit goes on.
  void flush();

  [[nodiscard]] StoreStats stats() const;

 private:
  class Impl;
  explicit ChunkStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::store
