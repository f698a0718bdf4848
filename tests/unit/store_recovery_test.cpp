#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <functional>
#include <string>

#include "store/chunk_record.h"
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

class Recovery : public testing::Test {
 protected:
  void fill_and_close(int chunks) {
    const auto store = open_store(untimed(directory_.path()));
    for (int i = 0; i < chunks; ++i) store->put(key_of(i), chunk_of(i));
  }

  /// Runs `body` in a process of its own, which ends without closing what the body leaves open. @return its exit code
  static int in_child(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// A server that commits `chunks` chunks and then ends without closing its cache.
  void fill_and_crash(int chunks) {
    ASSERT_EQ(in_child([&] {
                auto store = open_store(untimed(directory_.path())).release();
                for (int i = 0; i < chunks; ++i) store->put(key_of(i), chunk_of(i));
                store->flush();
                return 0;
              }),
              0);
  }

  /// The cache is empty and takes chunks.
  void expect_started_anew() {
    const auto store = open_store(untimed(directory_.path()));
    EXPECT_EQ(store->stats().entries, 0u);
    EXPECT_EQ(find_one(*store, key_of(1)), nullptr);
    store->put(key_of(1), chunk_of(1));
    store->flush();
    EXPECT_EQ(store->stats().puts, 1u);
    EXPECT_TRUE(holds(*store, 1));
  }

  std::filesystem::path data() const { return directory_.path() / "data.mdb"; }

  test::TempDirectory directory_;
};

TEST_F(Recovery, a_flipped_byte_of_a_chunk_is_a_miss_and_the_chunk_can_be_stored_again) {
  fill_and_close(10);
  ASSERT_EQ(test::flip_after(data(), "<chunk 4>", 2000), 1u);
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_EQ(find_one(*store, key_of(4)), nullptr);
  EXPECT_EQ(store->stats().bad_checksums, 1u);
  EXPECT_TRUE(holds(*store, 5));
  store->flush();
  EXPECT_EQ(store->stats().entries, 9u) << "a damaged record is deleted";
  store->put(key_of(4), chunk_of(4));
  store->flush();
  EXPECT_TRUE(holds(*store, 4));
  EXPECT_EQ(store->stats().bad_checksums, 1u);
}

TEST_F(Recovery, a_flipped_key_does_not_pass_as_another_chunk) {
  const ChunkKey key{.fingerprint = 7, .seed = 9, .lod = 0, .coord = {8, 8}};
  const ChunkKey neighbour{.fingerprint = 7, .seed = 9, .lod = 0, .coord = {9, 8}};  // differs in the key's last bit
  {
    const auto store = open_store(untimed(directory_.path()));
    store->put(key, chunk_of(1));
  }
  const KeyBytes bytes = encode_key(key);
  ASSERT_GE(test::flip_after(data(), std::string(bytes.begin(), bytes.end()), kKeyBytes - 1), 1u);
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_EQ(store->stats().entries, 1u);
  EXPECT_EQ(find_one(*store, neighbour), nullptr);
  EXPECT_EQ(find_one(*store, key), nullptr);
  EXPECT_EQ(store->stats().bad_checksums, 1u);
}

TEST_F(Recovery, a_file_cut_short_is_wiped) {
  fill_and_close(500);
  std::filesystem::resize_file(data(), std::filesystem::file_size(data()) / 2 / 4096 * 4096);
  expect_started_anew();
}

TEST_F(Recovery, a_file_of_one_byte_or_of_none_is_wiped) {
  fill_and_close(10);
  test::write_file(data(), "x");
  expect_started_anew();
  test::write_file(data(), "");
  expect_started_anew();
}

TEST_F(Recovery, a_file_that_is_no_database_is_wiped) {
  fill_and_close(10);
  test::write_file(data(), std::string(1 << 20, 'x'));
  expect_started_anew();
}

TEST_F(Recovery, a_cache_of_another_format_version_is_wiped) {
  fill_and_close(10);
  constexpr std::string_view kRecord = "terrane-cache-format";
  ASSERT_GE(test::flip_after(data(), kRecord, kRecord.size()), 1u);
  expect_started_anew();
}

TEST_F(Recovery, chunks_committed_before_an_unclean_exit_are_kept) {
  fill_and_crash(600);
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_EQ(store->stats().entries, 600u);
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(holds(*store, i)) << i;
}

TEST_F(Recovery, a_server_that_crashed_before_its_first_commit_leaves_a_usable_directory) {
  fill_and_crash(0);
  expect_started_anew();
}

TEST_F(Recovery, damaged_tree_pages_after_an_unclean_exit_cost_the_cache_and_not_the_server) {
  for (const char fill : {'\0', '\x5a', '\xff'}) {
    fill_and_crash(600);
    std::string bytes = test::read_file(data());
    // Every page but LMDB's two meta pages and the chunks' own.
    for (std::size_t page = 2 * 4096; page + 4096 <= bytes.size(); page += 4096) {
      if (bytes.compare(page, 4096, std::string(4096, '\0')) == 0 || bytes.find("<chunk", page) < page + 64) continue;
      for (std::size_t i = page + 16; i < page + 4096; ++i) bytes[i] = fill;
    }
    test::write_file(data(), bytes);
    expect_started_anew();
  }
}

TEST_F(Recovery, one_flipped_chunk_after_an_unclean_exit_wipes_for_the_disk_is_not_to_be_trusted) {
  fill_and_crash(600);
  ASSERT_GE(test::flip_after(data(), "<chunk 300>", 100), 1u);
  expect_started_anew();
}

TEST_F(Recovery, a_file_cut_short_by_an_unclean_exit_is_wiped) {
  fill_and_crash(500);
  std::filesystem::resize_file(data(), std::filesystem::file_size(data()) / 2);
  expect_started_anew();
}

TEST_F(Recovery, a_server_killed_while_it_writes_leaves_right_bytes_only) {
  for (int round = 0; round < 5; ++round) {
    std::array<int, 2> written{};
    ASSERT_EQ(::pipe(written.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto store = open_store(untimed(directory_.path())).release();
      for (int i = 0;; ++i) {
        store->put(key_of(i % 4000), chunk_of(i % 4000));
        if (i % 100 == 99) store->flush();
        if (i == 200 + round * 50 && ::write(written[1], "x", 1) != 1) ::_exit(1);
      }
    }
    char byte = 0;
    ASSERT_EQ(::read(written[0], &byte, 1), 1);
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    ::close(written[0]);
    ::close(written[1]);
    const auto store = open_store(untimed(directory_.path()));
    EXPECT_GE(store->stats().entries, 200u) << "flushed chunks survive a kill";
    for (int i = 0; i < 4000; ++i) {
      const auto found = find_one(*store, key_of(i));
      ASSERT_TRUE(!found || *found == *chunk_of(i)) << i;
    }
    EXPECT_EQ(store->stats().bad_checksums, 0u);
  }
}

TEST_F(Recovery, a_disk_that_takes_no_more_leaves_a_store_that_still_answers) {
  const int failed_check = in_child([&] {
    const auto store = open_store(untimed(directory_.path()));
    store->put(key_of(1), chunk_of(1));
    store->flush();
    ::signal(SIGXFSZ, SIG_IGN);  // writing past the limit below is then an error code, as on a full disk
    const rlimit limit{64 * 1024, 64 * 1024};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    for (int i = 100; i < 200; ++i) store->put(key_of(i), chunk_of(i));
    store->flush();
    if (store->stats().dropped_puts != 100) return 2;
    store->put(key_of(300), chunk_of(300));
    store->flush();
    if (store->stats().dropped_puts != 101) return 3;
    if (find_one(*store, key_of(150)) != nullptr) return 4;
    return holds(*store, 1) ? 0 : 5;
  });
  EXPECT_EQ(failed_check, 0);
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_TRUE(holds(*store, 1));
  store->put(key_of(2), chunk_of(2));
  store->flush();
  EXPECT_EQ(store->stats().puts, 1u) << "with room again, the next start writes again";
}

}  // namespace
}  // namespace terrane::store
