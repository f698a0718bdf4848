#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "store/chunk_record.h"
#include "store/map_faults.h"
#include "store/snapshot_reader.h"
#include "store/use_clock.h"
#include "support/file_damage.h"
#include "support/store_chunks.h"
#include "support/temp_directory.h"

namespace terrane::store {
namespace {

using test::chunk_of;
using test::find_one;
using test::holds;
using test::key_of;
using test::open_store;
using test::untimed;

constexpr int kChunks = 2000;
constexpr std::size_t kPageBytes = 4096, kFlagsAt = 10;  // of LMDB's pages

/// Small ones share pages, large ones have pages of their own.
std::size_t size_of(int i) { return static_cast<std::size_t>(50 + i * 97 % 6000); }

bool is_right(int i, const codec::EncodedChunk& found) {
  return found && *found == *chunk_of(i, size_of(i));
}

/// How a child process ended, and what it wrote to standard error.
struct End {
  int status = 0;
  std::string last_words;
};

End in_child(const std::function<int()>& body) {
  std::array<int, 2> words{};
  EXPECT_EQ(::pipe(words.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(words[1], STDERR_FILENO);
    ::_exit(body());
  }
  ::close(words[1]);
  End end;
  std::array<char, 512> part{};
  for (ssize_t got = 0; (got = ::read(words[0], part.data(), part.size())) > 0;)
    end.last_words.append(part.data(), static_cast<std::size_t>(got));
  ::close(words[0]);
  EXPECT_EQ(::waitpid(child, &end.status, 0), child);
  return end;
}

/// A directory whose server has stored kChunks chunks and then ended without closing its cache.
class Opening : public testing::Test {
 protected:
  void SetUp() override {
    const End end = in_child([&] {
      auto* store = open_store(untimed(directory_.path())).release();
      for (int i = 0; i < kChunks; ++i) store->put(key_of(i), chunk_of(i, size_of(i)));
      store->flush();
      return 0;
    });
    ASSERT_EQ(end.status, 0);
  }

  /// Opens the store with a check that waits for `go` at each page.
  std::unique_ptr<ChunkStore> open_in_background(const std::shared_future<void>& go) {
    auto options = untimed(directory_.path());
    options.check_wait_ms = 0;
    options.before_checked_page = [go] { go.wait(); };
    return open_store(options);
  }

  static void await_check(const ChunkStore& store) {
    while (store.stats().checking) std::this_thread::yield();
  }

  static int count_right(ChunkStore& store) {
    int right = 0;
    for (int i = 0; i < kChunks; ++i) {
      const auto found = find_one(store, key_of(i));
      EXPECT_TRUE(!found || is_right(i, found)) << i;
      right += found ? 1 : 0;
    }
    return right;
  }

  /// Spoils every third of the leaves that hold chunks: some are in use, some are free.
  void damage_leaves() const {
    const KeyBytes key = encode_key(key_of(0));
    const std::string world(key.begin(), key.begin() + 16);  // fingerprint and seed
    std::string bytes = test::read_file(data());
    int leaves = 0;
    for (std::size_t page = 2 * kPageBytes; page < bytes.size(); page += kPageBytes) {
      const bool leaf = bytes[page + kFlagsAt] == 2 && bytes[page + kFlagsAt + 1] == 0;
      if (leaf && bytes.compare(test::first_key_at(bytes, page), world.size(), world) == 0 &&
          ++leaves % 3 == 0)
        bytes[page + kFlagsAt] = 1;
    }
    test::write_file(data(), bytes);
  }

  std::filesystem::path data() const { return directory_.path() / "data.mdb"; }

  test::TempDirectory directory_;
};

TEST_F(Opening, while_the_check_goes_on_every_sound_chunk_is_a_hit) {
  std::promise<void> go;
  const auto store = open_in_background(go.get_future().share());
  EXPECT_TRUE(store->stats().checking);
  EXPECT_EQ(store->stats().entries, static_cast<std::uint64_t>(kChunks));
  EXPECT_EQ(count_right(*store), kChunks);
  EXPECT_EQ(find_one(*store, key_of(kChunks)), nullptr);
  EXPECT_TRUE(store->stats().checking) << "nothing waited for its end";
  go.set_value();
  await_check(*store);
  EXPECT_EQ(count_right(*store), kChunks);
  const StoreStats stats = store->stats();
  EXPECT_EQ(stats.entries, static_cast<std::uint64_t>(kChunks));
  EXPECT_EQ(stats.misses, 1u);
  EXPECT_EQ(stats.bad_checksums, 0u);
  EXPECT_GT(stats.check_pages, 100u);
  EXPECT_EQ(stats.checked_pages, stats.check_pages);
}

TEST_F(Opening, what_is_put_while_the_check_goes_on_is_found_and_written_afterwards) {
  const std::string before = test::read_file(data());
  std::promise<void> go;
  auto store = open_in_background(go.get_future().share());
  store->put(key_of(kChunks), chunk_of(kChunks));
  store->flush();
  EXPECT_TRUE(holds(*store, kChunks));
  EXPECT_EQ(store->stats().puts, 0u);
  EXPECT_TRUE(test::read_file(data()) == before) << "a file in doubt was written to";
  go.set_value();
  await_check(*store);
  store->flush();
  EXPECT_EQ(store->stats().puts, 1u);
  store.reset();
  const auto again = open_store(untimed(directory_.path()));
  EXPECT_EQ(again->stats().check_pages, 0u) << "it was closed cleanly";
  EXPECT_TRUE(holds(*again, kChunks));
  EXPECT_EQ(count_right(*again), kChunks);
}

TEST_F(Opening, readers_meet_right_chunks_at_every_moment_of_the_change) {
  for (int round = 0; round < 5; ++round) {
    test::write_file(directory_.path() / "LOCK", "1");  // of a server that did not stop cleanly
    std::promise<void> go;
    const auto store = open_in_background(go.get_future().share());
    std::vector<std::jthread> readers;
    readers.reserve(3);
    for (int reader = 0; reader < 3; ++reader) {
      readers.emplace_back([&, reader](const std::stop_token& stop) {
        for (int i = reader; !stop.stop_requested(); i = (i + 3) % kChunks)
          EXPECT_TRUE(is_right(i, find_one(*store, key_of(i)))) << i;
      });
    }
    for (int i = 0; i < 300; ++i) store->put(key_of(kChunks + i), chunk_of(kChunks + i));
    go.set_value();
    await_check(*store);
    store->flush();
    readers.clear();
    EXPECT_EQ(store->stats().bad_checksums, 0u);
    EXPECT_EQ(store->stats().misses, 0u);
  }
}

TEST_F(Opening, a_server_that_stops_before_the_check_is_done_loses_nothing) {
  auto options = untimed(directory_.path());
  options.check_wait_ms = 0;
  std::atomic<int> pages = 0;
  options.before_checked_page = [&] {
    ++pages;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a slow disk
  };
  open_store(options).reset();
  EXPECT_LT(pages, 100) << "it was to end early";
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_GT(store->stats().check_pages, 0u) << "the mark of the unclean exit has stayed";
  EXPECT_EQ(count_right(*store), kChunks);
}

TEST_F(Opening, damage_is_met_with_misses_then_wiped_and_what_was_put_meanwhile_stays) {
  damage_leaves();
  std::promise<void> go;
  const auto store = open_in_background(go.get_future().share());
  const int right = count_right(*store);
  EXPECT_GT(right, 0);
  EXPECT_LT(right, kChunks);
  store->put(key_of(kChunks), chunk_of(kChunks));
  testing::internal::CaptureStdout();
  go.set_value();
  await_check(*store);
  store->flush();
  EXPECT_NE(
      testing::internal::GetCapturedStdout().find("wiped and started anew, for it is damaged"),
      std::string::npos);
  EXPECT_EQ(store->stats().entries, 1u);
  EXPECT_TRUE(holds(*store, kChunks));
  EXPECT_EQ(count_right(*store), 0);
}

TEST_F(Opening, no_bytes_whatsoever_make_a_reader_give_a_wrong_chunk) {
  const std::string whole = test::read_file(data());
  constexpr unsigned kSeed = 12;
  std::minstd_rand random(kSeed);
  std::uniform_int_distribution<std::size_t> anywhere(0, whole.size() - 1);
  UseClock uses(1 << 20);
  int opened = 0;
  for (int run = 0; run < 40; ++run) {
    std::string bytes = whole;
    for (int i = 0; i < 1 << run % 13; ++i) {
      bytes[anywhere(random) / kPageBytes * kPageBytes + anywhere(random) % 64] =
          static_cast<char>(random());
    }
    if (run % 7 == 0) bytes.resize(anywhere(random));
    test::write_file(data(), bytes);
    const auto reader = SnapshotReader::open(data());
    if (!reader) continue;
    ++opened;
    for (int i = 0; i < kChunks; i += 17) {
      const ChunkKey key = key_of(i);
      std::vector<codec::EncodedChunk> found(1);
      static_cast<void>(reader->find({&key, 1}, found, uses));
      EXPECT_TRUE(!found[0] || is_right(i, found[0])) << "run " << run << " of seed " << kSeed;
    }
  }
  EXPECT_GT(opened, 13);
}

TEST_F(Opening, a_cache_of_another_format_is_not_read) {
  constexpr std::string_view kRecord = "terrane-cache-format";
  ASSERT_GE(test::flip_after(data(), kRecord, kRecord.size()), 1u);
  EXPECT_FALSE(SnapshotReader::open(data()));
}

TEST_F(Opening, a_file_cut_under_a_running_server_ends_it_with_a_line_and_a_code_of_its_own) {
  const End end = in_child([&] {
    install_map_fault_handler({});
    const auto store = open_store(untimed(directory_.path()));
    std::filesystem::resize_file(data(), 2 * kPageBytes);
    return count_right(*store) == 0 ? 0 : 1;
  });
  ASSERT_TRUE(WIFEXITED(end.status));
  EXPECT_EQ(WEXITSTATUS(end.status), kCacheFileLost);
  EXPECT_NE(end.last_words.find(data().string()), std::string::npos) << end.last_words;
  EXPECT_NE(end.last_words.find("Start it again"), std::string::npos);
  EXPECT_EQ(end.last_words.back(), '\n');
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_EQ(count_right(*store), 0);
  store->put(key_of(1), chunk_of(1));
  store->flush();
  EXPECT_TRUE(holds(*store, 1));
}

TEST_F(Opening, faults_elsewhere_are_as_they_were) {
  const End end = in_child([&] {
    install_map_fault_handler({});
    const auto store = open_store(untimed(directory_.path()));
    const std::string other = directory_.path() / "other";
    test::write_file(other, std::string(kPageBytes, 'x'));
    const int fd = ::open(other.c_str(), O_RDONLY);
    const auto* mapped = static_cast<const volatile char*>(
        ::mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED, fd, 0));
    std::filesystem::resize_file(other, 0);
    return static_cast<int>(mapped[0]);
  });
  EXPECT_NE(end.status, 0);
  EXPECT_FALSE(WIFEXITED(end.status) && WEXITSTATUS(end.status) == kCacheFileLost);
  const End sent = in_child([&] {
    install_map_fault_handler({});
    const auto store = open_store(untimed(directory_.path()));
    ::raise(SIGBUS);
    return 0;
  });
  EXPECT_NE(sent.status, 0) << "a signal that somebody sent is not swallowed";
}

}  // namespace
}  // namespace terrane::store
