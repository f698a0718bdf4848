// store_bench: the store beside bare LMDB, in one run on one disk: microseconds for a get (found
// and copied) and for a put (until committed), and how many times bare LMDB's they are. Then what a
// start after an unclean exit takes.
//   store_bench [GiB]   checks a cache of about this size (default 0.25) for the restart's figure
// Medians of several repetitions, the two kinds in turn, so that a busy machine disturbs both
// alike.

#include <lmdb.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "store/chunk_record.h"
#include "store/chunk_store.h"
#include "store/tree_check.h"
#include "support/store_chunks.h"
#include "support/temp_directory.h"

namespace {

using namespace terrane;

constexpr int kChunks = 8192;
constexpr int kBatch = 256;          // puts per commit, both ways
constexpr int kRepetitions = 5;      // of everything, on new files
constexpr int kReadRepetitions = 9;  // of reading each of those
constexpr std::uint64_t kMapBytes = std::uint64_t{1} << 30;

void require(int rc) {
  if (rc != 0) throw std::runtime_error(mdb_strerror(rc));
}

double microseconds_per_chunk(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
             .count() /
         kChunks;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What both are given: the same keys and values, in an order that neighbours in a world do not
/// share.
struct Load {
  explicit Load(std::size_t bytes) {
    for (int i = 0; i < kChunks; ++i) {
      keys.push_back(test::key_of(i));
      chunks.push_back(test::chunk_of(i, bytes));
    }
    order.resize(kChunks);
    for (int i = 0; i < kChunks; ++i)
      order[static_cast<std::size_t>(i)] = static_cast<std::size_t>(i);
    std::shuffle(order.begin(), order.end(), std::minstd_rand(1));
  }
  std::vector<ChunkKey> keys;
  std::vector<codec::EncodedChunk> chunks;
  std::vector<std::size_t> order;
};

/// LMDB as it is, with the store's flags, keys and batches, and nothing else: no checksums, no
/// threads, no queue.
class BareLmdb {
 public:
  BareLmdb() {
    require(mdb_env_create(&env_));
    require(mdb_env_set_mapsize(env_, kMapBytes));
    require(mdb_env_open(env_, directory_.path().c_str(), MDB_NOTLS | MDB_NOMETASYNC, 0644));
    MDB_txn* txn = nullptr;
    require(mdb_txn_begin(env_, nullptr, 0, &txn));
    require(mdb_dbi_open(txn, nullptr, 0, &dbi_));
    require(mdb_txn_commit(txn));
    require(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &reader_));
    mdb_txn_reset(reader_);
  }
  ~BareLmdb() {
    mdb_txn_abort(reader_);
    mdb_env_close(env_);
  }
  BareLmdb(const BareLmdb&) = delete;
  BareLmdb& operator=(const BareLmdb&) = delete;

  /// Batches are sorted by key, as LMDB likes them.
  void put_all(const Load& load) {
    for (int from = 0; from < kChunks; from += kBatch) {
      std::vector<std::pair<store::KeyBytes, const std::string*>> batch;
      for (int i = from; i < from + kBatch; ++i) {
        const std::size_t at = load.order[static_cast<std::size_t>(i)];
        batch.emplace_back(store::encode_key(load.keys[at]), load.chunks[at].get());
      }
      std::sort(batch.begin(), batch.end());
      MDB_txn* txn = nullptr;
      require(mdb_txn_begin(env_, nullptr, 0, &txn));
      for (auto& [bytes, chunk] : batch) {
        MDB_val key{bytes.size(), bytes.data()},
            value{chunk->size(), const_cast<char*>(chunk->data())};
        require(mdb_put(txn, dbi_, &key, &value, 0));
      }
      require(mdb_txn_commit(txn));
    }
  }

  void get_all(const Load& load, int at_once) {
    for (int from = 0; from < kChunks; from += at_once) {
      require(mdb_txn_renew(reader_));
      for (int i = from; i < from + at_once; ++i) {
        store::KeyBytes bytes =
            store::encode_key(load.keys[load.order[static_cast<std::size_t>(i)]]);
        MDB_val key{bytes.size(), bytes.data()}, value{};
        require(mdb_get(reader_, dbi_, &key, &value));
        copies_.push_back(std::make_shared<const std::string>(
            static_cast<const char*>(value.mv_data), value.mv_size));
      }
      mdb_txn_reset(reader_);
      copies_.clear();
    }
  }

 private:
  test::TempDirectory directory_;
  MDB_env* env_ = nullptr;
  MDB_txn* reader_ = nullptr;
  MDB_dbi dbi_ = 0;
  std::vector<codec::EncodedChunk> copies_;
};

class Store {
 public:
  Store() : store_(test::open_store(options())) {}

  void put_all(const Load& load) {
    for (const std::size_t at : load.order) store_->put(load.keys[at], load.chunks[at]);
    store_->flush();
  }

  void get_all(const Load& load, int at_once) {
    std::vector<ChunkKey> keys;
    for (int from = 0; from < kChunks; from += at_once) {
      keys.clear();
      for (int i = from; i < from + at_once; ++i)
        keys.push_back(load.keys[load.order[static_cast<std::size_t>(i)]]);
      for (const auto& chunk : store_->find(keys)) {
        if (!chunk) throw std::runtime_error("the store lost a chunk");
      }
    }
  }

 private:
  store::StoreOptions options() const {
    return {.directory = directory_.path(),
            .max_bytes = kMapBytes,
            .max_pending_puts = kChunks,
            .puts_per_commit = kBatch};
  }

  test::TempDirectory directory_;
  std::unique_ptr<store::ChunkStore> store_;
};

void compare(std::size_t bytes) {
  const Load load(bytes);
  struct Row {
    const char* name;
    double goal;
    std::vector<double> bare{}, ours{};
  };
  Row put{"put", 2.0}, get_one{"get, 1 at a time", 1.5}, get_many{"get, 64 at a time", 1.5};
  for (int i = 0; i < kRepetitions; ++i) {
    BareLmdb bare;
    Store ours;
    put.bare.push_back(microseconds_per_chunk([&] { bare.put_all(load); }));
    put.ours.push_back(microseconds_per_chunk([&] { ours.put_all(load); }));
    for (int read = 0; read < 2 * kReadRepetitions; ++read) {
      Row* row = read % 2 == 0 ? &get_one : &get_many;
      const int at_once = read % 2 == 0 ? 1 : 64;
      row->bare.push_back(microseconds_per_chunk([&] { bare.get_all(load, at_once); }));
      row->ours.push_back(microseconds_per_chunk([&] { ours.get_all(load, at_once); }));
    }
  }
  for (const Row& row : {put, get_one, get_many}) {
    std::printf("%zu bytes, %s: LMDB %.2f us, store %.2f us, ratio %.2f (goal %.1f)\n", bytes,
                row.name, median(row.bare), median(row.ours), median(row.ours) / median(row.bare),
                row.goal);
  }
}

/// How long the check of a cache of this size takes that was not closed cleanly, with its file in
/// memory.
void check_after_unclean_exit(std::size_t chunk_bytes, double gibibytes) {
  const test::TempDirectory directory;
  const auto bytes = static_cast<std::uint64_t>(gibibytes * static_cast<double>(1 << 30));
  std::uint64_t used = 0, entries = 0;
  {
    const auto store =
        test::open_store({.directory = directory.path(), .max_bytes = bytes / 4 * 5});
    for (std::int64_t i = 0; store->stats().used_bytes < bytes / 100 * 99; ++i) {
      store->put(test::key_of(i), test::chunk_of(i % 1000, chunk_bytes));
      if (i % 1024 == 1023) store->flush();
    }
    used = store->stats().used_bytes;
    entries = store->stats().entries;
  }
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();
  const auto checked = store::check_tree(directory.path() / "data.mdb", std::chrono::minutes(10));
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf(
      "%zu bytes, check after an unclean exit: %.2f GiB, %llu chunks, %.3f s (%.3f s of CPU)%s\n",
      chunk_bytes, static_cast<double>(used) / (1 << 30), static_cast<unsigned long long>(entries),
      seconds, cpu_seconds, checked ? "" : (" FAILED: " + checked.error().message).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const double gibibytes = argc > 1 ? std::atof(argv[1]) : 0.25;
  for (const std::size_t bytes : {3000u, 1300u}) compare(bytes);
  for (const std::size_t bytes : {3000u, 1300u}) check_after_unclean_exit(bytes, gibibytes);
}
