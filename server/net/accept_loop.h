#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <string>

#include "net/ignored_clients.h"
#include "net/listening_sockets.h"
#include "net/open_connections.h"
#include "net/port_options.h"
#include "net/proxy_header.h"
#include "net/refusal_report.h"
#include "ops/metrics.h"
#include "terrane/result.h"

namespace terrane::net {

/// Accepts a port's connections, counts them, and hands them on, or closes those past a limit. It
/// goes on whatever the system says: where no descriptor is left, it turns connections away with
/// one that it keeps for that, or waits. Clients who come again as fast as they are refused are
/// ignored for a while (IgnoredClients). What it does runs on the thread of its io_context.
class AcceptLoop {
 public:
  /// Everything that is given outlives the loop.
  AcceptLoop(boost::asio::io_context& io, PortOptions options, ops::Metrics& metrics,
             TakeConnection take);
  ~AcceptLoop();
  AcceptLoop(const AcceptLoop&) = delete;
  AcceptLoop& operator=(const AcceptLoop&) = delete;

  /// Binds; connections queue up in the system until start().
  /// @param address  HOST:PORT; port 0 takes a free one
  /// @return HOST:PORT with the port in use
  /// Errors: kUnavailable with the system's reason alone. Blocks on the resolver.
  Result<std::string> listen(const std::string& address);

  /// Begins to accept. Call once, before io runs or on its thread.
  void start();

  /// As PortThread has it; on io's thread.
  void send_away(const AddressBytes& client, std::chrono::milliseconds time,
                 const std::string& why);

 private:
  struct Door {
    boost::asio::ip::tcp::acceptor acceptor;
    boost::asio::steady_timer pause;
    bool is_awaited = false;  // a handler will come; else something was thrown before it was set
  };
  struct Counters {
    ops::Counter accepted;
    std::array<ops::Counter, kRefusals> refused;
    ops::Counter sent_away;
    ops::Gauge open, ignored;
  };

  void await(Door& door);
  void accept_some(Door& door);
  void await_later(Door& door, std::chrono::milliseconds pause);
  void receive(int descriptor, const sockaddr_storage& peer);
  void hear_proxy(int descriptor, const ProxiedClients::Endpoint& proxy);
  void receive_proxied(int descriptor, const ProxiedClients::Endpoint& proxy,
                       const Result<ProxyHeader>& header);
  void refuse(Refusal refusal, const AddressBytes& client);
  int turn_away(Door& door);
  [[nodiscard]] bool may_ignore(const AddressBytes& address) const;
  void drop_requests_of_ignored();
  void look_after_later();
  void look_after();
  [[nodiscard]] Accepting state_now();
  void keep_reserve();

  boost::asio::io_context& io_;
  const PortOptions options_;
  const TakeConnection take_;
  Counters counters_;
  OpenConnections connections_;
  RefusalReport report_;
  IgnoredClients ignored_;
  std::int64_t shown_ignored_ = 0;  // by the gauge
  bool is_filtered_ = true;         // as ignored_ has it
  std::list<Door> doors_;
  boost::asio::steady_timer tick_;
  unsigned ticks_ = 0;
  std::size_t shown_ = 0;      // by the gauge
  std::uint64_t refused_ = 0;  // connections
  int reserve_ = -1;           // a descriptor to accept with where no other is left
};

}  // namespace terrane::net
