// Encrypted, and by certificates: both ports, the SDK, and what comes of wrong ones.
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "e2e/client.h"
#include "e2e/server_process.h"
#include "support/certificates.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"
#include "terrane/client.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using test::Authority, test::Identity;
namespace asio = boost::asio;

/// Files that a server or a client is told of.
class Files {
 public:
  std::string add(const std::string& name, const std::string& text) const {
    const auto path = directory_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  [[nodiscard]] std::filesystem::path path() const { return directory_.path(); }

 private:
  TempDirectory directory_;
};

/// The certificates of a small company, and a server that has them.
struct Company {
  explicit Company(bool asks_clients = false, const std::vector<std::string>& more = {})
      : server(flags(asks_clients, more)) {
    EXPECT_NE(server.ready_line(), "") << server.log();
  }

  std::vector<std::string> flags(bool asks_clients, const std::vector<std::string>& more) const {
    const Identity own = authority.issue("the server");
    std::vector<std::string> flags{"--no-cache", "--tls-cert", files.add("chain", own.certificate),
                                   "--tls-key", files.add("key", own.key)};
    if (asks_clients)
      flags.insert(flags.end(), {"--tls-client-ca", files.add("clients", authority.certificate())});
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
  }

  /// A client that trusts the authority, and is vouched for by `issuer`, or says nothing of itself.
  terrane::Client client(const Authority* issuer = nullptr) const {
    TlsOptions tls{.ca_file = files.add("ca", authority.certificate())};
    if (issuer != nullptr) {
      const Identity own = issuer->issue("a client");
      tls.certificate_file = files.add("own", own.certificate);
      tls.key_file = files.add("own.key", own.key);
    }
    return connected(tls);
  }

  terrane::Client connected(std::optional<TlsOptions> tls) const {
    return terrane::Client::connect({.address = server.address(),
                                     .tls = std::move(tls),
                                     .deadline = 10s,
                                     .max_attempts = 2})
        .value();
  }

  Authority authority{"the authority"};
  Files files;
  ServerProcess server;
};

const WorldRef kPlace{.name = kWorld, .seed = kSeed};

void expect_refused(const Result<Chunk>& chunk, ErrorCode code, const std::string& word) {
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error().code, code) << chunk.error().message;
  EXPECT_NE(chunk.error().message.find(word), std::string::npos) << chunk.error().message;
}

TEST(tls, a_client_that_trusts_the_server_gets_the_land_and_can_explore_it) {
  const Company company;
  const auto client = company.client();
  const auto chunk = client.chunk(kPlace, {3, -4});
  ASSERT_TRUE(chunk) << chunk.error().message;
  auto stream = client.chunks({.world = kPlace, .area = ChunkRectangle{{0, 0}, {7, 7}}});
  std::size_t streamed = 0;
  for (auto next = stream.next(); next && *next; next = stream.next()) ++streamed;
  EXPECT_EQ(streamed, 64u);
  auto explorer = client.explore({.world = kPlace, .view_distances = {4}}).value();
  ASSERT_TRUE(explorer.move({}));
  std::size_t arrived = 0;
  while (arrived < 20 && explorer.wait(20s)) arrived += explorer.poll().arrived.size();
  EXPECT_GE(arrived, 20u);
}

TEST(tls, nobody_talks_to_a_server_that_is_not_who_it_should_be_nor_in_the_clear) {
  const Company company;
  const Authority other("another authority");
  const auto ca = company.files.add("ca", company.authority.certificate());
  const auto wrong_ca = company.files.add("other", other.certificate());
  expect_refused(company.connected(TlsOptions{.ca_file = wrong_ca}).chunk(kPlace, {0, 0}),
                 ErrorCode::kUnavailable, "certificate verify failed");
  expect_refused(company.connected(TlsOptions{}).chunk(kPlace, {0, 0}), ErrorCode::kUnavailable,
                 "certificate verify failed");
  expect_refused(company.connected(TlsOptions{.ca_file = ca, .server_name = "game.example"})
                     .chunk(kPlace, {0, 0}),
                 ErrorCode::kUnavailable, "game.example");
  EXPECT_TRUE(company.connected(TlsOptions{.ca_file = ca, .server_name = "localhost"})
                  .chunk(kPlace, {0, 0}));
  expect_refused(company.connected(std::nullopt).chunk(kPlace, {0, 0}), ErrorCode::kUnavailable,
                 "");
}

TEST(tls, options_that_can_not_work_are_refused_before_anything_is_connected) {
  const Files files;
  const Authority authority("the authority");
  const Identity own = authority.issue("a client");
  const Identity other = authority.issue("another");
  const auto certificate = files.add("own", own.certificate);
  const auto refused = [](const TlsOptions& tls, const std::string& address,
                          const std::string& word) {
    const auto client = terrane::Client::connect({.address = address, .tls = tls});
    ASSERT_FALSE(client) << word;
    EXPECT_EQ(client.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(client.error().message.find(word), std::string::npos) << client.error().message;
  };
  const std::string one = "127.0.0.1:4150", two = "127.0.0.1:4150,127.0.0.2:4150";
  refused({.ca_file = files.path() / "none"}, one, "tls.ca_file");
  refused({.ca_file = files.add("text", "no certificate")}, one, "CERTIFICATE");
  refused({.certificate_file = certificate}, one, "tls.key_file");
  refused({.certificate_file = certificate, .key_file = files.add("key", other.key)}, one,
          "is not the key");
  refused({.certificate_file = certificate, .key_file = files.add("shut", test::locked(own.key))},
          one, "passphrase");
  refused({}, two, "tls.server_name");
  EXPECT_TRUE(terrane::Client::connect({.address = two, .tls = TlsOptions{.server_name = "x"}}));
}

TEST(tls, a_server_that_asks_for_certificates_tells_who_has_none_what_is_missing) {
  const Company company(true);
  const Authority other("another authority");
  EXPECT_TRUE(company.client(&company.authority).chunk(kPlace, {0, 0}));
  const auto nobody = company.client();
  const auto refused = nobody.chunk(kPlace, {0, 0});
  expect_refused(refused, ErrorCode::kUnauthenticated, "certificate");
  EXPECT_EQ(refused.error().reason, ErrorReason::kCertificateMissing);
  auto stream = nobody.chunks({.world = kPlace, .area = ChunkRectangle{{0, 0}, {1, 1}}});
  EXPECT_EQ(stream.next().error().code, ErrorCode::kUnauthenticated);
  auto explorer = nobody.explore({.world = kPlace, .view_distances = {4}}).value();
  ASSERT_TRUE(explorer.move({}));
  std::optional<Error> end;
  while (!end && explorer.wait(20s)) end = explorer.poll().error;
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, ErrorCode::kUnauthenticated) << end->message;
  expect_refused(company.client(&other).chunk(kPlace, {0, 0}), ErrorCode::kUnavailable, "");
}

/// What an HTTP client is told, one that trusts `ca` and has perhaps an identity.
/// @param record  bytes of the request that are sent at a time
std::string https_get(const std::string& address, const std::string& path, const Authority& ca,
                      const std::optional<Identity>& own = std::nullopt,
                      std::size_t record = std::string::npos) {
  asio::io_context io;
  asio::ssl::context context(asio::ssl::context::tls_client);
  context.add_certificate_authority(asio::buffer(ca.certificate()));
  context.set_verify_mode(asio::ssl::verify_peer);
  if (own) {
    context.use_certificate_chain(asio::buffer(own->certificate));
    context.use_private_key(asio::buffer(own->key), asio::ssl::context::pem);
  }
  asio::ssl::stream<asio::ip::tcp::socket> stream(io, context);
  const auto colon = address.rfind(':');
  asio::connect(stream.next_layer(), asio::ip::tcp::resolver(io).resolve(
                                         address.substr(0, colon), address.substr(colon + 1)));
  stream.handshake(asio::ssl::stream_base::client);
  const std::string request =
      "GET " + path + " HTTP/1.1\r\nHost: terrane\r\nConnection: close\r\n\r\n";
  for (std::size_t at = 0; at < request.size(); at += std::min(record, request.size()))
    asio::write(stream, asio::buffer(request.substr(at, record)));
  std::string answer;
  boost::system::error_code end;
  asio::read(stream, asio::dynamic_buffer(answer), end);
  if (end != asio::error::eof) return "ended without a goodbye: " + end.message();
  return answer;
}

TEST(tls, the_http_port_is_encrypted_too_and_shows_strangers_its_health_alone) {
  const Company company(true);
  const std::string address = company.server.http_address();
  const Identity own = company.authority.issue("prometheus");
  EXPECT_TRUE(https_get(address, "/readyz", company.authority).starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(https_get(address, "/healthz", company.authority).starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(https_get(address, "/metrics", company.authority).starts_with("HTTP/1.1 403"));
  const std::string metrics = https_get(address, "/metrics", company.authority, own);
  EXPECT_TRUE(metrics.starts_with("HTTP/1.1 200"));
  EXPECT_NE(metrics.find("terrane_certificate_expiry_timestamp_seconds"), std::string::npos);
  const Authority other("another authority");
  EXPECT_EQ(https_get(address, "/readyz", company.authority, other.issue("x")),
            "ended without a goodbye: tlsv1 alert unknown ca");
  EXPECT_EQ(test::Connection(address).ask(test::get("/readyz")), std::nullopt) << "in the clear";
  EXPECT_TRUE(https_get(address, "/readyz", company.authority).starts_with("HTTP/1.1 200"));
}

TEST(tls, a_request_in_records_of_a_byte_is_answered_as_soon_as_it_is_there) {
  const Company company(false);
  const std::string answer =
      https_get(company.server.http_address(), "/healthz", company.authority, std::nullopt, 1);
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
}

TEST(tls, its_health_can_be_asked_for_without_certificates) {
  const Company company(true);
  ServerProcess check(std::string(TERRANED_PATH),
                      {"--check-health", "--listen", company.server.address()});
  EXPECT_EQ(check.wait(), 0) << check.log();
}

TEST(tls, files_that_serve_nobody_keep_the_server_from_starting) {
  const Files files;
  const Authority authority("the authority");
  const Identity own = authority.issue("the server");
  const Identity past = authority.issue("the old one", -2h, -1h);
  const auto ends_with = [&](const std::string& chain, const std::string& key,
                             const std::string& word) {
    ServerProcess server({"--no-cache", "--tls-cert", chain, "--tls-key", key});
    EXPECT_EQ(server.wait(), 2) << word;
    EXPECT_NE(server.log().find(word), std::string::npos) << server.log();
  };
  const auto chain = files.add("chain", own.certificate);
  ends_with(chain, files.path() / "none", (files.path() / "none").string());
  ends_with(chain, files.add("key", past.key), "not that of");
  ends_with(files.add("old", past.certificate), files.add("old.key", past.key), "was valid until");
}

/// The subject of the certificate that a port shows.
std::string shown_by(const std::string& address, const Authority& ca) {
  asio::io_context io;
  asio::ssl::context context(asio::ssl::context::tls_client);
  context.add_certificate_authority(asio::buffer(ca.certificate()));
  context.set_verify_mode(asio::ssl::verify_peer);
  asio::ssl::stream<asio::ip::tcp::socket> stream(io, context);
  const auto colon = address.rfind(':');
  asio::connect(stream.next_layer(), asio::ip::tcp::resolver(io).resolve(
                                         address.substr(0, colon), address.substr(colon + 1)));
  stream.handshake(asio::ssl::stream_base::client);
  X509* const certificate = SSL_get0_peer_certificate(stream.native_handle());
  char name[256];
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
  return name;
}

/// Swaps a directory of certificates at once, as those who hand them out do.
void point_to(const std::filesystem::path& link, const std::filesystem::path& directory) {
  const auto next = link.string() + ".next";
  std::filesystem::create_symlink(directory, next);
  std::filesystem::rename(next, link);
}

TEST(tls, certificates_change_twenty_times_under_load_and_no_call_fails) {
  constexpr int kChanges = 20;
  const Files files;
  const Authority authority("the authority");
  const auto link = files.path() / "now";
  const auto renew = [&](int turn) {
    const auto directory = files.path() / std::to_string(turn);
    std::filesystem::create_directory(directory);
    const Identity own = authority.issue("server " + std::to_string(turn));
    std::ofstream(directory / "chain") << own.certificate;
    std::ofstream(directory / "key") << own.key;
    point_to(link, directory);
  };
  renew(0);
  ServerProcess server({"--no-cache", "--tls-cert", (link / "chain").string(), "--tls-key",
                        (link / "key").string()});
  const TlsOptions tls{.ca_file = files.add("ca", authority.certificate())};
  const ClientOptions options{.address = server.address(), .tls = tls, .max_attempts = 1};
  const auto lasting = terrane::Client::connect(options).value();
  int calls = 0;
  const auto call_both = [&] {  // one connection that lasts, and a new one each time
    for (const auto& client : {&lasting}) {
      const auto worlds = client->worlds();
      ASSERT_TRUE(worlds) << worlds.error().message;
    }
    const auto fresh = terrane::Client::connect(options).value().worlds();
    ASSERT_TRUE(fresh) << fresh.error().message;
    calls += 2;
  };
  for (int turn = 1; turn <= kChanges; ++turn) {
    renew(turn);

    if (turn % 5 != 0) server.reload();  // or it looks by itself, once a second
    const std::string expected = "server " + std::to_string(turn);
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (shown_by(server.http_address(), authority) != expected) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << turn << "\n" << server.log();
      ASSERT_NO_FATAL_FAILURE(call_both());
    }
  }
  EXPECT_GT(calls, kChanges);
  EXPECT_EQ(server.stop(), 0);
}

TEST(tls, strangers_can_not_fill_the_log_with_handshakes_that_fail) {
  const Company company;
  const std::string before = company.server.log();
  for (int i = 0; i < 50; ++i) {
    test::Connection grpc(company.server.address()), http(company.server.http_address());
    grpc.send("GET / HTTP/1.1\r\n\r\n");
    http.send("GET / HTTP/1.1\r\n\r\n");
    grpc.rest(), http.rest();
  }
  EXPECT_TRUE(company.client().chunk(kPlace, {0, 0}));
  EXPECT_LT(company.server.log().size() - before.size(), 1000u) << company.server.log();
}

}  // namespace
}  // namespace terrane::e2e
