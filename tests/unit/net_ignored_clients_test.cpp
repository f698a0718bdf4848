#include <gtest/gtest.h>

#include <chrono>

#include "net/ignored_clients.h"

namespace terrane::net {
namespace {

using namespace std::chrono_literals;

AddressBytes client_number(std::size_t number) {
  return {0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0xff,
          0xff,
          10,
          0,
          static_cast<std::uint8_t>(number >> 8),
          static_cast<std::uint8_t>(number)};
}

struct Refusals {
  /// @return how many it took until it was ignored
  int until_ignored(const AddressBytes& client) {
    for (int count = 1; count < 10'000; ++count)
      if (ignored.note_refused(client, now)) return count;
    return 0;
  }

  IgnoredClients ignored;
  IgnoredClients::Clock::time_point now{};
};

TEST(ignored_clients, a_crowd_is_not_ignored_and_who_goes_on_is) {
  Refusals refusals;
  EXPECT_EQ(refusals.until_ignored(client_number(1)), 1'000);
  EXPECT_FALSE(refusals.ignored.note_refused(client_number(2), refusals.now)) << "somebody else";
  EXPECT_EQ(refusals.ignored.clients(), std::vector{client_number(1)});
  EXPECT_FALSE(refusals.ignored.note_refused(client_number(1), refusals.now)) << "only once";
}

TEST(ignored_clients, who_goes_on_is_refused_fifty_times_a_second) {
  Refusals refusals;
  refusals.until_ignored(client_number(1));
  EXPECT_FALSE(refusals.ignored.look_after(refusals.now += 900ms)) << "not yet";
  EXPECT_TRUE(refusals.ignored.look_after(refusals.now += 100ms));
  EXPECT_TRUE(refusals.ignored.clients().empty());
  EXPECT_EQ(refusals.until_ignored(client_number(1)), 50);
  EXPECT_TRUE(refusals.ignored.look_after(refusals.now += 30s));
  EXPECT_EQ(refusals.until_ignored(client_number(1)), 1'000) << "all is forgotten";
}

TEST(ignored_clients, greed_counts_as_much_as_many_refusals) {
  Refusals refusals;
  const auto is_ignored = [&] {
    return refusals.ignored.note_greedy(client_number(1), refusals.now);
  };
  for (int i = 0; i < 49; ++i) EXPECT_FALSE(is_ignored());
  EXPECT_TRUE(is_ignored());
  refusals.now += 1s;
  EXPECT_TRUE(refusals.ignored.look_after(refusals.now));
  EXPECT_FALSE(is_ignored()) << "two a second come in";
  EXPECT_FALSE(is_ignored());
  EXPECT_TRUE(is_ignored());
}

TEST(ignored_clients, one_that_is_refused_now_and_then_never_is) {
  Refusals refusals;
  for (int i = 0; i < 10'000; ++i, refusals.now += 20ms)
    EXPECT_FALSE(refusals.ignored.note_refused(client_number(1), refusals.now));
}

TEST(ignored_clients, however_many_there_are_not_all_are_known_or_ignored) {
  Refusals refusals;
  for (std::size_t i = 0; i < 2 * IgnoredClients::kMostKnown; ++i)
    for (int times = 0; times < 1'100; ++times)
      refusals.ignored.note_refused(client_number(i), refusals.now);
  EXPECT_EQ(refusals.ignored.clients().size(), IgnoredClients::kMost);
  refusals.now += 1s;
  EXPECT_TRUE(refusals.ignored.look_after(refusals.now));
  EXPECT_TRUE(refusals.ignored.clients().empty());
}

}  // namespace
}  // namespace terrane::net
