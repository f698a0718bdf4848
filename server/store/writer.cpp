#include "store/writer.h"

#include <lmdb.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "store/environment.h"

namespace terrane::store {
namespace {

constexpr std::chrono::minutes kReaderCheckInterval{1};
constexpr std::uint64_t kNodeBytes = 128;  // an entry's share of a leaf page: key, headers and half-filled pages

/// Inserts stop here, so that rewriting tree pages still has room below the map's size.
std::uint64_t full_at(std::uint64_t max_bytes) { return max_bytes / 100 * 95; }

}  // namespace

Writer::Writer(Environment& environment, PutQueue& queue, std::size_t puts_per_commit)
    : environment_(environment), queue_(queue), puts_per_commit_(std::max<std::size_t>(puts_per_commit, 1)) {
  read_usage();
  thread_ = std::thread([this] { run(); });
}

Writer::~Writer() {
  queue_.close();
  thread_.join();
}

void Writer::run() {
  auto next_check = PutQueue::Clock::now() + kReaderCheckInterval;
  while (!queue_.ended()) {
    if (const PutQueue::Batch* batch = queue_.take(next_check)) {
      write(*batch);
      queue_.finish();
    }
    if (PutQueue::Clock::now() < next_check) continue;
    int dead = 0;
    mdb_reader_check(environment_.handle(), &dead);
    next_check = PutQueue::Clock::now() + kReaderCheckInterval;
  }
}

void Writer::write(const PutQueue::Batch& batch) {
  std::vector<Put> puts;
  puts.reserve(batch.puts.size());
  for (const auto& [key, chunk] : batch.puts) puts.push_back({encode_key(key), chunk.get()});
  std::sort(puts.begin(), puts.end(), [](const Put& a, const Put& b) { return a.key < b.key; });

  std::span<const Put> left = puts;
  std::span<const ChunkKey> removals = batch.removals;
  while (!left.empty() || !removals.empty()) {
    const auto now = left.first(std::min(left.size(), puts_per_commit_));
    if (counts_.broken || !commit(now, removals)) counts_.dropped += now.size();
    left = left.subspan(now.size());
    removals = {};
  }
}

/// @return false when nothing of it was written
bool Writer::commit(std::span<const Put> puts, std::span<const ChunkKey> removals) {
  MDB_txn* txn = nullptr;
  std::size_t stored = 0;
  Environment::Usage usage;
  int rc = mdb_txn_begin(environment_.handle(), nullptr, 0, &txn);
  if (rc == 0) {
    rc = fill(txn, puts, removals, stored);
    if (rc == 0) {
      usage = environment_.usage(txn);
      rc = mdb_txn_commit(txn);
    } else {
      mdb_txn_abort(txn);
    }
  }
  if (rc == MDB_MAP_FULL || rc == MDB_TXN_FULL) return false;
  if (rc != 0) {
    counts_.broken = true;
    spdlog::error("the cache can't be written: {}; it takes no more chunks until the next start", mdb_strerror(rc));
    return false;
  }
  counts_.puts += stored;
  counts_.dropped += puts.size() - stored;
  ++counts_.commits;
  counts_.used_bytes = usage.bytes;
  counts_.entries = usage.entries;
  return true;
}

int Writer::fill(MDB_txn* txn, std::span<const Put> puts, std::span<const ChunkKey> removals, std::size_t& stored) {
  for (const ChunkKey& removed : removals) {
    KeyBytes bytes = encode_key(removed);
    MDB_val key{bytes.size(), bytes.data()};
    const int rc = mdb_del(txn, environment_.chunks(), &key, nullptr);
    if (rc != 0 && rc != MDB_NOTFOUND) return rc;
  }
  std::uint64_t used = environment_.usage(txn).bytes;
  const std::uint64_t page = environment_.page_bytes();
  for (const Put& put : puts) {
    // 16: the header of an overflow page. Small records share a page; then the next transaction sees that there is more room.
    const std::uint64_t record_bytes = kChecksumBytes + put.chunk->size();
    const std::uint64_t cost = (16 + record_bytes + page - 1) / page * page + kNodeBytes;
    if (used + cost > full_at(environment_.max_bytes())) continue;
    used += cost;
    KeyBytes bytes = put.key;
    MDB_val key{bytes.size(), bytes.data()};
    MDB_val record{record_bytes, nullptr};
    const int rc = mdb_put(txn, environment_.chunks(), &key, &record, MDB_RESERVE);
    if (rc != 0) return rc;
    write_record(put.key, *put.chunk, static_cast<char*>(record.mv_data));
    ++stored;
  }
  return 0;
}

void Writer::read_usage() {
  MDB_txn* txn = nullptr;
  if (mdb_txn_begin(environment_.handle(), nullptr, MDB_RDONLY, &txn) != 0) return;
  const Environment::Usage usage = environment_.usage(txn);
  counts_.used_bytes = usage.bytes;
  counts_.entries = usage.entries;
  mdb_txn_abort(txn);
}

}  // namespace terrane::store
