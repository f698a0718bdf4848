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

#include "config/parse_value.h"
#include "config/warnings.h"

extern char** environ;

namespace terrane::config {
namespace {

constexpr int kWrongConfiguration = 2;

// Of a small container's memory: the rest is for what generates, sends and writes (ADR 12).
constexpr std::uint64_t kMemoryCacheShare = 4;
constexpr std::size_t kMaxWorkers = 1024;
constexpr std::uint64_t kMaxConnections = std::uint64_t{1} << 20;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// TERRANE_CACHE_SIZE of --cache-size.
std::string variable_of(const CLI::Option& option) {
  std::string name = "TERRANE_";
  for (const char c : option.get_single_name())
    name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

/// A check for CLI11, which wants the reason or an empty string.
template <typename T>
auto must(Result<T> (*parse)(const std::string&)) {
  return [parse](const std::string& text) -> std::string {
    const auto value = parse(text);
    return value ? std::string() : value.error().message;
  };
}

auto count(std::uint64_t low, std::uint64_t high) {
  return [low, high](const std::string& text) -> std::string {
    const auto value = parse_count(text, low, high);
    return value ? std::string() : value.error().message;
  };
}

/// Values that CLI11 can't convert, as they are given.
struct Raw {
  std::string cache_size = "4GiB";
  std::string memory_limit;  // empty: the system's
  std::string memory_cache;  // empty: derived from the limit
  std::uint64_t drain_s = static_cast<std::uint64_t>(Config().drain_timeout.count());
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

void declare_ports_and_worlds(CLI::App& app, Config& config, Raw& raw) {
  app.add_option("--listen", config.listen, "Address of the gRPC port; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->check(must(parse_address));
  app.add_option("--http", config.http,
                 "Address of the HTTP port (worlds below /v1, /metrics, /healthz, /readyz); port 0 "
                 "takes a free one, off: none")
      ->type_name("HOST:PORT")
      ->check(must(parse_optional_address));
  app.add_option("--http-cors", config.http_cors,
                 "Web pages whose scripts may read what is below /v1 of the HTTP port, by origin: "
                 "https://maps.example, several with commas between them, or * for all. None")
      ->type_name("ORIGINS");
  app.add_option("--data", config.data, "Directory of the chunk cache, made when missing")
      ->type_name("DIR");
  app.add_flag("--no-cache", raw.no_cache, "Serve without a cache on disk");
  app.add_flag("--require-cache", config.require_cache,
               "Refuse to start where --data can't be used, instead of serving without a cache");
  app.add_option("--world-dir", config.world_dir,
                 "Directory whose *.json files are worlds as well; changed ones are read again, at "
                 "once after SIGHUP")
      ->type_name("DIR");
  app.add_option("--print-world", config.print_world,
                 "Print the file of a built-in world, to copy and change, and exit")
      ->type_name("NAME")
      ->configurable(false);
  app.add_option("--check-world", config.check_world,
                 "Check a world file and exit: 0 with its fingerprint, 2 with what is wrong")
      ->type_name("FILE")
      ->configurable(false);
  app.add_flag("--check-health", config.check_health,
               "Ask the server at --listen for its gRPC health and exit: 0 serving, 1 not")
      ->configurable(false);
}

void declare_bounds(CLI::App& app, Config& config, Raw& raw) {
  app.add_option(
         "--cache-size", raw.cache_size,
         "Size that the cache on disk never grows past: KiB, MiB, GiB or TiB; at least 16MiB")
      ->type_name("SIZE")
      ->check(must(parse_cache_size));
  app.add_option("--memory-limit", raw.memory_limit,
                 "Memory that the whole server may use: KiB, MiB, GiB or TiB; what the container "
                 "or the machine has")
      ->type_name("SIZE")
      ->check(must(parse_memory_limit));
  app.add_option("--memory-cache", raw.memory_cache,
                 "Memory for chunks asked for lately, in front of the cache on disk: KiB, MiB, GiB "
                 "or TiB; 0: none. 128MiB, or a quarter of --memory-limit if that is less")
      ->type_name("SIZE")
      ->check(must(parse_memory_size));
  app.add_option("--workers", config.workers,
                 "Threads that generate, 1 to 1024; as many as the container or the machine runs "
                 "at once")
      ->type_name("N")
      ->check(count(1, kMaxWorkers));
  app.add_option("--lookup-threads", config.lookup_threads, "Threads that read the cache, 1 to 64")
      ->type_name("N")
      ->check(count(1, 64));
  app.add_option("--queue-limit", config.queue_limit,
                 "Jobs that may wait for a worker, 64 to 1048576; past it requests are refused")
      ->type_name("N")
      ->check(count(64, 1048576));
}

void declare_the_rest(CLI::App& app, Config& config, Raw& raw) {
  app.add_option("--simd", config.simd,
                 "Instruction set to compute with; the fastest of this machine")
      ->type_name("NAME")
      ->check(CLI::IsMember({"scalar", "ssse3", "sse4", "avx2", "avx512", "neon"}));
  app.add_option("--log-level", config.log_level, "Least severe lines to log")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "critical", "off"}));
  app.add_option("--log-format", config.log_format, "Log lines as text or as JSON")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_option("--drain-timeout", raw.drain_s,
                 "Seconds that calls may take to end after SIGTERM, 0 to 3600")
      ->type_name("SECONDS")
      ->check(count(0, 3600));
  app.add_option("--weight", config.weights,
                 "Shares of the server beside that of others, which is 1: RANGE=WEIGHT[,...], for "
                 "example 10.0.0.0/8=200")
      ->type_name("LIST");
  app.add_option("--trusted-proxies", config.trusted_proxies,
                 "Proxies that are believed whom they call for (x-forwarded-for): RANGE[,...]")
      ->type_name("LIST");
  app.add_flag(
      "--proxy-protocol", config.proxy_protocol,
      "Connections of --trusted-proxies to the gRPC port begin with a PROXY protocol header "
      "of version 2, which says for whom they are");
  app.add_option(
         "--slow-client", raw.slow_client_s,
         "Seconds that an exploring client may take to say Hello, to acknowledge or to take "
         "what it is sent, before it is cut off, 1 to 3600")
      ->type_name("SECONDS")
      ->check(count(1, 3600));
}

void declare_protection(CLI::App& app, Config& config, Raw& raw) {
  app.add_option("--tls-cert", config.tls_cert,
                 "Encrypt both ports: the server's certificate (PEM), then those that vouch for "
                 "it. Read again when the file changes, or on SIGHUP")
      ->type_name("FILE");
  app.add_option("--tls-key", config.tls_key, "Its key (PEM, without a passphrase)")
      ->type_name("FILE");
  app.add_option("--tls-client-ca", config.tls_client_ca,
                 "Answer clients alone that have a certificate for which one of these vouches; "
                 "health is told to all")
      ->type_name("FILE");
  app.add_option("--token-keys", config.token_keys,
                 "Answer clients alone that show a token: the public keys of whoever signs them "
                 "(JWKS). Read again when the file changes, or on SIGHUP")
      ->type_name("FILE");
  app.add_option("--token-issuer", config.token_issuer, "Whom signed tokens must be of (\"iss\")")
      ->type_name("TEXT");
  app.add_option("--token-audience", config.token_audience,
                 "For whom signed tokens must be (\"aud\")")
      ->type_name("TEXT");
  app.add_option("--token-leeway", raw.leeway_s,
                 "Seconds that the issuer's clock and this one may differ by, 0 to 600")
      ->type_name("SECONDS")
      ->check(count(0, 600));
  app.add_option("--access-file", config.access_file,
                 "Answer clients alone that show a token: those of this file (JSON), which holds "
                 "their hashes; and what certificates permit. Read again like --token-keys")
      ->type_name("FILE");
  app.add_option("--realms", config.realms,
                 "Names for worlds with seeds that clients are not told (JSON). Read again like "
                 "--token-keys")
      ->type_name("FILE");
  app.add_flag("--realms-only", config.realms_only,
               "Refuse worlds and seeds that clients choose: offer realms alone");
  app.add_flag("--allow-anonymous", config.allow_anonymous,
               "Let clients read that show no token, though there are some");
  app.add_flag("--admin-from-loopback", config.admin_from_loopback,
               "Let whoever calls from this machine, and shows no token, administer the server: "
               "where no proxy calls from here for others. Else it takes a token or a certificate "
               "with the role \"admin\"");
  app.add_option("--new-token", config.new_token,
                 "Print a new token for a client, and its entry for --access-file, and exit")
      ->type_name("NAME")
      ->check([](const std::string& name) {
        return name.empty() ? std::string("--new-token: the name is empty") : std::string();
      })
      ->configurable(false);
  app.add_flag("--insecure", config.insecure,
               "Listen beyond this machine in the clear: where a proxy encrypts, or nobody else is "
               "near");
}

void declare_connections(CLI::App& app, Raw& raw) {
  app.add_option("--max-connections", raw.max_connections,
                 "Connections that the gRPC port holds, 1 to 1048576; what the descriptors allow, "
                 "in an eighth of the memory")
      ->type_name("N")
      ->check(count(1, kMaxConnections));
  app.add_option("--max-connections-per-client", raw.max_connections_per_client,
                 "Of those, how many one client (an address, of IPv6 a /64) may have, 1 to "
                 "1048576, and never more than are free; a quarter. Not for --trusted-proxies")
      ->type_name("N")
      ->check(count(1, kMaxConnections));
  app.add_option("--handshake-timeout", raw.handshake_s,
                 "Seconds that a gRPC connection may take to begin as HTTP/2 does, 1 to 3600")
      ->type_name("SECONDS")
      ->check(count(1, 3600));
  app.add_option("--idle-timeout", raw.idle_s,
                 "Seconds that a gRPC connection may go without a call before it is closed, 1 to "
                 "86400; 0: for ever")
      ->type_name("SECONDS")
      ->check(count(0, 86400));
  app.add_option("--connection-age", raw.age_s,
                 "Seconds after which a gRPC client is asked to connect anew, 1 to 86400; 0: never")
      ->type_name("SECONDS")
      ->check(count(0, 86400));
  app.add_option("--connection-age-grace", raw.grace_s,
                 "Seconds that its calls may then go on before they are cut off, 1 to 86400")
      ->type_name("SECONDS")
      ->check(count(1, 86400));
}

/// In the order in which --help lists them.
void declare(CLI::App& app, Config& config, Raw& raw) {
  declare_ports_and_worlds(app, config, raw);
  declare_bounds(app, config, raw);
  declare_connections(app, raw);
  declare_protection(app, config, raw);
  declare_the_rest(app, config, raw);
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

Exit end_with(CLI::App& app, const CLI::ParseError& error, const std::string& version) {
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return {0, app.help()};
  if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) return {0, version + "\n"};
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

void set_connections(Config& config, const Raw& raw) {
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
  Raw raw;

  CLI::App app(
      "Serves infinite procedural worlds over gRPC. A flag comes before its variable, that before "
      "the file.",
      "terraned");
  app.option_defaults()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->always_capture_default();
  app.allow_config_extras(CLI::config_extras_mode::error);
  declare(app, config, raw);
  app.set_config("--config", "",
                 "File with a line `flag = value` for each flag to set (TOML or INI)")
      ->type_name("FILE");
  app.set_version_flag("--version", version, "Print the version and exit");
  try {
    app.parse(with_variables(app, argc, argv));
  } catch (const CLI::ParseError& error) {
    return end_with(app, error, version);
  }
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
  config.slow_client = std::chrono::seconds(raw.slow_client_s);
  set_connections(config, raw);
  config.warnings = warnings_for(app, config, host);
  return config;
}

}  // namespace terrane::config
