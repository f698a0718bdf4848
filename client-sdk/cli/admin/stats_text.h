#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/admin.h"

/// What an administrator is told -> text. Pure functions.
namespace terrane::cli {

/// "1.5 GiB", "12 MiB", "3.2 KiB", "17 B"
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// "12,345,678"
[[nodiscard]] std::string grouped(std::uint64_t count);

/// "85 %"; "-" of nothing.
[[nodiscard]] std::string percent_text(std::uint64_t part, std::uint64_t whole);

/// The time that a share of all times does not exceed, in seconds, within its bucket in proportion;
/// nothing where there are no times, infinity past every bound.
[[nodiscard]] std::optional<double> quantile(const std::vector<std::uint64_t>& counts,
                                             const std::vector<double>& bounds_s, double share);

/// "1.2 ms", "350 us", "2.5 s", "> 10 s"; "-" for nothing.
[[nodiscard]] std::string time_text(std::optional<double> seconds);

/// The times of a kind since `before`, which may lack it. Empty where there are none of that kind.
[[nodiscard]] std::vector<std::uint64_t> counts_since(const ServerStats& before,
                                                      const ServerStats& now,
                                                      std::string_view kind);

/// All of it, for people.
[[nodiscard]] std::string stats_text(const ServerStats& stats);
/// The cache by world, as a table.
[[nodiscard]] std::string cache_text(const std::vector<CachedWorld>& worlds);

}  // namespace terrane::cli
