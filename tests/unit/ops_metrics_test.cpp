#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "ops/build_info.h"
#include "ops/metrics.h"
#include "ops/process_metrics.h"
#include "support/prometheus_text.h"

namespace terrane::ops {
namespace {

using namespace std::chrono_literals;

bool has_line(const Metrics& metrics, const std::string& line) {
  return test::has_line(metrics.text(), line);
}
double value_of(const Metrics& metrics, const std::string& series) {
  return test::value_of(metrics.text(), series);
}

TEST(ops_metrics, a_family_has_one_help_one_type_and_all_its_series) {
  Metrics metrics;
  metrics.counter("calls_total", "Calls.", {{"code", "OK"}}).add(3);
  metrics.counter("calls_total", "Calls.", {{"code", "NOT_FOUND"}}).add();
  EXPECT_EQ(metrics.text(),
            "# HELP calls_total Calls.\n"
            "# TYPE calls_total counter\n"
            "calls_total{code=\"NOT_FOUND\"} 1\n"
            "calls_total{code=\"OK\"} 3\n");
}

TEST(ops_metrics, asking_twice_gives_the_same_number) {
  Metrics metrics;
  const Counter first = metrics.counter("calls_total", "Calls.", {{"a", "b"}});
  metrics.counter("calls_total", "Calls.", {{"a", "b"}}).add(2);
  first.add(3);
  EXPECT_TRUE(has_line(metrics, "calls_total{a=\"b\"} 5"));
}

TEST(ops_metrics, a_gauge_falls_as_well) {
  Metrics metrics;
  const Gauge gauge = metrics.gauge("streams", "Open streams.");
  gauge.add(5);
  gauge.add(-7);
  EXPECT_TRUE(has_line(metrics, "streams -2")) << metrics.text();
}

TEST(ops_metrics, a_histogram_counts_in_every_bucket_from_the_first_that_holds_the_time) {
  Metrics metrics;
  const Histogram histogram = metrics.histogram("wait_seconds", "Waits.", {{"priority", "view"}});
  histogram.observe(250us);  // a bound is part of its bucket
  histogram.observe(251us);
  histogram.observe(1min);
  histogram.observe(-1ns);  // a clock that went back is no reason to be off the scale
  EXPECT_TRUE(has_line(metrics, R"(wait_seconds_bucket{priority="view",le="0.0001"} 1)"))
      << metrics.text();
  EXPECT_EQ(value_of(metrics, R"(wait_seconds_bucket{priority="view",le="0.00025"})"), 2)
      << metrics.text();
  EXPECT_TRUE(has_line(metrics, R"(wait_seconds_bucket{priority="view",le="0.001"} 3)"))
      << metrics.text();
  EXPECT_TRUE(has_line(metrics, R"(wait_seconds_bucket{priority="view",le="10"} 3)"))
      << metrics.text();
  EXPECT_TRUE(has_line(metrics, R"(wait_seconds_bucket{priority="view",le="+Inf"} 4)"))
      << metrics.text();
  EXPECT_TRUE(has_line(metrics, R"(wait_seconds_count{priority="view"} 4)")) << metrics.text();
  EXPECT_NEAR(value_of(metrics, R"(wait_seconds_sum{priority="view"})"), 60.000501, 1e-9);
}

TEST(ops_metrics, a_histogram_counts_several_that_took_the_same_time_at_once) {
  Metrics metrics;
  const Histogram histogram = metrics.histogram("wait_seconds", "Waits.");
  histogram.observe(1ms, 3);
  histogram.observe(1ms, 0);
  EXPECT_TRUE(has_line(metrics, "wait_seconds_count 3")) << metrics.text();
  EXPECT_TRUE(has_line(metrics, "wait_seconds_sum 0.003")) << metrics.text();
}

TEST(ops_metrics, a_histogram_that_has_seen_nothing_is_left_out) {
  Metrics metrics;
  (void)metrics.histogram("wait_seconds", "Waits.");
  EXPECT_EQ(metrics.text(), "");
}

TEST(ops_metrics, what_was_default_constructed_counts_nothing) {
  Counter().add();
  Gauge().add(1);
  Histogram().observe(1s);
}

TEST(ops_metrics, numbers_of_others_are_read_at_every_look) {
  Metrics metrics;
  int looks = 0;
  metrics.at_scrape([&](Scrape& scrape) {
    scrape.counter("looks_total", "Looks.", ++looks);
    scrape.gauge("fill_ratio", "Fill.", 0.5, {{"of", "cache"}});
  });
  EXPECT_TRUE(has_line(metrics, "looks_total 1"));
  EXPECT_TRUE(has_line(metrics, "looks_total 2"));
  EXPECT_TRUE(has_line(metrics, "fill_ratio{of=\"cache\"} 0.5"));
}

TEST(ops_metrics, labels_are_escaped) {
  Metrics metrics;
  metrics.counter("odd_total", "Odd.", {{"name", "a\"b\\c\nd"}}).add();
  EXPECT_TRUE(has_line(metrics, R"(odd_total{name="a\"b\\c\nd"} 1)")) << metrics.text();
}

TEST(ops_metrics, nothing_is_lost_between_threads) {
  Metrics metrics;
  const Counter counter = metrics.counter("calls_total", "Calls.");
  const Histogram histogram = metrics.histogram("wait_seconds", "Waits.");
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 10'000; ++n) {
          counter.add();
          histogram.observe(1ms);
          if (n % 1000 != 0) continue;
          EXPECT_NE(metrics.text(), "");
        }
      });
    }
  }
  EXPECT_TRUE(has_line(metrics, "calls_total 40000")) << metrics.text();
  EXPECT_TRUE(has_line(metrics, "wait_seconds_count 40000")) << metrics.text();
  EXPECT_TRUE(has_line(metrics, "wait_seconds_sum 40")) << metrics.text();
}

TEST(ops_metrics, the_process_tells_of_itself) {
  Metrics metrics;
  metrics.at_scrape(scrape_process);
  metrics.at_scrape(scrape_build);
  EXPECT_GT(value_of(metrics, "process_resident_memory_bytes"), 1 << 20);
  EXPECT_GT(value_of(metrics, "process_virtual_memory_bytes"),
            value_of(metrics, "process_resident_memory_bytes"));
  EXPECT_GE(value_of(metrics, "process_open_fds"), 3);
  EXPECT_GT(value_of(metrics, "process_max_fds"), 3);
  EXPECT_GE(value_of(metrics, "process_cpu_seconds_total"), 0);
  EXPECT_GE(value_of(metrics, "process_threads"), 1);
  const auto now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_NEAR(value_of(metrics, "process_start_time_seconds"), now, 300);
  EXPECT_NE(metrics.text().find("terrane_build_info{version=\""), std::string::npos);
}

}  // namespace
}  // namespace terrane::ops
