#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>

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

TEST_F(TreeCheck, every_bit_of_a_tree_pages_header_and_table_is_found_when_flipped) {
  const std::string whole = test::read_file(data());
  int flips = 0, found = 0;
  for (std::size_t page = 2 * kPageBytes; page < whole.size(); page += kPageBytes) {
    const bool tree = (whole[page + kFlagsAt] == 1 || whole[page + kFlagsAt] == 2) &&
                      whole[page + kFlagsAt + 1] == 0;
    if (!tree || page / kPageBytes % 40 != 0) continue;
    for (std::size_t bit = 0; bit < 8 * 18; bit += 5) {
      std::string bytes = whole;
      bytes[page + bit / 8] = static_cast<char>(bytes[page + bit / 8] ^ (1 << bit % 8));
      test::write_file(data(), bytes);
      ++flips;
      found += check() ? 0 : 1;
    }
  }
  EXPECT_GT(flips, 50);
  EXPECT_GT(found, flips / 3) << "the others are in pages that are free now, or in padding";
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
