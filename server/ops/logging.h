#pragma once

#include <spdlog/common.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace terrane::ops {

enum class LogFormat : std::uint8_t { kText, kJson };

[[nodiscard]] LogFormat log_format_of(std::string_view name);  // "json", else text

/// A line that no logger writes, with its end of line: in the log's format, but without a time.
[[nodiscard]] std::string bare_line(LogFormat format, std::string_view level,
                                    std::string_view message);

/// Sets up the process's log: lines to stderr, of `level` and above, times in UTC. JSON lines have
/// the members time, level, thread and message. Call before other threads log.
void set_up_logging(LogFormat format, spdlog::level::level_enum level);

}  // namespace terrane::ops
