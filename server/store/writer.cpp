#include "store/writer.h"

#include <lmdb.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>

#include "log.h"
#include "store/environment.h"
#include "store/offered_worlds.h"
#include "store/reader_pool.h"
#include "store/use_clock.h"

namespace terrane::store {
namespace {

constexpr std::chrono::minutes kReaderCheckInterval{1};
// an entry's share of a leaf page: key, headers and half-filled pages
constexpr std::uint64_t kNodeBytes = 128;

// Shares of the limit, in percent. Inserts stop where rewriting tree pages still has room below the
// map's size.
constexpr std::uint64_t kEvictFrom = 80, kEvictTo = 75, kFull = 95;

// Short transactions, so that puts do not wait for evictions; together they keep up with one commit
// of 256 puts.
constexpr std::size_t kEvictionsPerTransaction = 100;
constexpr std::chrono::milliseconds kEvictionTime{2};
constexpr int kEvictionTransactionsPerCommit = 3;

/// LMDB says EIO when the disk takes a part of a page only.
bool is_lack_of_room(int rc) { return rc == ENOSPC || rc == EDQUOT || rc == EFBIG || rc == EIO; }

bool is_full(int rc) { return rc == MDB_MAP_FULL || rc == MDB_TXN_FULL; }

/// Whether the file may have suffered. Without memory for a transaction nothing has been written.
bool harms(int rc) { return !is_full(rc) && rc != ENOMEM; }

}  // namespace

Writer::Writer(Environment& environment, PutQueue& queue, ReaderPool& readers, UseClock& uses,
               const OfferedWorlds& offered, std::size_t puts_per_commit)
    : environment_(environment),
      queue_(queue),
      readers_(readers),
      uses_(uses),
      offered_(offered),
      puts_per_commit_(std::max<std::size_t>(puts_per_commit, 1)) {
  counts_.limit_bytes = environment.max_bytes();
  read_usage();
  thread_ = std::thread([this] {
    run();
    ended_.set_value();
  });
}

Writer::~Writer() { thread_.join(); }

bool Writer::stop(std::chrono::milliseconds limit) {
  queue_.close();
  const bool ended = ended_.get_future().wait_for(limit) == std::future_status::ready;
  if (!ended) thread_.detach();
  return ended;
}

void Writer::run() {
  auto next_check = PutQueue::Clock::now() + kReaderCheckInterval;
  while (!queue_.ended()) {
    if (const PutQueue::Batch* batch =
            queue_.take(evicting_ ? PutQueue::Clock::now() : next_check)) {
      try {
        write(*batch);
      } catch (const std::bad_alloc&) {  // what is not kept is made again
        counts_.dropped += batch->puts.size();
        counts_.kept += batch->removals.size();
      }
      queue_.finish();
    } else if (evicting_) {
      evict();
    }
    if (PutQueue::Clock::now() < next_check) continue;
    clear_dead_readers();
    next_check = PutQueue::Clock::now() + kReaderCheckInterval;
  }
}

void Writer::write(const PutQueue::Batch& batch) {
  std::vector<Put> puts;
  puts.reserve(batch.puts.size());
  for (const auto& [key, chunk] : batch.puts) puts.push_back({encode_key(key), chunk.get()});
  std::sort(puts.begin(), puts.end(), [](const Put& a, const Put& b) { return a.key < b.key; });

  std::span<const Put> left = puts;
  std::span<const KeyBytes> removals = batch.removals;
  while (!left.empty() || !removals.empty()) {
    const auto now = left.first(std::min(left.size(), puts_per_commit_));
    commit(now, removals);
    for (int i = 0; evicting_ && i < kEvictionTransactionsPerCommit; ++i) evict();
    left = left.subspan(now.size());
    removals = {};
  }
}

void Writer::commit(std::span<const Put> puts, std::span<const KeyBytes> removals) {
  std::size_t stored = 0;
  const auto change = [&](MDB_txn* txn) {
    const int rc = remove(txn, removals);
    return rc == 0 ? store(txn, puts, stored) : rc;
  };
  int rc = counts_.broken ? MDB_PANIC : transact(change);
  if (is_full(rc)) {
    clear_dead_readers();  // they hold free pages
    evict();
    rc = counts_.broken ? MDB_PANIC : transact(change);
  }
  if (rc == 0) {
    counts_.puts += stored;
    counts_.dropped += puts.size() - stored;
    return;
  }
  counts_.dropped += puts.size();
  counts_.kept += removals.size();
  if (harms(rc)) recover(rc);
}

int Writer::remove(MDB_txn* txn, std::span<const KeyBytes> removals) {
  for (KeyBytes bytes : removals) {
    MDB_val key{bytes.size(), bytes.data()};
    const int rc = mdb_del(txn, environment_.chunks(), &key, nullptr);
    if (rc != 0 && rc != MDB_NOTFOUND) return rc;
    if (rc == 0) by_world_.note(bytes, -1);
  }
  return 0;
}

int Writer::store(MDB_txn* txn, std::span<const Put> puts, std::size_t& stored) {
  stored = 0;
  std::uint64_t used = environment_.usage(txn).bytes;
  const std::uint64_t page = environment_.page_bytes();
  for (const Put& put : puts) {
    // 16: the header of an overflow page. Small records share a page; then the next transaction
    // sees that there is more room.
    const std::uint64_t record_bytes = kChecksumBytes + put.chunk->size();
    const std::uint64_t cost = (16 + record_bytes + page - 1) / page * page + kNodeBytes;
    if (used + cost > counts_.limit_bytes / 100 * kFull) continue;
    used += cost;
    const int rc = store(txn, put, record_bytes);
    if (rc != 0) return rc;
    ++stored;
  }
  return 0;
}

int Writer::store(MDB_txn* txn, const Put& put, std::uint64_t record_bytes) {
  KeyBytes bytes = put.key;
  MDB_val key{bytes.size(), bytes.data()};
  MDB_val record{record_bytes, nullptr};
  int rc = mdb_put(txn, environment_.chunks(), &key, &record, MDB_RESERVE | MDB_NOOVERWRITE);
  if (rc == 0) {
    by_world_.note(put.key, 1);
  } else if (rc == MDB_KEYEXIST) {
    record = {record_bytes, nullptr};
    rc = mdb_put(txn, environment_.chunks(), &key, &record, MDB_RESERVE);
  }
  if (rc == 0) write_record(put.key, *put.chunk, static_cast<char*>(record.mv_data));
  return rc;
}

void Writer::evict() {
  std::uint64_t evicted = 0;
  const int rc = transact([&](MDB_txn* txn) {
    std::vector<KeyBytes> unused;
    const auto until = PutQueue::Clock::now() + kEvictionTime;
    int failure =
        offered_.find_stale(txn, environment_.chunks(), kEvictionsPerTransaction, until, unused);
    if (failure == 0 && unused.size() < kEvictionsPerTransaction) {
      failure =
          uses_.find_unused(txn, environment_.chunks(), kEvictionsPerTransaction, until, unused);
    }
    for (auto bytes = unused.begin(); failure == 0 && bytes != unused.end(); ++bytes) {
      MDB_val key{bytes->size(), bytes->data()};
      failure = mdb_del(txn, environment_.chunks(), &key, nullptr);
      if (failure == 0) {
        by_world_.note(*bytes, -1);
        ++evicted;
      } else if (failure == MDB_NOTFOUND) {  // it was found stale, and unused as well
        failure = 0;
      }
    }
    return failure;
  });
  if (rc == 0) counts_.evictions += evicted;
  // a full map: some reader holds its free pages; the next commit tries again
  if (rc != 0) evicting_ = false;
  if (rc != 0 && harms(rc)) recover(rc);
}

/// Commits what `change` does, unless that fails.
/// @return 0 or LMDB's error
int Writer::transact(const std::function<int(MDB_txn*)>& change) {
  const auto start = PutQueue::Clock::now();
  MDB_txn* txn = nullptr;
  int rc = mdb_txn_begin(environment_.handle(), nullptr, 0, &txn);
  if (rc != 0) return rc;
  try {
    by_world_.begin();
    rc = change(txn);
    if (rc == 0) rc = by_world_.write(txn, environment_.meta());
  } catch (const std::bad_alloc&) {
    rc = ENOMEM;
  }
  if (rc != 0) {
    mdb_txn_abort(txn);
    return rc;
  }
  const Environment::Usage usage = environment_.usage(txn);
  rc = mdb_txn_commit(txn);
  if (rc != 0) return rc;
  by_world_.end();
  ++counts_.commits;
  counts_.commit_ns += std::chrono::nanoseconds(PutQueue::Clock::now() - start).count();
  just_recovered_ = false;
  note_usage(usage.bytes, usage.entries);
  return 0;
}

/// A write failed, so the file is no longer to be trusted.
void Writer::recover(int failure) {
  if (counts_.broken) return;
  if (is_lack_of_room(failure)) counts_.limit_bytes = counts_.used_bytes / 10 * 9;
  Result<void> started = fail(ErrorCode::kUnavailable, "there is no room for one");
  if (!just_recovered_ && counts_.limit_bytes >= kMinCacheBytes)
    readers_.pause([&] { started = environment_.start_anew(); });
  evicting_ = false;
  if (!started) {
    counts_.broken = true;
    spdlog::error(
        "the cache can't be written: {}; nor can a new one: {}; it "
        "takes no more chunks until the next start",
        mdb_strerror(failure), started.error().message);
    return;
  }
  spdlog::warn(
      "the cache could not be written and is wiped: {}; it starts "
      "anew with at most {} MiB of the {} MiB that it was given",
      mdb_strerror(failure), counts_.limit_bytes >> 20, environment_.max_bytes() >> 20);
  just_recovered_ = true;
  read_usage();
}

void Writer::clear_dead_readers() {
  int dead = 0;
  if (environment_.handle() != nullptr) mdb_reader_check(environment_.handle(), &dead);
}

void Writer::read_usage() {
  MDB_txn* txn = nullptr;
  if (mdb_txn_begin(environment_.handle(), nullptr, MDB_RDONLY, &txn) != 0) return;
  const Environment::Usage usage = environment_.usage(txn);
  by_world_.read(txn, environment_.meta());
  mdb_txn_abort(txn);
  note_usage(usage.bytes, usage.entries);
}

void Writer::note_usage(std::uint64_t used_bytes, std::uint64_t entries) {
  counts_.used_bytes = used_bytes;
  counts_.entries = entries;
  if (used_bytes > counts_.limit_bytes / 100 * kEvictFrom) evicting_ = true;
  if (used_bytes <= counts_.limit_bytes / 100 * kEvictTo || entries == 0) evicting_ = false;
}

}  // namespace terrane::store
