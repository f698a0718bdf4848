#include "http/server.h"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "http/http_metrics.h"
#include "http/session.h"
#include "http/tls_contexts.h"
#include "log.h"
#include "net/accept_loop.h"
#include "terrane/mutex.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

}  // namespace

class Server::Impl {
 public:
  Impl(ops::Metrics& metrics, const std::atomic<Phase>& phase, net::PortStates& ports,
       const Limits& limits, Certificates certificates, const WorldRoutes* worlds)
      : limits_(limits),
        routes_(metrics, phase, ports, worlds),
        metrics_(metrics),
        loop_(io_,
              {.name = "http",
               .limits = limits.connections,
               .is_exempt =
                   [worlds](const net::AddressBytes& address) {
                     return worlds != nullptr && worlds->explore()->is_trusted(address);
                   },
               .state = &ports.http},
              metrics,
              [this](int descriptor, const net::AddressBytes& address) {
                return serve(descriptor, address);
              }),
        worlds_(worlds) {
    if (certificates) tls_.emplace(std::move(certificates));
  }

  ~Impl() {
    {
      const MutexLock lock(gate_->mutex);
      gate_->io = nullptr;
    }
    if (thread_.joinable()) calls_.end_all();
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }

  /// Errors: kUnavailable.
  Result<void> listen(const std::string& address) {
    TERRANE_ASSIGN_OR_RETURN(address_, loop_.listen(address).map_error([&](Error error) {
      error.message = "can't serve HTTP on " + address + ": " + error.message +
                      "; choose another address with --http, or --http off";
      return error;
    }));
    loop_.start();
    {
      const MutexLock lock(gate_->mutex);
      gate_->io = &io_;
    }
    thread_ = std::thread([this] { run(); });
    return {};
  }

  const std::string& address() const { return address_; }

  SendAway send_away() {
    return [gate = gate_, &loop = loop_](const net::AddressBytes& client,
                                         std::chrono::milliseconds time, const std::string& why) {
      const MutexLock lock(gate->mutex);
      if (gate->io == nullptr) return;
      asio::post(*gate->io, [&loop, client, time, why] { loop.send_away(client, time, why); });
    };
  }

 private:
  /// By which others reach the port, as long as it is there.
  struct Gate {
    Mutex mutex;
    asio::io_context* io ABSL_GUARDED_BY(mutex) = nullptr;
  };

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

  bool serve(int descriptor, const net::AddressBytes& address) {
    tcp::socket socket(io_);
    boost::system::error_code error;
    socket.assign(tcp::v6(), descriptor, error);  // what Asio does with it asks for no family
    if (error) {
      close(descriptor);
      return false;
    }
    start_session(std::move(socket), tls_ ? tls_->now() : nullptr, port_);
    return worlds_ != nullptr && worlds_->explore()->charge_connection(address, tls_.has_value());
  }

  const Limits limits_;
  const Routes routes_;
  const HttpMetrics metrics_;
  std::optional<TlsContexts> tls_;
  std::string address_;
  // its end closes the connections: after the thread's, before that of what they use
  asio::io_context io_{1};
  PendingAnswers answers_{io_};
  CallHost calls_{io_};
  Port port_{routes_, limits_, metrics_, answers_, calls_};
  net::AcceptLoop loop_;
  const WorldRoutes* const worlds_;
  const std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  std::thread thread_;
};

Result<std::unique_ptr<Server>> Server::start(const std::string& address, ops::Metrics& metrics,
                                              const std::atomic<Phase>& phase,
                                              net::PortStates& ports, Limits limits,
                                              Certificates certificates,
                                              const WorldRoutes* worlds) {
  auto impl =
      std::make_unique<Impl>(metrics, phase, ports, limits, std::move(certificates), worlds);
  TERRANE_RETURN_IF_ERROR(impl->listen(address));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

const std::string& Server::address() const { return impl_->address(); }
Server::SendAway Server::send_away() const { return impl_->send_away(); }

}  // namespace terrane::http
