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

/// What a line sets as CLI11 2.1 reads it, who takes all from the first # on for a comment.
struct FlagLine {
  std::string key;         // without quotes
  std::string_view value;  // with them; empty where there is none
  bool is_cut = false;     // at a # between quotes
};

FlagLine flag_line(std::string_view line) {
  const std::size_t end = std::min(line.find('#'), line.size());
  const std::size_t equals = std::min(line.find('='), end);
  FlagLine read{trimmed(line.substr(0, equals)), line.substr(0, end)};
  read.value.remove_prefix(std::min(equals + 1, read.value.size()));
  constexpr std::string_view kBlanks = " \t\r";
  read.value.remove_prefix(std::min(read.value.find_first_not_of(kBlanks), read.value.size()));
  read.value.remove_suffix(read.value.size() - (read.value.find_last_not_of(kBlanks) + 1));
  for (const char quote : {'"', '\''}) {
    const bool is_open = std::count(read.value.begin(), read.value.end(), quote) % 2 != 0;
    read.is_cut = read.is_cut || (end < line.size() && is_open);
  }
  return read;
}

/// Whether a value is one, and not a list, of which CLI11 would take the last.
bool is_one(std::string_view value) {
  if (value.empty()) return true;
  const char quote = value.front();
  if (quote == '"' || quote == '\'') return value.find(quote, 1) == value.size() - 1;
  return quote != '[' && value.find_first_of(" \t,\"'") == value.npos;
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
  constexpr std::string_view kOfKeys = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) return path.string() + " is a directory";
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string text = trimmed(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') continue;
    const FlagLine read = flag_line(line);
    const bool is_flag = !read.key.empty() && read.key.find_first_not_of(kOfKeys) == read.key.npos;
    if (is_flag && !read.is_cut && is_one(read.value)) continue;
    return path.string() + ":" + std::to_string(number) +
           ": this is not `flag = value`, which is all that lines may be, but for empty ones and "
           "comments (#); a value with blanks or commas, or that begins with [, stands in quotes, "
           "and none has a #";
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
