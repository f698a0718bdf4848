#pragma once

#include <spdlog/common.h>

#include <cstdint>

namespace terrane::ops {

enum class LogFormat : std::uint8_t { kText, kJson };

/// Sets up the process's log: lines to stderr, of `level` and above, times in UTC. JSON lines have
/// the members time, level, thread and message. Call before other threads log.
void set_up_logging(LogFormat format, spdlog::level::level_enum level);

}  // namespace terrane::ops
