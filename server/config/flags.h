#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "config/config.h"

namespace terrane::config {

inline constexpr std::size_t kMaxWorkers = 1024;
inline constexpr std::uint64_t kMaxConnections = std::uint64_t{1} << 20;

/// Values that CLI11 can't convert, as they are given.
struct RawValues {
  std::string cache_size = "4GiB";
  std::string memory_limit;  // empty: the system's
  std::string memory_cache;  // empty: derived from the limit
  std::uint64_t drain_s = static_cast<std::uint64_t>(Config().drain_timeout.count());
  std::string drain_delay;  // empty: the usual
  std::uint64_t slow_client_s = static_cast<std::uint64_t>(Config().slow_client.count());
  std::uint64_t handshake_s = static_cast<std::uint64_t>(Config().handshake_timeout.count());
  std::uint64_t idle_s = static_cast<std::uint64_t>(Config().idle_timeout.count());
  std::uint64_t age_s = static_cast<std::uint64_t>(Config().connection_age.count());
  std::uint64_t grace_s = static_cast<std::uint64_t>(Config().connection_age_grace.count());
  std::uint64_t leeway_s = static_cast<std::uint64_t>(Config().token_leeway.count());
  std::string max_connections;             // empty: derived from the system's limits
  std::string max_connections_per_client;  // the same
  bool no_cache = false;
};

/// Declares every flag, with what it checks.
/// @param config, raw  where values go; outlive the app
void declare_flags(CLI::App& app, Config& config, RawValues& raw);

}  // namespace terrane::config
