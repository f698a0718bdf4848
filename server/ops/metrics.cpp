#include "ops/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "terrane/mutex.h"

namespace terrane::ops {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// Upper bounds of the buckets, ns: fine where a chunk of the cache and one that is generated
// differ, with those limits among them that promises are made about (10 ms, 250 ms).
constexpr std::array<std::uint64_t, 15> kBoundsNs{
    5'000,       10'000,      25'000,        50'000,        100'000,
    250'000,     1'000'000,   2'500'000,     10'000'000,    25'000'000,
    100'000'000, 250'000'000, 1'000'000'000, 2'500'000'000, 10'000'000'000};
constexpr std::size_t kCacheLine = 64;

/// A line of its own for each: threads that count different things don't wait for each other.
template <typename T>
struct alignas(kCacheLine) Cell {
  std::atomic<T> value = 0;
};

std::vector<ClientMetric::Label> to_prometheus(const Labels& labels) {
  std::vector<ClientMetric::Label> result;
  for (const auto& [name, value] : labels) result.push_back({name, value});
  return result;
}

/// One kind of metric: by name, then by labels. Nodes of a map stay where they are.
template <typename T>
struct Kind {
  struct Family {
    std::string help;
    std::map<Labels, T> series;
  };
  std::map<std::string, Family, std::less<>> families;

  T& series(std::string_view name, std::string_view help, Labels labels) {
    auto found = families.find(name);
    if (found == families.end())
      found = families.emplace(name, Family{std::string(help), {}}).first;
    return found->second.series[std::move(labels)];
  }
};

}  // namespace

struct alignas(kCacheLine) Histogram::Cells {
  // the last: past every bound
  std::array<std::atomic<std::uint64_t>, kBoundsNs.size() + 1> buckets{};
  std::atomic<std::uint64_t> sum_ns = 0;
};

void Histogram::observe_in(Cells& cells, std::chrono::nanoseconds time, std::uint64_t times) {
  const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
  const auto bound = std::lower_bound(kBoundsNs.begin(), kBoundsNs.end(), ns);
  cells.buckets[static_cast<std::size_t>(bound - kBoundsNs.begin())].fetch_add(
      times, std::memory_order_relaxed);
  cells.sum_ns.fetch_add(ns * times, std::memory_order_relaxed);
}

std::vector<std::uint64_t> Histogram::counts() const {
  std::vector<std::uint64_t> counts(kBoundsNs.size() + 1);
  if (cells_ == nullptr) return counts;
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = cells_->buckets[i].load(std::memory_order_relaxed);
  return counts;
}

std::span<const std::uint64_t> Histogram::bounds_ns() { return kBoundsNs; }

class Scrape::Families {
 public:
  void add(std::string_view name, std::string_view help, MetricType type, const Labels& labels,
           ClientMetric metric) {
    auto& family = families_[std::string(name)];
    family.name = name;
    family.help = help;
    family.type = type;
    metric.label = to_prometheus(labels);
    family.metric.push_back(std::move(metric));
  }

  std::string text() const {
    std::vector<MetricFamily> sorted;
    for (const auto& [name, family] : families_) sorted.push_back(family);
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, sorted);
    return out.str();
  }

 private:
  std::map<std::string, MetricFamily> families_;
};

void Scrape::counter(std::string_view name, std::string_view help, double value,
                     const Labels& labels) {
  ClientMetric metric;
  metric.counter.value = value;
  families_.add(name, help, MetricType::Counter, labels, std::move(metric));
}

void Scrape::gauge(std::string_view name, std::string_view help, double value,
                   const Labels& labels) {
  ClientMetric metric;
  metric.gauge.value = value;
  families_.add(name, help, MetricType::Gauge, labels, std::move(metric));
}

class Metrics::Impl {
 public:
  std::atomic<std::uint64_t>* counter(std::string_view name, std::string_view help, Labels labels) {
    const MutexLock lock(mutex_);
    return &counters_.series(name, help, std::move(labels)).value;
  }

  std::atomic<std::int64_t>* gauge(std::string_view name, std::string_view help, Labels labels) {
    const MutexLock lock(mutex_);
    return &gauges_.series(name, help, std::move(labels)).value;
  }

  Histogram::Cells* histogram(std::string_view name, std::string_view help, Labels labels) {
    const MutexLock lock(mutex_);
    return &histograms_.series(name, help, std::move(labels));
  }

  void at_scrape(std::function<void(Scrape&)> read) {
    const MutexLock lock(mutex_);
    readers_.push_back(std::move(read));
  }

  std::string text() const {
    Scrape::Families families;
    Scrape scrape(families);
    const MutexLock lock(mutex_);
    for (const auto& [name, family] : counters_.families) {
      for (const auto& [labels, cell] : family.series) {
        scrape.counter(name, family.help,
                       static_cast<double>(cell.value.load(std::memory_order_relaxed)), labels);
      }
    }
    for (const auto& [name, family] : gauges_.families) {
      for (const auto& [labels, cell] : family.series) {
        scrape.gauge(name, family.help,
                     static_cast<double>(cell.value.load(std::memory_order_relaxed)), labels);
      }
    }
    for (const auto& [name, family] : histograms_.families) {
      for (const auto& [labels, cells] : family.series)
        add_histogram(families, name, family.help, labels, cells);
    }
    for (const auto& read : readers_) read(scrape);
    return families.text();
  }

 private:
  static void add_histogram(Scrape::Families& families, std::string_view name,
                            std::string_view help, const Labels& labels,
                            const Histogram::Cells& cells) {
    ClientMetric metric;
    auto& histogram = metric.histogram;
    for (std::size_t i = 0; i < cells.buckets.size(); ++i) {
      histogram.sample_count += cells.buckets[i].load(std::memory_order_relaxed);
      if (i < kBoundsNs.size())
        histogram.bucket.push_back(
            {histogram.sample_count, static_cast<double>(kBoundsNs[i]) / 1e9});
    }
    if (histogram.sample_count == 0) return;
    histogram.sample_sum = static_cast<double>(cells.sum_ns.load(std::memory_order_relaxed)) / 1e9;
    families.add(name, help, MetricType::Histogram, labels, std::move(metric));
  }

  mutable Mutex mutex_;  // of the maps; their numbers are atomic
  Kind<Cell<std::uint64_t>> counters_ ABSL_GUARDED_BY(mutex_);
  Kind<Cell<std::int64_t>> gauges_ ABSL_GUARDED_BY(mutex_);
  Kind<Histogram::Cells> histograms_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::function<void(Scrape&)>> readers_ ABSL_GUARDED_BY(mutex_);
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

Counter Metrics::counter(std::string_view name, std::string_view help, Labels labels) {
  return Counter(impl_->counter(name, help, std::move(labels)));
}
Gauge Metrics::gauge(std::string_view name, std::string_view help, Labels labels) {
  return Gauge(impl_->gauge(name, help, std::move(labels)));
}
Histogram Metrics::histogram(std::string_view name, std::string_view help, Labels labels) {
  return Histogram(impl_->histogram(name, help, std::move(labels)));
}
void Metrics::at_scrape(std::function<void(Scrape&)> read) { impl_->at_scrape(std::move(read)); }
std::string Metrics::text() const { return impl_->text(); }

}  // namespace terrane::ops
