#include "cli/admin/top_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "cli/admin/stats_text.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

constexpr std::uint32_t kBack = 0x10151c, kText = 0xd7dde5, kDim = 0x7d8896, kHead = 0x8fc7ff,
                        kBar = 0x3f7fbf, kWarm = 0xe0a458, kBarBack = 0x232c38;
constexpr int kLabel = 12, kBarWidth = 30;

/// Rows from the top, as far as there are any.
class Page {
 public:
  Page(int columns, int rows) : screen_(columns, rows) {
    for (Cell& cell : screen_.cells) cell.background = kBack;
  }

  void heading(const std::string& text) { write(0, text, kHead), ++row_; }
  void line(const std::string& label, const std::string& text, std::uint32_t color = kText) {
    write(0, label, kDim);
    write(kLabel, text, color);
    ++row_;
  }
  /// How much of something is in use.
  void bar(const std::string& label, double share, const std::string& text) {
    write(0, label, kDim);
    const double bounded = std::clamp(share, 0.0, 1.0);
    const int filled = static_cast<int>(std::lround(bounded * kBarWidth));
    for (int i = 0; i < kBarWidth && kLabel + i < screen_.columns && row_ < screen_.rows; ++i) {
      screen_.at(kLabel + i, row_).background = i >= filled     ? kBarBack
                                                : bounded > 0.9 ? kWarm
                                                                : kBar;
    }
    write(kLabel + kBarWidth + 2, text, kText);
    ++row_;
  }
  void gap() { ++row_; }
  [[nodiscard]] int rows_left() const { return screen_.rows - row_; }
  [[nodiscard]] Screen take() { return std::move(screen_); }

 private:
  void write(int column, const std::string& text, std::uint32_t color) {
    if (row_ < screen_.rows && column < screen_.columns)
      write_text(screen_, column, row_, text, color, kBack);
  }

  Screen screen_;
  int row_ = 0;
};

struct Rates {
  const ServerStats& before;
  const ServerStats& now;
  double seconds;

  [[nodiscard]] std::uint64_t count(std::uint64_t ServerStats::*what) const {
    return now.*what - std::min(now.*what, before.*what);
  }
  [[nodiscard]] double rate(std::uint64_t ServerStats::*what) const {
    return seconds > 0 ? static_cast<double>(count(what)) / seconds : 0;
  }
  [[nodiscard]] std::string text(std::uint64_t ServerStats::*what) const {
    return pad_left(grouped(static_cast<std::uint64_t>(std::llround(rate(what)))), 10) + "/s";
  }
  [[nodiscard]] std::string times(const char* kind) const {
    const auto counts = counts_since(before, now, kind);
    return "p50 " + pad_left(time_text(quantile(counts, now.bounds_s, 0.5)), 8) + "   p99 " +
           pad_left(time_text(quantile(counts, now.bounds_s, 0.99)), 8);
  }
};

void add_chunks(Page& page, const Rates& rates) {
  const std::uint64_t asked = rates.count(&ServerStats::requests);
  page.heading("CHUNKS");
  page.line("asked for", rates.text(&ServerStats::requests));
  const auto tier = [&](const char* label, const char* kind, std::uint64_t ServerStats::*what) {
    page.line(label, rates.text(what) + "  " + pad_left(percent_text(rates.count(what), asked), 5) +
                         "   " + rates.times(kind));
  };
  tier("memory", "memory", &ServerStats::from_memory);
  tier("disk", "disk", &ServerStats::from_disk);
  tier("joined", "joined", &ServerStats::joined);
  page.line("generated",
            rates.text(&ServerStats::generated) + "          " + rates.times("generated"));
  const bool is_overloaded = rates.count(&ServerStats::refused) > 0;
  page.line("refused", rates.text(&ServerStats::refused), is_overloaded ? kWarm : kText);
  page.line("for a worker",
            pad_left(grouped(rates.now.queued), 10) + " wait    " + rates.times("queue"));
}

void add_fill(Page& page, const Rates& rates) {
  const ServerStats& now = rates.now;
  page.heading("IN USE");
  const double used =
      rates.seconds > 0 ? (now.processor_s - rates.before.processor_s) / rates.seconds : 0;
  page.bar("processors", now.workers > 0 ? used / now.workers : 0,
           rounded(used, 2) + ", for " + counted(now.workers, "worker"));
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  page.bar("memory", share(now.memory_bytes, now.memory_limit_bytes),
           bytes_text(now.memory_bytes) +
               (now.memory_limit_bytes > 0 ? " of " + bytes_text(now.memory_limit_bytes) : "") +
               ", chunks " + bytes_text(now.memory_cache_bytes));
  if (const auto& cache = now.cache) {
    page.bar("cache", share(cache->bytes, cache->max_bytes),
             bytes_text(cache->bytes) + " of " + bytes_text(cache->max_bytes) + ", " +
                 grouped(cache->chunks) + " chunks");
  } else {
    page.line("cache", "none", kDim);
  }
}

}  // namespace

Screen draw_top(int columns, int rows, const ServerStats& before, const ServerStats& now,
                const std::string& address) {
  const Rates rates{before, now, now.uptime_s - before.uptime_s};
  Page page(columns, rows);
  page.heading(address + "   " + now.version + "   up " + duration_text(now.uptime_s) + "   " +
               counted(now.viewers, "Explore stream"));
  page.gap();
  add_chunks(page, rates);
  page.gap();
  add_fill(page, rates);
  page.gap();
  page.heading("CLIENTS   " + grouped(now.clients) + " within a minute; processors of each");
  const int shown = std::min(page.rows_left() - 2, static_cast<int>(now.costliest.size()));
  for (int i = 0; i < shown; ++i) {
    const ClientCost& client = now.costliest[static_cast<std::size_t>(i)];
    page.line(
        pad_left(rounded(client.processors, 2), 8),
        client.name + (client.weight > 1 ? "   weight " + std::to_string(client.weight) : ""));
  }
  page.gap();
  page.line("q ends", "", kDim);
  return page.take();
}

}  // namespace terrane::cli
