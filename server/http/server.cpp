#include "http/server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "http/http_metrics.h"
#include "http/session.h"
#include "log.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kAcceptPause{100};  // when no more files can be opened

}  // namespace

class Server::Impl {
 public:
  Impl(ops::Metrics& metrics, const std::atomic<Phase>& phase, const Limits& limits)
      : limits_(limits), routes_(metrics, phase), metrics_(metrics) {}

  ~Impl() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }

  /// Errors: kUnavailable.
  Result<void> listen(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    std::string host = address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    boost::system::error_code error;
    const auto found =
        tcp::resolver(io_).resolve(host, address.substr(colon + 1), tcp::resolver::passive, error);
    if (!error) {
      const tcp::endpoint endpoint = *found.begin();
      acceptor_.open(endpoint.protocol(), error);
      // a closed server's last connections
      if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
      if (!error) acceptor_.bind(endpoint, error);
      if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) {
      return fail(ErrorCode::kUnavailable,
                  "can't serve HTTP on " + address + ": " + error.message() +
                      "; choose another address with --http, or --http off");
    }
    address_ = address.substr(0, colon + 1) + std::to_string(acceptor_.local_endpoint().port());
    accept();
    thread_ = std::thread([this] { run(); });
    return {};
  }

  const std::string& address() const { return address_; }

 private:
  void run() {
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::exception& failure) {  // its session is gone, and with it the connection
        spdlog::error("answering an HTTP request failed: {}; its connection is closed",
                      failure.what());
      }
    }
  }

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) return accept_later();
      accept();  // first: whatever becomes of this one
      if (port_.connections < limits_.max_connections) {
        socket.set_option(tcp::no_delay(true), error);
        std::make_shared<Session>(std::move(socket), port_)->start();
      } else {
        metrics_.too_many.add();
      }
    });
  }

  void accept_later() {
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](boost::system::error_code error) {
      if (!error) accept();
    });
  }

  const Limits limits_;
  const Routes routes_;
  const HttpMetrics metrics_;
  Session::Port port_{routes_, limits_, metrics_};
  std::string address_;
  // its end closes the connections: after the thread's, before that of what they use
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer pause_{io_};
  std::thread thread_;
};

Result<std::unique_ptr<Server>> Server::start(const std::string& address, ops::Metrics& metrics,
                                              const std::atomic<Phase>& phase, Limits limits) {
  auto impl = std::make_unique<Impl>(metrics, phase, limits);
  TERRANE_RETURN_IF_ERROR(impl->listen(address));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

const std::string& Server::address() const { return impl_->address(); }

}  // namespace terrane::http
