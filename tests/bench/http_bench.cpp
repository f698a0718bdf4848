// What the HTTP port takes. Starts the real terraned, and beside it a bare Beast server that sends
// ready-made bodies of the same sizes; asks both in turn over loopback with the same clients, which
// throw bodies away; prints medians, ratios and processor time. Reports, never asserts.
//   http_bench [--quick]
#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "e2e/server_process.h"
#include "support/http_connection.h"
#include "support/temp_directory.h"

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using terrane::e2e::ServerProcess;
using terrane::test::Connection;

constexpr int kConnections = 6;  // as a browser has

/// A connection of the bare server: answers GET /BYTES with that many.
class BareSession : public std::enable_shared_from_this<BareSession> {
 public:
  explicit BareSession(tcp::socket socket) : stream_(std::move(socket)) {}

  void read() {
    request_ = {};
    http::async_read(stream_, buffer_, request_,
                     [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    response_ = {};
    response_.set(http::field::content_type, "application/octet-stream");
    response_.set(http::field::cache_control, "public, max-age=31536000, immutable");
    response_.body().assign(std::stoul(std::string(request_.target().substr(1))), 't');
    response_.prepare_payload();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                        if (!error) self->read();
                      });
  }

  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  http::request<http::empty_body> request_;
  http::response<http::string_body> response_;
};

void accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([&acceptor](boost::system::error_code error, tcp::socket socket) {
    if (!error) {
      socket.set_option(tcp::no_delay(true));
      std::make_shared<BareSession>(std::move(socket))->read();
    }
    accept(acceptor);
  });
}

int serve_bare() {
  asio::io_context io{1};
  tcp::acceptor acceptor(io, {asio::ip::make_address("127.0.0.1"), 0});
  accept(acceptor);
  std::cout << "bare ready: grpc none, http 127.0.0.1:" << acceptor.local_endpoint().port()
            << ", nothing else" << std::endl;
  io.run();
  return 0;
}

/// Where each of the named paths leads to.
std::vector<std::string> permanent(const std::string& address,
                                   const std::vector<std::string>& named) {
  Connection connection(address);
  std::vector<std::string> paths;
  for (const std::string& path : named)
    paths.push_back(connection.ask(terrane::test::get(path))->fields.at("location"));
  return paths;
}

/// Answers a second, of clients that ask for these in turn; and bytes of each path's answer.
double measure(const std::string& address, const std::vector<std::string>& paths, Seconds time,
               std::vector<std::size_t>* sizes = nullptr) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> clients;
  if (sizes != nullptr) sizes->assign(paths.size(), 0);
  const auto end = Clock::now() + time;
  for (int i = 0; i < kConnections; ++i) {
    clients.emplace_back([&] {
      Connection connection(address);
      while (Clock::now() < end) {
        const std::size_t turn = next++;
        const auto answer = connection.ask(terrane::test::get(paths[turn % paths.size()]));
        if (!answer || answer->status != 200) throw std::runtime_error("no answer");
        if (sizes != nullptr && turn < paths.size()) (*sizes)[turn] = answer->body.size();
      }
    });
  }
  for (std::thread& client : clients) client.join();
  return static_cast<double>(next) / time.count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Table {
  const ServerProcess& server;
  const ServerProcess& bare;
  int rounds;
  Seconds each;

  void row(const char* name, const std::vector<std::string>& named) const {
    const auto paths = permanent(server.http_address(), named);
    std::vector<std::size_t> sizes;
    measure(server.http_address(), paths, Seconds(3 * each.count()), &sizes);  // all are there
    std::vector<std::string> same;
    double bytes = 0;
    for (const std::size_t size : sizes) {
      same.push_back("/" + std::to_string(size));
      bytes += static_cast<double>(size) / static_cast<double>(sizes.size());
    }
    std::vector<double> ours, bares, ratios;
    double cpu = 0, answers = 0;
    for (int i = 0; i < rounds; ++i) {
      const double before = server.cpu_seconds();
      ours.push_back(measure(server.http_address(), paths, each));
      cpu += server.cpu_seconds() - before;
      answers += ours.back() * each.count();
      bares.push_back(measure(bare.http_address(), same, each));
      ratios.push_back(ours.back() / bares.back());
    }
    std::printf("| %s | %.0f | %.0f | %.0f | %.2f | %.0f |\n", name, bytes, median(ours),
                median(bares), median(ratios), answers / cpu);
    std::fflush(stdout);
  }
};

std::vector<std::string> named(const std::string& below, int count, const std::string& after) {
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i)
    paths.push_back("/v1/continents/7/" + below + std::to_string(i % 8) + "/" +
                    std::to_string(i / 8) + after);
  return paths;
}

/// Of what nobody has asked for before, each once: answers a second, and of a processor second.
void cold(const ServerProcess& server, const char* name, const std::string& below,
          const std::string& after, int count) {
  const auto paths = permanent(server.http_address(), named(below, count, after));
  const double before = server.cpu_seconds();
  const auto start = Clock::now();
  std::vector<std::thread> clients;
  std::atomic<std::size_t> next = 0;
  for (int i = 0; i < kConnections; ++i) {
    clients.emplace_back([&] {
      Connection connection(server.http_address());
      for (std::size_t turn = next++; turn < paths.size(); turn = next++)
        if (!connection.ask(terrane::test::get(paths[turn]))) throw std::runtime_error("no answer");
    });
  }
  for (std::thread& client : clients) client.join();
  const double seconds = Seconds(Clock::now() - start).count();
  std::printf("| %s | %.0f | %.0f |\n", name, count / seconds,
              count / (server.cpu_seconds() - before));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string flag = argc > 1 ? argv[1] : "";
  if (flag == "--bare") return serve_bare();
  const bool is_quick = flag == "--quick";
  const terrane::test::TempDirectory data;
  const ServerProcess server({"--data", data.path() / "cache", "--memory-cache", "256MiB"});
  const ServerProcess bare(argv[0], {"--bare"});
  const Table table{server, bare, is_quick ? 1 : 5, Seconds(is_quick ? 0.05 : 1)};
  std::printf("| at hand | bytes | answers/s | bare Beast | ratio | answers/processor second |\n");
  std::printf("|---|---|---|---|---|---|\n");
  table.row("chunks", named("chunks/0/", 64, ""));
  table.row("bundles", named("bundles/0/", 8, ""));
  table.row("biome tiles", named("tiles/biome/8/", 8, ".png"));
  table.row("relief tiles", named("tiles/relief/8/", 8, ".png"));
  std::printf("\n| fresh | answers/s | answers/processor second |\n|---|---|---|\n");
  const int part = is_quick ? 40 : 1;
  cold(server, "chunks", "chunks/0/9", "", 8000 / part);
  cold(server, "bundles", "bundles/0/9", "", 400 / part);
  cold(server, "relief tiles", "tiles/relief/8/99", ".png", 160 / part);
  return 0;
}
