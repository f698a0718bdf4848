#include "config/warnings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "config/config.h"

namespace terrane::config {
namespace {

std::string mib(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

/// Of the programs beside terraned: clients, scripts and tests.
bool is_of_another_program(std::string_view name) {
  constexpr std::array<std::string_view, 3> kPrefixes{"TERRANE_MAP_", "TERRANE_TEST_",
                                                      "TERRANE_TIME_SCALE"};
  return name == "TERRANE_SERVER" || name == "TERRANE_TOKEN" || name == "TERRANE_TLS" ||
         name == "TERRANE_TLS_CA" ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Kubernetes tells every container of a service `terrane` where it is, in variables such as
/// TERRANE_SERVICE_HOST, TERRANE_PORT=tcp://… and TERRANE_PORT_4150_TCP_ADDR.
bool is_of_kubernetes(std::string_view name, std::string_view value) {
  const std::size_t port = name.find("_PORT_");
  return name.find("_SERVICE_HOST") != name.npos || name.find("_SERVICE_PORT") != name.npos ||
         (name.ends_with("_PORT") && value.find("://") != value.npos) ||
         (port != name.npos && port + 6 < name.size() && std::isdigit(name[port + 6]) != 0);
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\"'";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

/// Whether a value is a single one, or several with commas between; a comment may follow.
bool is_one(std::string_view value) {
  constexpr std::string_view kBlanks = " \t";
  for (std::size_t at = value.find_first_of(kBlanks); at != value.npos;
       at = value.find_first_of(kBlanks, at)) {
    const char before = value[at - 1];
    at = value.find_first_not_of(kBlanks, at);
    if (value[at] == '#' || value[at] == ';') return true;
    if (before != ',') return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> unknown_variables(const std::vector<std::string>& environment,
                                           const std::vector<std::string>& known) {
  std::vector<std::string> warnings;
  for (const std::string& variable : environment) {
    const std::size_t equals = std::min(variable.find('='), variable.size());
    const std::string name = variable.substr(0, equals);
    const std::string value = variable.substr(std::min(equals + 1, variable.size()));
    if (!name.starts_with("TERRANE_") || is_of_another_program(name) ||
        is_of_kubernetes(name, value) ||
        std::find(known.begin(), known.end(), name) != known.end()) {
      continue;
    }
    warnings.push_back("the variable " + name +
                       " sets nothing: no flag has that name (terraned --help lists them)");
  }
  return warnings;
}

std::optional<std::string> unclear_line(const std::filesystem::path& path) {
  constexpr std::string_view kOfKeys = "abcdefghijklmnopqrstuvwxyz0123456789-_\"'";
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) return path.string() + " is a directory";
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string text = trimmed(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') continue;
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string key = trimmed(std::string_view(text).substr(0, equals));
    const bool is_flag = !key.empty() && key.find_first_not_of(kOfKeys) == key.npos;
    std::string_view value = std::string_view(text).substr(std::min(equals + 1, text.size()));
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    const bool is_quoted = line.find_first_of("\"'") != line.npos;
    if (is_flag && !value.starts_with('[') && (is_quoted || is_one(value))) continue;
    return path.string() + ":" + std::to_string(number) +
           ": this is not `flag = value`, which is all that lines may be, but for empty ones and "
           "comments (#); a value that has blanks or begins with [ stands in quotes";
  }
  return std::nullopt;
}

std::vector<std::string> repeated_keys(const std::filesystem::path& path) {
  std::vector<std::string> warnings;
  std::map<std::string, int> lines;  // by key, where it stood last
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string text = trimmed(line);
    const std::size_t equals = text.find('=');
    if (equals == text.npos || std::string_view("#;[").find(text.front()) != text.npos) continue;
    const std::string key = trimmed(std::string_view(text).substr(0, equals));
    const auto [entry, is_new] = lines.try_emplace(key, number);
    if (is_new) continue;
    warnings.push_back(path.string() + ":" + std::to_string(number) + " sets " + key +
                       " again, which line " + std::to_string(entry->second) +
                       " has set: only one of them counts; remove the other");
    entry->second = number;
  }
  return warnings;
}

std::uint64_t expected_memory(std::uint64_t memory_cache) {
  return (memory_cache + (std::uint64_t{100} << 20)) / 10 * 13;
}

std::vector<std::string> doubtful_values(const Config& config, std::uint64_t machine_memory) {
  std::vector<std::string> warnings;
  const std::uint64_t limit = config.memory_limit;
  if (machine_memory > 0 && limit > machine_memory) {
    warnings.push_back("--memory-limit " + mib(limit) + " is more than the " + mib(machine_memory) +
                       " that the system lets this process use");
  }
  const std::uint64_t needed = expected_memory(config.memory_cache);
  if (limit > 0 && needed > limit) {
    warnings.push_back("--memory-cache " + mib(config.memory_cache) + " needs up to " +
                       mib(needed) + " under load, and the memory limit is " + mib(limit) +
                       ": the system may kill this server; choose a smaller one, or a larger "
                       "limit");
  }
  const bool has_tokens = !config.token_keys.empty() || !config.access_file.empty();
  if (has_tokens && config.insecure && config.tls_cert.empty()) {
    warnings.emplace_back(
        "tokens come in the clear (--insecure, and no --tls-cert): whoever sees the network "
        "between here and the proxy that encrypts can use them");
  }
  return warnings;
}

}  // namespace terrane::config
