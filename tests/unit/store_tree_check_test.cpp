#include <gtest/gtest.h>
#include <lmdb.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "store/tree_check.h"
#include "support/file_damage.h"
#include "support/store_chunks.h"
#include "support/temp_directory.h"

namespace terrane::store {
namespace {

using test::chunk_of;
using test::key_of;

constexpr std::chrono::minutes kPatience{1};
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kFlagsAt = 10;  // in the header of a page

/// Pages of all tables' trees, the free list's included, as LMDB counts them.
std::uint64_t count_tree_pages(const std::filesystem::path& directory) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  EXPECT_EQ(mdb_env_create(&env), 0);
  EXPECT_EQ(mdb_env_set_maxdbs(env, 2), 0);
  EXPECT_EQ(mdb_env_open(env, directory.c_str(), MDB_RDONLY, 0644), 0);
  EXPECT_EQ(mdb_txn_begin(env, nullptr, MDB_RDONLY, &txn), 0);
  constexpr MDB_dbi kFreeList = 0, kDatabases = 1;
  std::vector<MDB_dbi> tables = {kFreeList, kDatabases};
  for (const char* name : {"meta", "chunks"})
    EXPECT_EQ(mdb_dbi_open(txn, name, 0, &tables.emplace_back()), 0);
  std::uint64_t pages = 0;
  for (const MDB_dbi table : tables) {
    MDB_stat stat{};
    EXPECT_EQ(mdb_stat(txn, table, &stat), 0);
    pages += stat.ms_branch_pages + stat.ms_leaf_pages;
  }
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return pages;
}

/// The data file of a cache that has stored, removed and replaced chunks of many sizes, closed
/// cleanly.
class TreeCheck : public testing::Test {
 protected:
  void SetUp() override {
    auto options = test::untimed(directory_.path());
    options.max_bytes = 4 << 20;  // some are evicted
    const auto store = test::open_store(options);
    for (int i = 0; i < 3000; ++i) {
      store->put(key_of(i * 37 % 3000), chunk_of(i, static_cast<std::size_t>(50 + i * 97 % 9000)));
      if (i % 50 == 49) store->flush();
    }
  }

  Result<void> check() const { return check_tree(data(), kPatience); }
  std::filesystem::path data() const { return directory_.path() / "data.mdb"; }

  test::TempDirectory directory_;
};

TEST_F(TreeCheck, a_cache_that_was_written_and_evicted_from_is_whole) {
  const auto checked = check();
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST_F(TreeCheck, a_file_that_is_empty_or_missing_is_nothing_to_complain_of) {
  test::write_file(data(), "");
  EXPECT_TRUE(check());
  std::filesystem::remove(data());
  EXPECT_TRUE(check());
}

TEST_F(TreeCheck, a_check_that_takes_too_long_says_so) {
  const auto checked = check_tree(data(), std::chrono::milliseconds(-1));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kDeadlineExceeded);
}

/// A file whose bits are flipped one at a time, in place.
class Flipper {
 public:
  explicit Flipper(const std::filesystem::path& path)
      : file_(path, std::ios::binary | std::ios::in | std::ios::out) {}

  /// @return whether `sees` something while this bit is flipped
  bool seen(std::size_t bit, const std::function<bool()>& sees) {
    flip(bit);
    const bool seen = sees();
    flip(bit);
    return seen;
  }

 private:
  void flip(std::size_t bit) {
    char byte = 0;
    file_.seekg(static_cast<std::streamoff>(bit / 8)).get(byte);
    file_.seekp(static_cast<std::streamoff>(bit / 8)).put(static_cast<char>(byte ^ 1 << bit % 8));
    ASSERT_TRUE(file_.flush());
  }

  std::fstream file_;
};

/// The bits of a tree page's header and table of nodes, but for two bytes of padding.
std::vector<std::size_t> bits_that_count(const std::string& file, std::size_t page) {
  constexpr std::size_t kPaddingAt = 8, kLowerAt = 12;
  const std::size_t table_end = static_cast<unsigned char>(file[page + kLowerAt]) +
                                256u * static_cast<unsigned char>(file[page + kLowerAt + 1]);
  std::vector<std::size_t> bits;
  for (std::size_t byte = 0; byte < table_end; ++byte) {
    if (byte == kPaddingAt || byte == kPaddingAt + 1) continue;
    for (std::size_t bit = 0; bit < 8; ++bit) bits.push_back((page + byte) * 8 + bit);
  }
  return bits;
}

/// Every bit of every page that is in use: no sample.
TEST(TreeCheckBits, every_bit_of_a_tree_pages_header_and_table_is_found_when_flipped) {
  const test::TempDirectory directory;
  const std::filesystem::path data = directory.path() / "data.mdb";
  std::uint64_t tree_pages = 0;
  {
    const auto store = test::open_store(test::untimed(directory.path()));
    for (int i = 0; i < 240; ++i) {
      store->put(key_of(i * 37 % 240), chunk_of(i, static_cast<std::size_t>(50 + i * 97 % 3000)));
      if (i % 30 == 29) store->flush();
    }
  }
  const std::string whole = test::read_file(data);
  const auto is_damaged = [&] { return !check_tree(data, kPatience); };
  ASSERT_FALSE(is_damaged());
  Flipper flipper(data);
  std::size_t flips = 0;
  for (std::size_t page = 2 * kPageBytes; page < whole.size(); page += kPageBytes) {
    const bool tree = (whole[page + kFlagsAt] == 1 || whole[page + kFlagsAt] == 2) &&
                      whole[page + kFlagsAt + 1] == 0;
    // A page that is free now is of no account, whatever it says: not even its own number counts.
    if (!tree || !flipper.seen(page * 8, is_damaged)) continue;
    ++tree_pages;
    for (const std::size_t bit : bits_that_count(whole, page)) {
      ++flips;
      ASSERT_TRUE(flipper.seen(bit, is_damaged))
          << "bit " << bit % 8 << " of byte " << bit / 8 % kPageBytes << " of page "
          << bit / 8 / kPageBytes;
    }
  }
  EXPECT_FALSE(is_damaged()) << "all bits are as they were";
  EXPECT_EQ(tree_pages, count_tree_pages(directory.path()));
  EXPECT_GT(flips, 10'000u);
}

TEST_F(TreeCheck, no_bytes_whatsoever_harm_the_check_itself) {
  const std::string whole = test::read_file(data());
  std::minstd_rand random(1);
  std::uniform_int_distribution<std::size_t> anywhere(0, whole.size() - 1);
  for (int run = 0; run < 200; ++run) {
    std::string bytes = whole;
    for (int i = 0; i < 1 << run % 12; ++i) {
      bytes[anywhere(random) / kPageBytes * kPageBytes + anywhere(random) % 64] =
          static_cast<char>(random());
    }
    if (run % 5 == 0) bytes.resize(anywhere(random));
    test::write_file(data(), bytes);
    static_cast<void>(check());
  }
}

}  // namespace
}  // namespace terrane::store
