#include "config/config.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "config/flags.h"
#include "config/parse_value.h"
#include "config/warnings.h"

extern char** environ;

namespace terrane::config {
namespace {

constexpr int kWrongConfiguration = 2;

// Of a small container's memory: the rest is for what generates, sends and writes (ADR 12).
constexpr std::uint64_t kMemoryCacheShare = 4;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// TERRANE_CACHE_SIZE of --cache-size.
std::string variable_of(const CLI::Option& option) {
  std::string name = "TERRANE_";
  for (const char c : option.get_single_name())
    name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

/// The arguments with the variables in front, so that the last one wins: that is how flags come
/// before variables and both before the file. (CLI11 itself puts the file before variables.)
std::vector<std::string> with_variables(CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  for (CLI::Option* option : app.get_options()) {
    if (option->get_single_name() == "help" || option->get_single_name() == "version") continue;
    const std::string variable = variable_of(*option);
    option->description(option->get_description() + " [" + variable + "]");
    const char* const value = std::getenv(variable.c_str());
    if (value != nullptr && *value != '\0') arguments.push_back(option->get_name() + "=" + value);
  }
  arguments.insert(arguments.end(), argv + std::min(argc, 1), argv + argc);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes a vector
  return arguments;
}

/// " (FILE:LINE)" of the first line that sets a key which `message` names; empty when no file was
/// given or none is named.
std::string place_in_file(const CLI::App& app, const std::string& message) {
  const CLI::Option* const option = app.get_option_no_throw("--config");
  if (option->count() == 0) return "";
  const auto path = option->as<std::string>();
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string key = line.substr(0, line.find_first_of(" \t="));
    if (key.empty() || key.front() == '#' || key.front() == ';') continue;
    const std::size_t at = message.find(key);
    const auto stands_alone = [&](std::size_t end) {
      return end == message.size() || (!std::isalnum(message[end]) && message[end] != '-');
    };
    if (at != std::string::npos && stands_alone(at + key.size()))
      return " (" + path + ":" + std::to_string(number) + ")";
  }
  return "";
}

/// What is wrong with how the ports are protected; nothing when all is well.
std::optional<std::string> exposed_ports(const Config& config) {
  if (config.tls_cert.empty() != config.tls_key.empty())
    return "terraned: --tls-cert and --tls-key go together: one of them is missing\n";
  if (!config.tls_client_ca.empty() && config.tls_cert.empty())
    return "terraned: --tls-client-ca needs --tls-cert and --tls-key: only they encrypt\n";
  const bool only_asks = config.check_health || !config.print_world.empty() ||
                         !config.check_world.empty() || !config.new_token.empty();
  if (only_asks || config.insecure || !config.tls_cert.empty()) return std::nullopt;
  for (const auto& [flag, address] :
       {std::pair("--listen", config.listen), std::pair("--http", config.http)}) {
    if (is_local(address)) continue;
    return std::string("terraned: ") + flag + " " + address +
           " would be open to other machines in the clear, for anybody who reaches it. Encrypt "
           "with --tls-cert and --tls-key; or say --insecure where a proxy does that, or nobody "
           "else is near; or listen on 127.0.0.1\n";
  }
  return std::nullopt;
}

/// What is wrong with how clients say who they are; nothing when all is well.
std::optional<std::string> unclear_tokens(const Config& config) {
  const bool has_rules = !config.token_issuer.empty() || !config.token_audience.empty();
  if (config.token_keys.empty() && has_rules)
    return "terraned: --token-issuer and --token-audience need --token-keys\n";
  if (!config.token_keys.empty() &&
      (config.token_issuer.empty() || config.token_audience.empty())) {
    return "terraned: --token-keys needs --token-issuer and --token-audience: the same keys may "
           "sign tokens for others, which must not be good for this server\n";
  }
  if (config.admin_from_loopback && (!config.trusted_proxies.empty() || config.proxy_protocol)) {
    return "terraned: --admin-from-loopback is not for servers behind proxies (--trusted-proxies, "
           "--proxy-protocol), whose calls may look like this machine's: give an administrator a "
           "token (--new-token, --access-file)\n";
  }
  if (config.realms_only && config.realms.empty())
    return "terraned: --realms-only needs --realms: else there is nothing to offer\n";
  if (config.allow_anonymous && config.token_keys.empty() && config.access_file.empty())
    return "terraned: --allow-anonymous needs --token-keys or --access-file: without them "
           "nobody is asked who they are\n";
  return std::nullopt;
}

/// What a line of the file says that is no flag's.
std::optional<Exit> unclear_file(const CLI::App& app) {
  const CLI::Option* const file = app.get_option_no_throw("--config");
  const auto unclear =
      file->count() > 0 ? unclear_line(file->as<std::string>()) : std::optional<std::string>();
  if (!unclear) return std::nullopt;
  return Exit{kWrongConfiguration, "terraned: --config: " + *unclear + "\n"};
}

Exit end_with(CLI::App& app, const CLI::ParseError& error, const std::string& version) {
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return {0, app.help()};
  if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) return {0, version + "\n"};
  if (auto unclear = unclear_file(app)) return *std::move(unclear);
  std::string message = error.what();
  if (const std::string_view unknown = "INI was not able to parse "; message.starts_with(unknown)) {
    message = message.substr(unknown.size()) + ": there is no such flag";
  }
  return {kWrongConfiguration, "terraned: " + message + place_in_file(app, message) +
                                   "\nterraned --help tells what there is.\n"};
}

/// Bytes of chunks kept in memory where nobody says how many.
std::uint64_t default_memory_cache(std::uint64_t memory_limit) {
  const std::uint64_t usual = Config().memory_cache;
  if (memory_limit == 0) return usual;
  return std::clamp(memory_limit / kMemoryCacheShare / kMiB * kMiB, kMiB, usual);
}

void set_connections(Config& config, const RawValues& raw) {
  const auto number = [](const std::string& text) -> std::size_t {
    return text.empty() ? 0 : *parse_count(text, 1, kMaxConnections);
  };
  config.max_connections = number(raw.max_connections);
  config.max_connections_per_client = number(raw.max_connections_per_client);
  config.handshake_timeout = std::chrono::seconds(raw.handshake_s);
  config.idle_timeout = std::chrono::seconds(raw.idle_s);
  config.connection_age = std::chrono::seconds(raw.age_s);
  config.connection_age_grace = std::chrono::seconds(raw.grace_s);
}

std::vector<std::string> warnings_for(const CLI::App& app, const Config& config, const Host& host) {
  std::vector<std::string> known, environment;
  for (const CLI::Option* option : app.get_options()) known.push_back(variable_of(*option));
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    environment.emplace_back(*variable);
  std::vector<std::string> warnings = unknown_variables(environment, known);
  const auto add = [&](const std::vector<std::string>& more) {
    warnings.insert(warnings.end(), more.begin(), more.end());
  };
  const CLI::Option* const file = app.get_option_no_throw("--config");
  if (file->count() > 0) add(repeated_keys(file->as<std::string>()));
  add(doubtful_values(config, host.memory_bytes));
  return warnings;
}

}  // namespace

std::variant<Config, Exit> read_config(int argc, const char* const* argv,
                                       const std::string& version, const Host& host) {
  Config config;
  config.workers = std::clamp<std::size_t>(host.processors, 1, kMaxWorkers);
  RawValues raw;

  CLI::App app(
      "Serves infinite procedural worlds over gRPC. A flag comes before its variable, that before "
      "the file.",
      "terraned");
  app.option_defaults()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->always_capture_default();
  app.allow_config_extras(CLI::config_extras_mode::error);
  declare_flags(app, config, raw);
  app.set_config("--config", "",
                 "File with a line `flag = value` for each flag to set (TOML or INI)")
      ->type_name("FILE");
  app.set_version_flag("--version", version, "Print the version and exit");
  try {
    app.parse(with_variables(app, argc, argv));
  } catch (const CLI::ParseError& error) {
    return end_with(app, error, version);
  }
  if (auto unclear = unclear_file(app)) return *std::move(unclear);
  if (raw.no_cache && config.require_cache) {
    return Exit{kWrongConfiguration,
                "terraned: --require-cache and --no-cache exclude each other: leave one out\n"};
  }
  if (config.proxy_protocol && config.trusted_proxies.empty()) {
    return Exit{kWrongConfiguration,
                "terraned: --proxy-protocol needs --trusted-proxies: whose word is to be taken\n"};
  }
  if (auto exposed = exposed_ports(config)) return Exit{kWrongConfiguration, *std::move(exposed)};
  if (auto unclear = unclear_tokens(config)) return Exit{kWrongConfiguration, *std::move(unclear)};
  config.token_leeway = std::chrono::seconds(raw.leeway_s);
  config.cache = !raw.no_cache;
  config.http = *parse_optional_address(config.http);
  config.cache_size = *parse_cache_size(raw.cache_size);
  config.memory_limit =
      raw.memory_limit.empty() ? host.memory_bytes : *parse_memory_limit(raw.memory_limit);
  config.memory_cache = raw.memory_cache.empty() ? default_memory_cache(config.memory_limit)
                                                 : *parse_memory_size(raw.memory_cache);
  config.drain_timeout = std::chrono::seconds(raw.drain_s);
  if (!raw.drain_delay.empty())
    config.drain_delay = std::chrono::seconds(*parse_count(raw.drain_delay, 0, 600));
  config.slow_client = std::chrono::seconds(raw.slow_client_s);
  set_connections(config, raw);
  config.warnings = warnings_for(app, config, host);
  return config;
}

}  // namespace terrane::config
