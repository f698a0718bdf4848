#include <gtest/gtest.h>

#include <limits>

#include "cli/admin/stats_text.h"
#include "cli/admin/top_view.h"

namespace terrane::cli {
namespace {

TEST(StatsText, reads_quantiles_off_buckets) {
  const std::vector<double> bounds{0.001, 0.01, 0.1};
  EXPECT_EQ(quantile({0, 0, 0, 0}, bounds, 0.5), std::nullopt);
  EXPECT_DOUBLE_EQ(*quantile({10, 0, 0, 0}, bounds, 0.5), 0.0005);
  EXPECT_DOUBLE_EQ(*quantile({0, 10, 0, 0}, bounds, 1), 0.01);
  EXPECT_DOUBLE_EQ(*quantile({90, 0, 10, 0}, bounds, 0.99), 0.01 + 0.09 * 0.9);
  EXPECT_EQ(*quantile({0, 0, 0, 3}, bounds, 0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(time_text(quantile({0, 0, 0, 3}, bounds, 0.5)), "> 10 s");
  EXPECT_EQ(time_text(std::nullopt), "-");
  EXPECT_EQ(time_text(0.00035), "350 us");
  EXPECT_EQ(time_text(0.0123), "12.3 ms");
  EXPECT_EQ(time_text(2.5), "2.5 s");
}

TEST(StatsText, writes_numbers_for_people) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(12'345'678), "12,345,678");
  EXPECT_EQ(bytes_text(17), "17 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{200} << 20), "200 MiB");
  EXPECT_EQ(bytes_text(std::uint64_t{5} << 40), "5120 GiB");
  EXPECT_EQ(percent_text(1, 0), "-");
  EXPECT_EQ(percent_text(1, 3), "33 %");
}

std::string text_of(const Screen& screen, int row) {
  std::string text;
  for (int column = 0; column < screen.columns; ++column)
    text += static_cast<char>(screen.at(column, row).glyph);
  return text;
}

ServerStats after(std::uint64_t chunks, double uptime_s) {
  ServerStats stats{.uptime_s = uptime_s, .workers = 2, .processor_s = uptime_s};
  stats.requests = stats.generated = chunks;
  stats.bounds_s = {0.001, 0.01};
  stats.waits = {{"generated", {chunks, 0, 0}}};
  stats.costliest = {{"the game", 0.75, 200}};
  return stats;
}

TEST(TopView, shows_what_was_done_between_two_looks) {
  const Screen screen = draw_top(90, 26, after(1'000, 10), after(4'000, 12), "host:1");
  std::string all;
  for (int row = 0; row < screen.rows; ++row) all += text_of(screen, row) + "\n";
  EXPECT_NE(all.find("generated        1,500/s"), std::string::npos) << all;
  EXPECT_NE(all.find("1.00, for 2 workers"), std::string::npos) << all;
  EXPECT_NE(all.find("the game   weight 200"), std::string::npos) << all;
  EXPECT_NE(all.find("p50   500 us"), std::string::npos) << all;
}

TEST(TopView, fits_any_window_and_a_server_that_has_started_anew) {
  for (const auto& [columns, rows] : {std::pair{20, 5}, {1, 1}, {400, 120}}) {
    const Screen screen = draw_top(columns, rows, after(4'000, 12), after(10, 1), "host:1");
    EXPECT_EQ(screen.cells.size(), static_cast<std::size_t>(columns * rows));
  }
}

}  // namespace
}  // namespace terrane::cli
