#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the server counts and times, in Prometheus' terms. Names, labels and help texts follow its
/// conventions: base units, `_total` for counters, `_seconds` for histograms. This is how to count;
/// what is counted stands with those who count it: rpc/call_metrics.h, http/http_metrics.h,
/// ops/process_metrics.h, and server_metrics.cpp for what is read at each scrape.
namespace terrane::ops {

/// Label names and values, in the order in which they are printed.
using Labels = std::vector<std::pair<std::string, std::string>>;

// A Counter, Gauge or Histogram is a pointer to its numbers in Metrics, which must outlive it; copy
// it freely. One that was default-constructed counts nothing. Ask Metrics for it once and keep it:
// counting is then a few relaxed atomic operations. Thread-safe; no call blocks.

/// Something that only grows.
class Counter {
 public:
  Counter() = default;
  void add(std::uint64_t count = 1) const {
    if (cell_ != nullptr) cell_->fetch_add(count, std::memory_order_relaxed);
  }

 private:
  friend class Metrics;
  explicit Counter(std::atomic<std::uint64_t>* cell) : cell_(cell) {}
  std::atomic<std::uint64_t>* cell_ = nullptr;
};

/// Something that grows and shrinks.
class Gauge {
 public:
  Gauge() = default;
  void add(std::int64_t change) const {
    if (cell_ != nullptr) cell_->fetch_add(change, std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t value() const {
    return cell_ == nullptr ? 0 : cell_->load(std::memory_order_relaxed);
  }

 private:
  friend class Metrics;
  explicit Gauge(std::atomic<std::int64_t>* cell) : cell_(cell) {}
  std::atomic<std::int64_t>* cell_ = nullptr;
};

/// How long something takes.
class Histogram {
 public:
  Histogram() = default;
  /// @param times  how many took that long
  void observe(std::chrono::nanoseconds time, std::uint64_t times = 1) const {
    if (cells_ != nullptr && times > 0) observe_in(*cells_, time, times);
  }
  /// How many took at most bounds()[i], and more than the bound before it; last those past every
  /// bound.
  [[nodiscard]] std::vector<std::uint64_t> counts() const;
  [[nodiscard]] static std::span<const std::uint64_t> bounds_ns();

 private:
  friend class Metrics;
  struct Cells;
  explicit Histogram(Cells* cells) : cells_(cells) {}
  static void observe_in(Cells& cells, std::chrono::nanoseconds time, std::uint64_t times);
  Cells* cells_ = nullptr;
};

/// Takes the numbers that somebody else counts, whenever they are asked for. The rules of names are
/// those of Metrics.
class Scrape {
 public:
  void counter(std::string_view name, std::string_view help, double value,
               const Labels& labels = {});
  void gauge(std::string_view name, std::string_view help, double value, const Labels& labels = {});

 private:
  friend class Metrics;
  class Families;
  explicit Scrape(Families& families) : families_(families) {}
  Families& families_;
};

/// All metrics of a server; main owns the only one. Thread-safe.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  /// The metric of this name with these labels, made when it is new. A name has one help text and
  /// one kind.
  [[nodiscard]] Counter counter(std::string_view name, std::string_view help, Labels labels = {});
  [[nodiscard]] Gauge gauge(std::string_view name, std::string_view help, Labels labels = {});
  /// With buckets from 5 us to 10 s. Left out of text() until it has seen something.
  [[nodiscard]] Histogram histogram(std::string_view name, std::string_view help,
                                    Labels labels = {});

  /// Calls `read` in every text(), on the thread of that call. What it refers to must outlive the
  /// last one.
  void at_scrape(std::function<void(Scrape&)> read);

  /// Everything in Prometheus' text format (version 0.0.4), sorted by name. Blocks for as long as
  /// what at_scrape() was given.
  [[nodiscard]] std::string text() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::ops
