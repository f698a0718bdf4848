#include <gtest/gtest.h>
#include <lmdb.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

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

  /// Runs `body` in a process of its own, which ends without closing what the body leaves open.
  /// @return its exit code
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

  static constexpr std::size_t kPageBytes = 4096, kFlagsAt = 10;  // of LMDB's pages

  static bool is_tree_page(const std::string& bytes, std::size_t page) {
    return (bytes[page + kFlagsAt] == 1 || bytes[page + kFlagsAt] == 2) &&
           bytes[page + kFlagsAt + 1] == 0;
  }

  /// In place, as seen by whoever has the file open.
  void overwrite(const std::string& bytes) const {
    std::fstream file(data(), std::ios::binary | std::ios::in | std::ios::out);
    ASSERT_TRUE(file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())));
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
  // differs in the key's last bit
  const ChunkKey neighbour{.fingerprint = 7, .seed = 9, .lod = 0, .coord = {9, 8}};
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

TEST_F(Recovery, a_file_that_claims_to_be_larger_than_any_memory_is_wiped) {
  fill_and_close(10);
  constexpr std::size_t kLastPageAt = 16 + 120;  // in both of LMDB's meta pages
  std::string bytes = test::read_file(data());
  for (const std::size_t page : {std::size_t{0}, kPageBytes}) bytes[page + kLastPageAt + 6] = 0x10;
  overwrite(bytes);
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
      if (bytes.compare(page, 4096, std::string(4096, '\0')) == 0 ||
          bytes.find("<chunk", page) < page + 64)
        continue;
      for (std::size_t i = page + 16; i < page + 4096; ++i) bytes[i] = fill;
    }
    test::write_file(data(), bytes);
    expect_started_anew();
  }
}

TEST_F(Recovery, one_flipped_chunk_after_an_unclean_exit_costs_that_chunk_only) {
  fill_and_crash(600);
  ASSERT_GE(test::flip_after(data(), "<chunk 300>", 100), 1u);
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_EQ(store->stats().entries, 600u);
  EXPECT_EQ(find_one(*store, key_of(300)), nullptr);
  EXPECT_TRUE(holds(*store, 301));
  EXPECT_EQ(store->stats().bad_checksums, 1u);
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
    // writing past the limit below is then an error code, as on a full disk
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{64 * 1024, 64 * 1024};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    for (int i = 100; i < 200; ++i) store->put(key_of(i), chunk_of(i));
    store->flush();
    if (store->stats().dropped_puts != 100) return 2;
    store->put(key_of(300), chunk_of(300));
    store->flush();
    if (store->stats().dropped_puts != 101) return 3;
    if (store->stats().writable) return 6;
    if (find_one(*store, key_of(150)) != nullptr) return 4;
    return holds(*store, 1) ? 0 : 5;
  });
  EXPECT_EQ(failed_check, 0);
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_TRUE(holds(*store, 1));
  store->put(key_of(2), chunk_of(2));
  store->flush();
  EXPECT_EQ(store->stats().puts, 1u) << "with room again, the next start writes again";
  EXPECT_TRUE(store->stats().writable);
}

TEST_F(Recovery, a_tree_that_cannot_be_written_is_wiped_while_the_store_runs) {
  fill_and_close(600);
  const auto store = open_store(untimed(directory_.path()));
  std::string bytes = test::read_file(data());
  for (std::size_t page = 2 * kPageBytes; page + kPageBytes <= bytes.size(); page += kPageBytes) {
    if (is_tree_page(bytes, page)) bytes[page + kFlagsAt] = 0;
  }
  overwrite(bytes);
  EXPECT_EQ(find_one(*store, key_of(1)), nullptr);
  store->put(key_of(1000), chunk_of(1000));
  store->flush();
  EXPECT_EQ(store->stats().dropped_puts, 1u) << "the put that met the damage";
  EXPECT_EQ(store->stats().entries, 0u);
  store->put(key_of(1), chunk_of(1));
  store->flush();
  EXPECT_TRUE(holds(*store, 1));
  EXPECT_EQ(store->stats().entries, 1u);
}

TEST_F(Recovery, a_disk_that_became_smaller_holds_a_smaller_cache) {
  const int failed_check = in_child([&] {
    const auto store = open_store(untimed(directory_.path()));
    // writing past the limit below is then an error code, as on a full disk
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4 << 20, 4 << 20};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    std::atomic<bool> wrong = false;
    std::jthread reader([&](const std::stop_token& stop) {  // while the cache starts anew, too
      for (int i = 0; !stop.stop_requested(); i = (i + 1) % 4000) {
        const auto found = find_one(*store, key_of(i));
        if (found && *found != *chunk_of(i)) wrong = true;
      }
    });
    for (int i = 0; i < 4000; ++i) {
      store->put(key_of(i), chunk_of(i));
      if (i % 100 == 99) store->flush();
    }
    reader.request_stop();
    reader.join();
    if (wrong) return 6;
    const StoreStats stats = store->stats();
    // Where the reader is held up with an old snapshot the file meets its limit again, and is
    // smaller still from then on.
    if (stats.used_bytes > 4 << 20 || stats.entries < 100) return 2;
    if (stats.evictions < 1000) return 3;  // it goes on as a smaller cache does
    if (stats.puts < 3000) return 4;
    if (stats.max_bytes > 4 << 20 || stats.max_bytes < 1 << 20) return 7;  // as it is now
    if (!stats.writable) return 8;
    for (int i = 0; i < 4000; ++i) {
      if (holds(*store, i)) return 0;  // what is used stays; what was put last may have gone again
    }
    return 5;
  });
  EXPECT_EQ(failed_check, 0);
}

/// A process with a transaction of its own in the database, until it is killed.
class Holder {
 public:
  Holder(const std::filesystem::path& directory, unsigned transaction_flags) {
    std::array<int, 2> holds{};
    EXPECT_EQ(::pipe(holds.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      MDB_env* env = nullptr;
      MDB_txn* txn = nullptr;
      const bool holding = mdb_env_create(&env) == 0 &&
                           mdb_env_open(env, directory.c_str(), 0, 0644) == 0 &&
                           mdb_txn_begin(env, nullptr, transaction_flags, &txn) == 0;
      if (!holding || ::write(holds[1], "x", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(holds[1]);
    char byte = 0;
    EXPECT_EQ(::read(holds[0], &byte, 1), 1);
    ::close(holds[0]);
  }
  ~Holder() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

 private:
  pid_t pid_ = -1;
};

TEST_F(Recovery, a_reader_that_holds_old_pages_while_writers_churn_costs_room_and_nothing_else) {
  StoreOptions options = untimed(directory_.path());
  options.max_bytes = 4 << 20;
  const auto store = open_store(options);
  for (int i = 0; i < 700; ++i) store->put(key_of(i), chunk_of(i));
  store->flush();
  const auto churn = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      store->put(key_of(i), chunk_of(i));
      if (i % 100 != 99) continue;
      store->flush();
      EXPECT_LE(std::filesystem::file_size(data()), options.max_bytes);
    }
  };
  {
    const Holder reader(directory_.path(), MDB_RDONLY);
    churn(1000, 4000);
    EXPECT_GT(store->stats().dropped_puts, 1000u)
        << "pages that the reader sees can't be written over";
    for (int i = 0; i < 4000; ++i) {
      const auto found = find_one(*store, key_of(i));
      ASSERT_TRUE(!found || *found == *chunk_of(i)) << i;
    }
  }
  const std::uint64_t before = store->stats().puts;
  churn(4000, 6000);
  EXPECT_GT(store->stats().puts, before)
      << "readers that died are cleared away when there is no room";
}

TEST_F(Recovery, a_writer_that_never_comes_back_does_not_keep_the_store_from_closing) {
  const int failed_check = in_child([&] {
    {
      const auto store = open_store(untimed(directory_.path()));
      store->put(key_of(1), chunk_of(1));
      store->flush();
    }
    StoreOptions options = untimed(directory_.path());
    options.close_limit_ms = 20;
    auto store = open_store(options);
    const Holder writer(directory_.path(), 0);
    store->put(key_of(2), chunk_of(2));
    store->flush();
    if (!holds(*store, 1) || !holds(*store, 2)) return 1;
    if (store->stats().puts != 0) return 2;
    store.reset();
    return 0;
  });
  EXPECT_EQ(failed_check, 0);
  const auto store = open_store(untimed(directory_.path()));
  EXPECT_TRUE(holds(*store, 1)) << "what was committed is kept";
}

}  // namespace
}  // namespace terrane::store
