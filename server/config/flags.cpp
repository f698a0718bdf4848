#include "config/flags.h"

#include "config/parse_value.h"

namespace terrane::config {
namespace {

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

void declare_ports_and_worlds(CLI::App& app, Config& config, RawValues& raw) {
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

void declare_bounds(CLI::App& app, Config& config, RawValues& raw) {
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

void declare_the_rest(CLI::App& app, Config& config, RawValues& raw) {
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
  app.add_option("--drain-delay", raw.drain_delay,
                 "Seconds before it in which the server serves on while health says no, so that "
                 "balancers notice, 0 to 600; 2 where health has been asked for within the last "
                 "ten seconds, else 0")
      ->type_name("SECONDS")
      ->check(count(0, 600));
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

void declare_protection(CLI::App& app, Config& config, RawValues& raw) {
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

void declare_connections(CLI::App& app, RawValues& raw) {
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

}  // namespace

/// In the order in which --help lists them.
void declare_flags(CLI::App& app, Config& config, RawValues& raw) {
  declare_ports_and_worlds(app, config, raw);
  declare_bounds(app, config, raw);
  declare_connections(app, raw);
  declare_protection(app, config, raw);
  declare_the_rest(app, config, raw);
}

}  // namespace terrane::config
