#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Flags, TERRANE_* variables and a file -> one value.
namespace terrane::config {

/// Everything an operator decides; each member is the flag of the same name. Checked.
struct Config {
  std::string listen = "127.0.0.1:4150";  // HOST:PORT; port 0 takes a free one
  std::string http = "127.0.0.1:4151";    // HOST:PORT of the HTTP port; empty: none (--http off)
  std::filesystem::path data = "data";    // directory of the cache
  bool cache = true;                      // --no-cache clears it
  bool require_cache = false;             // rather not serve than serve without it
  // threads that generate; 0 is filled in with the machine's
  std::size_t workers = 0;
  std::size_t lookup_threads = 1;                     // threads that read the cache
  std::uint64_t cache_size = std::uint64_t{4} << 30;  // bytes
  // bytes of memory that the whole server may use; what the system allows, unless given. 0: unknown
  std::uint64_t memory_limit = 0;
  // bytes of chunks kept in memory; 0: none. At most a quarter of memory_limit, unless given
  std::uint64_t memory_cache = std::uint64_t{128} << 20;
  std::size_t queue_limit = 16384;  // jobs that may wait for a worker
  // instruction set to force; empty: the fastest
  std::string simd;
  std::string log_level = "info";          // as spdlog names them
  std::string log_format = "text";         // or "json"
  std::chrono::seconds drain_timeout{25};  // after SIGTERM
  // before it, with health saying no; nothing: as long as usual where health is asked for
  std::optional<std::chrono::seconds> drain_delay;
  // that a viewer may owe its Hello or an acknowledgement, or leave what it is sent unread
  std::chrono::seconds slow_client{30};
  // connections that the gRPC port holds, and that one client may have; 0: as many as the system's
  // limits allow
  std::size_t max_connections = 0;
  std::size_t max_connections_per_client = 0;
  // that a connection may take to say that it speaks HTTP/2
  std::chrono::seconds handshake_timeout{20};
  // that a connection may go without a call; 0: for ever
  std::chrono::seconds idle_timeout{300};
  // after which a client is asked to connect anew, and its calls may go on for the grace; 0: never
  std::chrono::seconds connection_age{0};
  std::chrono::seconds connection_age_grace{60};
  // shares of the server beside others': "10.0.0.0/8=200,..."
  std::string weights;
  // ranges of addresses whose x-forwarded-for is believed
  std::string trusted_proxies;
  std::string http_cors;  // which web pages' scripts may read what is below /v1; empty: none
  // their connections begin with a PROXY header, which says for whom they are
  bool proxy_protocol = false;
  // certificates and their key, for both ports; empty: connections are in the clear
  std::filesystem::path tls_cert, tls_key;
  // who vouches for clients; empty: clients are asked for no certificates
  std::filesystem::path tls_client_ca;
  // public keys of whoever signs tokens (JWKS), and what tokens must say
  std::filesystem::path token_keys;
  std::string token_issuer, token_audience;
  std::chrono::seconds token_leeway{30};  // that clocks may differ by
  // tokens that are not signed and certificates, with what their holders may do
  std::filesystem::path access_file;
  // worlds with seeds that clients are not told; and whether there are no others
  std::filesystem::path realms;
  bool realms_only = false;
  // who shows neither may read all the same
  bool allow_anonymous = false;
  bool admin_from_loopback = false;
  // in the clear even for other machines
  bool insecure = false;
  // directory of world files; empty: only the built-in worlds
  std::filesystem::path world_dir;
  // built-in world to print instead of serving; empty: none
  std::string print_world;
  // world file to check instead of serving; empty: none
  std::filesystem::path check_world;
  // make a token for this name instead of serving; empty: none
  std::string new_token;
  // ask the server at `listen` for its health instead of serving
  bool check_health = false;
  // what is allowed and probably not meant, for the log: a line each
  std::vector<std::string> warnings;
};

/// What the system lets the process use: defaults follow it, and values are compared with it.
struct Host {
  std::uint64_t memory_bytes = 0;  // 0: unknown
  std::size_t processors = 1;
};

/// The program is to end at once: after --help, --version, or with a configuration that is wrong.
struct Exit {
  int code = 0;  // 0, or 2 for a wrong configuration
  // for stdout with code 0, else for stderr: the flag (or file and line), the value and what would
  // be right
  std::string text;
};

/// Reads the configuration: flags come before variables, variables before the file, the file before
/// defaults.
/// @param version  what --version prints
/// Reads the environment and the file; sets nothing anywhere.
[[nodiscard]] std::variant<Config, Exit> read_config(int argc, const char* const* argv,
                                                     const std::string& version, const Host& host);

}  // namespace terrane::config
