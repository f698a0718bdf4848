#include "config/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace terrane::config {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr Host kHost{.memory_bytes = 16384 * kMiB, .processors = 4};

std::variant<Config, Exit> read(std::vector<const char*> flags, const Host& host = kHost) {
  flags.insert(flags.begin(), "terraned");
  return read_config(static_cast<int>(flags.size()), flags.data(), "terraned 1.2.3", host);
}

Config accepted(std::vector<const char*> flags, const Host& host = kHost) {
  auto outcome = read(std::move(flags), host);
  if (const auto* exit = std::get_if<Exit>(&outcome)) ADD_FAILURE() << exit->text;
  return std::get<Config>(outcome);
}

/// The text of a refusal; it must have the exit code of a wrong configuration.
std::string refused(std::vector<const char*> flags) {
  const auto outcome = read(std::move(flags));
  const auto* exit = std::get_if<Exit>(&outcome);
  if (exit == nullptr) return "(accepted)";
  EXPECT_EQ(exit->code, 2);
  return exit->text;
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

class Variable {  // set while this lives
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

class File {  // there while this lives
 public:
  explicit File(const std::string& text)
      : path_(fs::path(testing::TempDir()) / (test_name() + ".conf")) {
    std::ofstream(path_) << text;
  }
  ~File() { fs::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const char* path() const { return path_.c_str(); }

 private:
  static std::string test_name() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  const fs::path path_;
};

TEST(config, defaults_serve_this_machine_alone) {
  const Config config = accepted({});
  EXPECT_EQ(config.listen, "127.0.0.1:4150");
  EXPECT_EQ(config.http, "127.0.0.1:4151");
  EXPECT_EQ(config.data, "data");
  EXPECT_TRUE(config.cache);
  EXPECT_EQ(config.cache_size, std::uint64_t{4} << 30);
  EXPECT_EQ(config.memory_cache, std::uint64_t{128} << 20);
  EXPECT_EQ(config.memory_limit, 16384 * kMiB);
  EXPECT_EQ(config.workers, 4u);
  EXPECT_FALSE(config.require_cache);
  EXPECT_EQ(config.max_connections, 0u) << "what the system's limits allow";
  EXPECT_EQ(config.idle_timeout, std::chrono::seconds(300));
  EXPECT_EQ(config.connection_age, std::chrono::seconds(0));
  EXPECT_EQ(config.warnings, std::vector<std::string>());
}

TEST(config, flags_set_every_member) {
  const Config config = accepted(
      {"--listen", "[::1]:0",          "--data", "/tmp/somewhere", "--no-cache", "--workers",
       "3",        "--lookup-threads", "2",      "--cache-size",   "64MiB",      "--queue-limit",
       "128",      "--simd",           "scalar", "--log-level",    "debug",      "--log-format",
       "json",     "--drain-timeout",  "5",      "--slow-client",  "7"});
  EXPECT_EQ(config.listen, "[::1]:0");
  EXPECT_EQ(config.data, "/tmp/somewhere");
  EXPECT_FALSE(config.cache);
  EXPECT_EQ(config.workers, 3u);
  EXPECT_EQ(config.lookup_threads, 2u);
  EXPECT_EQ(config.cache_size, std::uint64_t{64} << 20);
  EXPECT_EQ(config.queue_limit, 128u);
  EXPECT_EQ(config.simd, "scalar");
  EXPECT_EQ(config.log_level, "debug");
  EXPECT_EQ(config.log_format, "json");
  EXPECT_EQ(config.drain_timeout, std::chrono::seconds(5));
  EXPECT_EQ(config.slow_client, std::chrono::seconds(7));
}

TEST(config, how_many_connections_and_for_how_long_is_the_operators_to_say) {
  const Config config = accepted({"--max-connections", "900", "--max-connections-per-client", "90",
                                  "--handshake-timeout", "3", "--idle-timeout", "0",
                                  "--connection-age", "3600", "--connection-age-grace", "30"});
  EXPECT_EQ(config.max_connections, 900u);
  EXPECT_EQ(config.max_connections_per_client, 90u);
  EXPECT_EQ(config.handshake_timeout, std::chrono::seconds(3));
  EXPECT_EQ(config.idle_timeout, std::chrono::seconds(0));
  EXPECT_EQ(config.connection_age, std::chrono::seconds(3600));
  EXPECT_EQ(config.connection_age_grace, std::chrono::seconds(30));
  expect_words(refused({"--max-connections", "0"}), {"--max-connections", "'0'", "1 to 1048576"});
  expect_words(refused({"--idle-timeout", "-1"}), {"--idle-timeout", "0 to 86400"});
}

TEST(config, a_flag_comes_before_its_variable_and_that_before_the_file) {
  const File file("workers = 1\ncache-size = \"32MiB\"\nlookup-threads = 5\nno-cache = true\n");
  const Variable workers("TERRANE_WORKERS", "2");
  const Variable cache_size("TERRANE_CACHE_SIZE", "64MiB");
  const Config config = accepted({"--config", file.path(), "--workers", "3"});
  EXPECT_EQ(config.workers, 3u);
  EXPECT_EQ(config.cache_size, std::uint64_t{64} << 20);
  EXPECT_EQ(config.lookup_threads, 5u);
  EXPECT_FALSE(config.cache);
}

TEST(config, variables_name_the_file_and_switch_the_cache_off) {
  const File file("queue-limit = 77\n");
  const Variable config_file("TERRANE_CONFIG", file.path());
  const Variable no_cache("TERRANE_NO_CACHE", "true");
  const Config config = accepted({});
  EXPECT_EQ(config.queue_limit, 77u);
  EXPECT_FALSE(config.cache);
}

TEST(config, an_empty_variable_is_none) {
  const Variable workers("TERRANE_SIMD", "");
  EXPECT_EQ(accepted({}).simd, "");
}

TEST(config, wrong_values_are_refused_with_the_flag_the_value_and_what_is_right) {
  expect_words(refused({"--workers", "0"}), {"--workers", "'0'", "1 to 1024"});
  expect_words(refused({"--workers", "two"}), {"--workers", "'two'"});
  expect_words(refused({"--workers", "-1"}), {"--workers", "'-1'"});
  expect_words(refused({"--queue-limit", "99999999999999999999"}),
               {"--queue-limit", "64 to 1048576"});
  expect_words(refused({"--simd", "mmx"}), {"--simd", "mmx", "avx2"});
  expect_words(refused({"--log-format", "xml"}), {"--log-format", "xml", "json"});
  expect_words(refused({"--udp", "127.0.0.1:4151"}), {"--udp"});
  expect_words(refused({"--http", "on"}), {"--http", "'on'", "HOST:PORT", "off"});
  for (const char* address :
       {"4150", "localhost", ":4150", "127.0.0.1:65536", "127.0.0.1:", "::1:4150", "127.0.0.1:x"}) {
    expect_words(refused({"--listen", address}), {"--listen", address, "HOST:PORT"});
  }
  for (const char* size :
       {"4", "4GB", "GiB", "1MiB", "17TiB", "99999999999TiB", "-4GiB", "4GiBs"}) {
    expect_words(refused({"--cache-size", size}), {"--cache-size", size, "16MiB to 16TiB"});
  }
  for (const char* size : {"1", "1023KiB", "00MiB", "17TiB", "off"}) {
    expect_words(refused({"--memory-cache", size}),
                 {"--memory-cache", size, "0, nor", "1MiB to 16TiB"});
  }
}

TEST(config, the_memory_for_chunks_can_be_set_and_be_none) {
  EXPECT_EQ(accepted({"--memory-cache", "2GiB"}).memory_cache, std::uint64_t{2} << 30);
  EXPECT_EQ(accepted({"--memory-cache", "0"}).memory_cache, 0u);
}

TEST(config, the_memory_for_chunks_is_a_quarter_of_a_small_limit) {
  const auto memory_cache = [](std::vector<const char*> flags, std::uint64_t host_mib) {
    return accepted(std::move(flags), {.memory_bytes = host_mib * kMiB}).memory_cache / kMiB;
  };
  EXPECT_EQ(memory_cache({}, 0), 128u) << "nothing is known of the machine";
  EXPECT_EQ(memory_cache({}, 512), 128u);
  EXPECT_EQ(memory_cache({}, 511), 127u);
  EXPECT_EQ(memory_cache({}, 256), 64u);
  EXPECT_EQ(memory_cache({}, 3), 1u);
  EXPECT_EQ(memory_cache({"--memory-limit", "256MiB"}, 8192), 64u);
  EXPECT_EQ(memory_cache({"--memory-limit", "256MiB", "--memory-cache", "100MiB"}, 8192), 100u);
  EXPECT_EQ(memory_cache({"--memory-cache", "0"}, 256), 0u);
}

TEST(config, the_limit_of_memory_is_the_systems_unless_given) {
  EXPECT_EQ(accepted({}, {.memory_bytes = 300 * kMiB}).memory_limit, 300 * kMiB);
  EXPECT_EQ(accepted({"--memory-limit", "1GiB"}).memory_limit, 1024 * kMiB);
  expect_words(refused({"--memory-limit", "63MiB"}), {"--memory-limit", "63MiB", "64MiB to 16TiB"});
  expect_words(refused({"--memory-limit", "0"}), {"--memory-limit", "'0'"});
}

TEST(config, a_cache_can_be_required_but_not_together_with_none) {
  EXPECT_TRUE(accepted({"--require-cache"}).require_cache);
  expect_words(refused({"--require-cache", "--no-cache"}), {"--require-cache", "--no-cache"});
}

TEST(config, whose_proxy_headers_are_believed_has_to_be_said) {
  expect_words(refused({"--proxy-protocol"}), {"--proxy-protocol", "--trusted-proxies"});
  EXPECT_TRUE(accepted({"--proxy-protocol", "--trusted-proxies", "10.0.0.1"}).proxy_protocol);
  EXPECT_FALSE(accepted({"--trusted-proxies", "10.0.0.1"}).proxy_protocol);
}

/// The only warning that there is.
std::string warning(const Config& config) {
  EXPECT_EQ(config.warnings.size(), 1u);
  return config.warnings.empty() ? "" : config.warnings.front();
}

TEST(config, memory_that_is_not_there_is_warned_of) {
  const Host small{.memory_bytes = 512 * kMiB};
  EXPECT_EQ(accepted({}, small).warnings, std::vector<std::string>());
  expect_words(warning(accepted({"--memory-cache", "300MiB"}, small)),
               {"--memory-cache 300 MiB", "520 MiB", "limit is 512 MiB"});
  expect_words(warning(accepted({"--memory-limit", "1GiB"}, small)),
               {"--memory-limit 1024 MiB", "512 MiB"});
  expect_words(warning(accepted({}, {.memory_bytes = 128 * kMiB})), {"32 MiB", "128 MiB"});
  EXPECT_EQ(accepted({"--memory-cache", "1TiB"}, {}).warnings, std::vector<std::string>())
      << "nothing is known of the machine";
}

TEST(config, ports_that_others_can_reach_are_encrypted_or_said_not_to_be) {
  for (const char* address : {"0.0.0.0:4150", "[::]:4150", "10.0.0.7:0", "game.example:4150"}) {
    for (const char* flag : {"--listen", "--http"}) {
      expect_words(refused({flag, address}), {flag, address, "--tls-cert", "--insecure"});
      EXPECT_TRUE(accepted({flag, address, "--insecure"}).insecure);
      EXPECT_EQ(accepted({flag, address, "--tls-cert", "c", "--tls-key", "k"}).tls_cert, "c");
      EXPECT_TRUE(accepted({flag, address, "--check-health"}).check_health) << "listens nowhere";
    }
  }
  for (const char* address : {"127.0.0.1:1", "127.8.0.1:1", "[::1]:1", "localhost:1"}) {
    EXPECT_EQ(accepted({"--listen", address, "--http", address}).warnings,
              std::vector<std::string>());
  }
}

TEST(config, certificates_and_their_key_go_together) {
  for (const char* flag : {"--tls-cert", "--tls-key", "--tls-client-ca"})
    expect_words(refused({flag, "file"}), {"--tls-cert", "--tls-key"});
}

TEST(config, tokens_in_the_clear_are_warned_of_where_others_may_see_them) {
  const auto is_warned = [](const std::vector<const char*>& flags) {
    const auto warnings = accepted(flags).warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
      return warning.find("in the clear") != std::string::npos;
    });
  };
  EXPECT_TRUE(is_warned({"--access-file", "f", "--insecure", "--listen", "0.0.0.0:1"}));
  EXPECT_FALSE(is_warned({"--access-file", "f"}));
  EXPECT_FALSE(is_warned({"--access-file", "f", "--tls-cert", "c", "--tls-key", "k"}));
  EXPECT_EQ(accepted({"--token-leeway", "5"}).token_leeway, std::chrono::seconds(5));
  expect_words(refused({"--token-leeway", "601"}), {"--token-leeway", "600"});
  expect_words(refused({"--new-token", ""}), {"--new-token", "empty"});
}

TEST(config, variables_that_set_nothing_are_warned_of) {
  const Variable misspelt("TERRANE_CACHESIZE", "64MiB");
  const Variable known("TERRANE_CACHE_SIZE", "64MiB");
  const Variable of_the_client("TERRANE_SERVER", "127.0.0.1:4150");
  const Variable of_a_script("TERRANE_MAP_SEED", "7");
  const Variable host("TERRANE_SERVICE_HOST", "10.0.0.1");  // as Kubernetes makes them
  const Variable port("TERRANE_PORT", "tcp://10.0.0.1:4150");
  const Variable part("TERRANE_PORT_4150_TCP_ADDR", "10.0.0.1");
  expect_words(warning(accepted({})), {"TERRANE_CACHESIZE", "no flag"});
}

TEST(config, a_key_that_a_file_sets_twice_is_warned_of_with_both_lines) {
  const File file("workers = 1\n# workers = 2\nqueue-limit = 77\nworkers=3\n");
  expect_words(warning(accepted({"--config", file.path()})), {file.path(), ":4", "workers", "1"});
}

TEST(config, the_http_port_can_be_moved_and_switched_off) {
  EXPECT_EQ(accepted({"--http", "[::1]:0"}).http, "[::1]:0");
  EXPECT_EQ(accepted({"--http", "off"}).http, "");
  EXPECT_EQ(accepted({"--http", ""}).http, "");
  const Variable off("TERRANE_HTTP", "off");
  EXPECT_EQ(accepted({}).http, "");
}

TEST(config, the_directory_of_worlds_comes_from_flag_variable_or_file) {
  EXPECT_EQ(accepted({}).world_dir, "");
  EXPECT_EQ(accepted({"--world-dir", "/worlds"}).world_dir, "/worlds");
  const File file("world-dir = \"/from/file\"\n");
  EXPECT_EQ(accepted({"--config", file.path()}).world_dir, "/from/file");
  const Variable variable("TERRANE_WORLD_DIR", "/from/variable");
  EXPECT_EQ(accepted({"--config", file.path()}).world_dir, "/from/variable");
}

TEST(config, worlds_are_printed_and_checked_on_the_command_line_only) {
  EXPECT_EQ(accepted({"--print-world", "perlin"}).print_world, "perlin");
  EXPECT_EQ(accepted({"--check-world", "mine.json"}).check_world, "mine.json");
  const File file("print-world = \"perlin\"\n");
  expect_words(refused({"--config", file.path()}), {"print-world", ":1"});
}

TEST(config, a_wrong_variable_is_refused) {
  const Variable workers("TERRANE_WORKERS", "many");
  expect_words(refused({}), {"--workers", "'many'"});
}

TEST(config, a_wrong_file_is_refused_with_the_line) {
  const File value("# comment\nlookup-threads = 2\n\nworkers = 0\n");
  expect_words(refused({"--config", value.path()}), {"--workers", "'0'", value.path(), ":4"});
}

TEST(config, an_unknown_key_in_a_file_is_refused_with_the_line) {
  const File file("workers = 1\nworker = 4\n");
  expect_words(refused({"--config", file.path()}), {"worker: there is no such flag", ":2"});
}

TEST(config, a_line_that_is_not_one_flag_and_one_value_is_refused_by_its_number) {
  for (const char* line :
       {"workers = [7,8]", "weight = [\"a\"]", "workers = 1 3", "[server]", "[a", "workers = 1\t2",
        "\xff\xfe = 1", "= 3", "two words", "workers = 1,2",
        "weight = 10.0.0.0/8=200, 10.1.0.0/16=5", "data = /srv/cache ; ours",
        "data = /srv/my data # don't move", "workers = \"1\" \"3\"", "world-dir = \"/srv/a#b\""}) {
    const File file("# comment\n\n" + std::string(line) + "\nlookup-threads = 2\n");
    const std::string text = refused({"--config", file.path()});
    expect_words(text, {file.path(), ":3: this is not `flag = value`"});
    EXPECT_TRUE(
        std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  }
  const File fine(
      "workers = 3# as many as there are\nweight = \"10.0.0.0/8=200, 10.1.0.0/16=5\"\n"
      "; comment\r\nworld-dir = \"/with a blank\"\r\nno-cache  # none here\nlisten = \"[::1]:0\"\n"
      "realms = # none yet\nhttp-cors = 'https://a.example'\n");
  const Config config = accepted({"--config", fine.path()});
  EXPECT_EQ(config.workers, 3u);
  EXPECT_EQ(config.weights, "10.0.0.0/8=200, 10.1.0.0/16=5");
  EXPECT_EQ(config.world_dir, "/with a blank");
  EXPECT_EQ(config.listen, "[::1]:0");
  EXPECT_EQ(config.http_cors, "https://a.example");
  EXPECT_FALSE(config.cache);
}

TEST(config, a_directory_is_no_file) {
  expect_words(refused({"--config", "/tmp"}), {"/tmp is a directory"});
}

TEST(config, a_missing_file_is_refused) {
  expect_words(refused({"--config", "/nowhere/terraned.conf"}), {"/nowhere/terraned.conf"});
}

TEST(config, help_tells_units_defaults_and_variables) {
  const auto outcome = read({"--help"});
  const auto& exit = std::get<Exit>(outcome);
  EXPECT_EQ(exit.code, 0);
  expect_words(exit.text, {"--cache-size", "SIZE", "4GiB", "TERRANE_CACHE_SIZE", "--drain-timeout",
                           "SECONDS", "127.0.0.1:4150"});
}

TEST(config, version_is_printed_as_given) {
  const auto outcome = read({"--version"});
  EXPECT_EQ(std::get<Exit>(outcome).code, 0);
  EXPECT_EQ(std::get<Exit>(outcome).text, "terraned 1.2.3\n");
}

}  // namespace
}  // namespace terrane::config
