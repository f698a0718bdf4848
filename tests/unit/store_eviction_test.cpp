#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <list>
#include <random>
#include <unordered_map>
#include <vector>

#include "support/store_chunks.h"
#include "support/temp_directory.h"

namespace terrane::store {
namespace {

using test::chunk_of;
using test::find_one;
using test::key_of;
using test::open_store;
using test::TempDirectory;
using test::untimed;

constexpr std::size_t kChunkBytes = 3000;

ChunkKey key_in(WorldFingerprint world, int i) {
  ChunkKey key = key_of(i);
  key.fingerprint = world;
  return key;
}

/// Small, so that it is full soon.
StoreOptions of_mebibytes(const TempDirectory& directory, std::uint64_t mebibytes) {
  StoreOptions options = untimed(directory.path());
  options.max_bytes = mebibytes << 20;
  return options;
}

void put_all(ChunkStore& store, WorldFingerprint world, int first, int last) {
  for (int i = first; i < last; ++i) {
    store.put(key_in(world, i), chunk_of(i, kChunkBytes));
    if (i % 200 == 0) store.flush();
  }
  store.flush();
}

int count_of(ChunkStore& store, WorldFingerprint world, int last) {
  int found = 0;
  for (int i = 0; i < last; ++i) found += find_one(store, key_in(world, i)) != nullptr;
  return found;
}

TEST(Eviction, chunks_of_a_world_that_is_not_on_offer_make_room_first) {
  const TempDirectory directory;
  const auto store = open_store(of_mebibytes(directory, 8));
  // one is before and one after the other worlds in the order of keys
  for (const WorldFingerprint gone : {3u, 900u}) put_all(*store, gone, 0, 300);
  for (const WorldFingerprint here : {7u, 8u}) put_all(*store, here, 0, 250);
  count_of(*store, 3, 300);  // asked for lately, and of no use all the same
  store->offer({8, 7});
  ASSERT_EQ(store->stats().evictions, 0u);
  int more = 250;
  while (store->stats().entries_by_world.contains(900)) {
    ASSERT_LT(more, 3000) << "the cache never made room";
    put_all(*store, 7, more, more + 50);
    more += 50;
    ASSERT_EQ(count_of(*store, 8, 250), 250) << "while there were " << more;
  }
  EXPECT_EQ(count_of(*store, 3, 300), 0);
  // of those that are on offer no more than the last ones may have needed
  EXPECT_GT(count_of(*store, 7, more), more - 50);
  EXPECT_GE(store->stats().evictions, 600u);
}

TEST(Eviction, where_nobody_says_which_worlds_there_are_all_are_alike) {
  const TempDirectory directory;
  const auto store = open_store(of_mebibytes(directory, 4));
  put_all(*store, 3, 0, 300);
  for (int i = 0; i < 2000; i += 50) {
    put_all(*store, 7, i, i + 50);
    count_of(*store, 3, 300);  // in use
  }
  EXPECT_GT(store->stats().evictions, 500u);
  EXPECT_GT(count_of(*store, 3, 300), 250);
}

TEST(Eviction, chunks_are_counted_by_world_through_all_that_befalls_them) {
  const TempDirectory directory;
  using Counts = std::map<WorldFingerprint, std::uint64_t>;
  {
    const auto store = open_store(of_mebibytes(directory, 8));
    EXPECT_EQ(store->stats().entries_by_world, Counts());
    put_all(*store, 7, 0, 20);
    put_all(*store, 7, 10, 30);  // ten of them anew
    put_all(*store, 9, 0, 5);
    EXPECT_EQ(store->stats().entries_by_world, (Counts{{7, 30}, {9, 5}}));
  }
  const auto store = open_store(of_mebibytes(directory, 8));
  EXPECT_EQ(store->stats().entries_by_world, (Counts{{7, 30}, {9, 5}}));
  std::vector<KeyBytes> removed = {encode_key(key_in(7, 3)), encode_key(key_in(7, 99))};
  for (int i = 0; i < 5; ++i) removed.push_back(encode_key(key_in(9, i)));
  ASSERT_TRUE(store->remove(removed));
  EXPECT_EQ(store->stats().entries_by_world, (Counts{{7, 29}}));
  put_all(*store, 7, 30, 4000);
  EXPECT_GT(store->stats().evictions, 100u);
  EXPECT_EQ(store->stats().entries_by_world, (Counts{{7, store->stats().entries}}));
}

/// The least recently used make room, at once and whatever that costs.
class IdealLru {
 public:
  explicit IdealLru(std::size_t capacity) : capacity_(capacity) {}

  /// @return whether it was there; it is now
  bool ask(int chunk) {
    if (const auto found = places_.find(chunk); found != places_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      return true;
    }
    order_.push_front(chunk);
    places_[chunk] = order_.begin();
    if (order_.size() > capacity_) {
      places_.erase(order_.back());
      order_.pop_back();
    }
    return false;
  }

 private:
  std::size_t capacity_;
  std::list<int> order_;
  std::unordered_map<int, std::list<int>::iterator> places_;
};

/// Chunks that a hundred players ask for in turn. Each goes from place to place, more often to
/// those that everybody goes to (Zipf's law), and walks over the land around it.
class Crowd {
 public:
  static constexpr int kChunksOfPlace = 25, kPlaces = 2000;

  Crowd() {
    for (int i = 0; i < kPlaces; ++i) shares_.push_back(1.0 / (i + 1));
    choose_ = std::discrete_distribution<int>(shares_.begin(), shares_.end());
    for (Player& player : players_) player.place = choose_(random_);
  }

  int next() {
    Player& player = players_[turn_++ % players_.size()];
    if (player.step == kChunksOfPlace) player = {choose_(random_), 0};
    // places that are next to each other in popularity are not next to each other in the world
    return player.place * 977 % kPlaces * kChunksOfPlace + player.step++;
  }

 private:
  struct Player {
    int place = 0, step = 0;
  };
  std::mt19937 random_{7};
  std::vector<double> shares_;
  std::discrete_distribution<int> choose_;
  std::vector<Player> players_{100};
  std::size_t turn_ = 0;
};

TEST(Eviction, a_crowd_finds_nearly_as_much_as_in_an_ideal_lru_of_the_same_size) {
  constexpr int kAsked = 120'000, kWarm = 40'000;
  constexpr std::uint64_t kMebibytes = 24;
  const TempDirectory directory;
  const auto store = open_store(of_mebibytes(directory, kMebibytes));
  store->offer({7});
  // what the file could hold if it were nothing but chunks
  IdealLru of_bytes((kMebibytes << 20) / kChunkBytes);
  Crowd crowd;
  std::size_t most = 0;
  int found = 0, ideal = 0;
  std::vector<int> asked;
  for (int i = 0; i < kAsked; ++i) {
    const int chunk = crowd.next();
    asked.push_back(chunk);
    const bool is_here = find_one(*store, key_in(7, chunk)) != nullptr;
    if (!is_here) store->put(key_in(7, chunk), chunk_of(chunk, kChunkBytes));
    if (i % 500 == 0) store->flush();
    const bool would_be = of_bytes.ask(chunk);
    if (i < kWarm) continue;
    most = std::max<std::size_t>(most, store->stats().entries);
    found += is_here ? 1 : 0;
    ideal += would_be ? 1 : 0;
  }
  IdealLru of_entries(most);
  int as_many = 0;
  for (int i = 0; i < kAsked; ++i)
    as_many += of_entries.ask(asked[static_cast<std::size_t>(i)]) && i >= kWarm;
  std::printf("hits: %.3f; of an ideal LRU of as many chunks %.3f, of as many bytes %.3f\n",
              found / double(kAsked - kWarm), as_many / double(kAsked - kWarm),
              ideal / double(kAsked - kWarm));
  EXPECT_GT(found, 0.95 * as_many);
  EXPECT_LT(found, 0.98 * (kAsked - kWarm)) << "there was room for everything";
}

}  // namespace
}  // namespace terrane::store
