#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "rpc/memory_accounts.h"

namespace terrane::rpc {
namespace {

constexpr const char* kWhat = "calls";

TEST(memory_accounts, a_client_has_half_of_what_all_may_and_what_ends_is_given_back) {
  const auto accounts = MemoryAccounts::create(1000);
  auto first = accounts->take(1, 400, kWhat);
  ASSERT_TRUE(first);
  const auto too_much = accounts->take(1, 101, kWhat);
  ASSERT_FALSE(too_much);
  EXPECT_EQ(too_much.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(too_much.error().reason, ErrorReason::kClientMemoryFull);
  EXPECT_EQ(too_much.error().value, "400 bytes");
  EXPECT_EQ(too_much.error().limit, "500 bytes");
  EXPECT_TRUE(accounts->take(1, 100, kWhat)) << "just the half, and no longer than this line";
  const auto second = accounts->take(2, 500, kWhat);
  ASSERT_TRUE(second) << "another client has a half of its own";
  const auto third = accounts->take(3, 101, kWhat);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().reason, ErrorReason::kCallMemoryFull) << "but all have no more than all";
  EXPECT_EQ(third.error().value, "900 bytes");
  first = accounts->take(3, 100, kWhat);
  EXPECT_TRUE(first) << "takes the place of what it is assigned to";
  EXPECT_EQ(accounts->bytes(), 600u);
}

TEST(memory_accounts, nobody_takes_more_than_is_still_free) {
  const auto accounts = MemoryAccounts::create(1000);
  std::vector<MemoryAccounts::Hold> held;
  for (std::uint64_t client = 1; client <= 8; ++client) {
    while (auto more = accounts->take(client, 1, kWhat)) held.push_back(*std::move(more));
  }
  EXPECT_LT(accounts->bytes(), 1000u) << "there is some left for the ninth";
  EXPECT_TRUE(accounts->take(9, 1, kWhat));
}

TEST(memory_accounts, a_little_is_always_there_however_much_others_hold) {
  const auto accounts = MemoryAccounts::create(1000, 50);
  const auto a = accounts->take(1, 500, kWhat), b = accounts->take(2, 500, kWhat);
  ASSERT_TRUE(a && b);
  const auto little = accounts->take(3, 50, kWhat);
  EXPECT_TRUE(little);
  EXPECT_FALSE(accounts->take(3, 1, kWhat));
  EXPECT_FALSE(accounts->take(1, 1, kWhat));
}

TEST(memory_accounts, who_has_less_than_what_is_always_is_let_in_though_others_have_all) {
  const auto accounts = MemoryAccounts::create(1000, 50);
  auto a = accounts->open(1), b = accounts->open(2), c = accounts->open(3);
  a.change(450);
  EXPECT_FALSE(a.denied());
  b.change(700);
  EXPECT_EQ(a.denied(), MemoryAccounts::Bound::kAll);
  EXPECT_EQ(c.passed(), MemoryAccounts::Bound::kAll) << "somebody is to be closed";
  EXPECT_FALSE(c.denied());
  c.change(49);
  EXPECT_FALSE(c.denied());
  c.change(1);
  EXPECT_EQ(c.denied(), MemoryAccounts::Bound::kAll);
  a.change(-450);
  EXPECT_FALSE(c.denied());
  EXPECT_EQ(b.denied(), MemoryAccounts::Bound::kClient);
}

TEST(memory_accounts, what_grows_shows_which_bound_it_has_reached) {
  const auto accounts = MemoryAccounts::create(1000);
  {
    auto stream = accounts->open(7), other = accounts->open(8);
    EXPECT_FALSE(stream.passed());
    stream.change(499);
    EXPECT_FALSE(stream.passed());
    stream.change(1);
    EXPECT_EQ(stream.passed(), MemoryAccounts::Bound::kClient);
    EXPECT_FALSE(other.passed()) << "it is not the other's";
    other.change(500);
    EXPECT_EQ(stream.passed(), MemoryAccounts::Bound::kAll);
    stream.change(-100);
    EXPECT_EQ(stream.of_client(), 400u);
    auto moved = std::move(stream);
    EXPECT_EQ(moved.bytes(), 400u);
    EXPECT_EQ(stream.bytes(), 0u);  // NOLINT(bugprone-use-after-move): it holds nothing
    EXPECT_EQ(accounts->bytes(), 900u);
  }
  EXPECT_EQ(accounts->bytes(), 0u);
  EXPECT_EQ(accounts->open(7).of_client(), 0u);
}

}  // namespace
}  // namespace terrane::rpc
