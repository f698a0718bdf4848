#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// What is allowed, and probably not what the operator means: a line for the log each, with what to
/// do.
namespace terrane::config {

struct Config;

/// Variables named TERRANE_… that are no flag's: most likely misspelt. Those of the other programs
/// here, and those that Kubernetes makes for a service of that name, are left alone.
/// @param environment  "NAME=VALUE" each
/// @param known        names of the variables that are flags'
[[nodiscard]] std::vector<std::string> unknown_variables(
    const std::vector<std::string>& environment, const std::vector<std::string>& known);

/// The first line of a configuration file that is not `flag = value`, an empty one or a comment,
/// and what is wrong; nullopt: there is none. Blocks on the disk.
[[nodiscard]] std::optional<std::string> unclear_line(const std::filesystem::path& path);

/// Keys that a file sets more than once, of which the last counts. Blocks on the disk.
[[nodiscard]] std::vector<std::string> repeated_keys(const std::filesystem::path& file);

/// Memory that is not there.
/// @param machine_memory  bytes that the system lets the process use; 0: unknown
[[nodiscard]] std::vector<std::string> doubtful_values(const Config& config,
                                                       std::uint64_t machine_memory);

/// The anonymous memory in bytes that a server with so much memory cache stays below under load:
/// 1.3 × (the cache + 100 MiB), server/adr/0012-memory-follows-the-flags.md.
[[nodiscard]] std::uint64_t expected_memory(std::uint64_t memory_cache);

}  // namespace terrane::config
