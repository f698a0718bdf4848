#include <gtest/gtest.h>

#include "net/refusal_report.h"

namespace terrane::net {
namespace {

using std::chrono::seconds;

constexpr ConnectionLimits kLimits{.total = 832, .per_client = 208};

AddressBytes client(std::uint8_t number) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, number};
}

TEST(refusal_report, one_line_says_how_many_why_and_who_most) {
  RefusalReport report;
  const RefusalReport::Clock::time_point now{};
  EXPECT_EQ(report.line(now, kLimits), "");
  for (int i = 0; i < 70; ++i) report.note(Refusal::kClient, client(7));
  for (int i = 0; i < 20; ++i) report.note(Refusal::kTotal, client(8));
  for (int i = 0; i < 10; ++i) report.note(Refusal::kDescriptors, client(9));
  EXPECT_EQ(report.line(now, kLimits),
            "100 connections closed as soon as they came, 70 of them from 10.0.0.7: 70 past what "
            "one client may have (at most 208, never more than are free); 20 past 832 in all; 10 "
            "for want of a descriptor (ulimit -n).");
  report.note(Refusal::kSentAway, client(7));
  EXPECT_EQ(report.line(now + seconds(60), kLimits),
            "1 connections closed as soon as they came, 1 of them from 10.0.0.7: 1 of clients that "
            "have been sent away for a while.");
}

TEST(refusal_report, there_is_a_line_a_minute_and_none_without_news) {
  RefusalReport report;
  const RefusalReport::Clock::time_point now{};
  report.note(Refusal::kTotal, client(1));
  EXPECT_NE(report.line(now, kLimits), "");
  report.note(Refusal::kTotal, client(1));
  EXPECT_EQ(report.line(now + seconds(59), kLimits), "");
  report.note(Refusal::kTotal, client(1));
  EXPECT_EQ(report.line(now + seconds(60), kLimits).substr(0, 14), "2 connections ");
  EXPECT_EQ(report.line(now + seconds(200), kLimits), "");
}

TEST(refusal_report, a_crowd_of_addresses_is_counted_though_not_remembered) {
  RefusalReport report;
  for (int i = 0; i < 5000; ++i) {
    report.note(Refusal::kTotal,
                {1, 2, 3, 4, static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i)});
  }
  EXPECT_EQ(report.line({}, kLimits).substr(0, 17), "5000 connections ");
}

}  // namespace
}  // namespace terrane::net
