#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "net/client_address.h"
#include "net/connection_limits.h"
#include "net/connection_reads.h"
#include "net/port_state.h"
#include "net/proxied_clients.h"

namespace terrane::net {

/// What "0.0.0.0" and "[::]" mean.
enum class Wildcard : std::uint8_t {
  kAsGiven,      // all addresses of IPv4, or of IPv6 as the system has it
  kBothFamilies  // all addresses, as gRPC takes them
};

/// What a handshake of TLS costs a server, about: a signature and an exchange of keys.
constexpr std::chrono::microseconds kTlsCost{1000};

/// Given the descriptor of a connection that may stay, non-blocking and close-on-exec, which it
/// owns from then on, and the address that it comes from.
/// @return whether whose that is has had more than its part
using TakeConnection = std::function<bool(int descriptor, const AddressBytes& address)>;

/// Of the socket of each connection; 0: as the system has it.
struct SocketOptions {
  /// How long sent bytes may stay unacknowledged before the system gives a connection up.
  std::chrono::milliseconds unacknowledged{0};
  /// Bytes that may be there and unread. It has about twice as much memory for them.
  int receive_buffer = 0;
};

/// How a port treats its connections.
struct PortOptions {
  std::string name;  // "grpc" or "http", in log and metrics
  ConnectionLimits limits = {};
  /// Whether an address is free of the limit of a client, as many stand behind it; may be empty.
  std::function<bool(const AddressBytes&)> is_exempt = {};
  /// Where it is there, connections of exempt addresses begin with a PROXY header, and for whom
  /// they are is noted here.
  std::shared_ptr<ProxiedClients> proxied = nullptr;
  /// Where connections that are one client's alone can be held; may be null.
  std::shared_ptr<ConnectionReads> reads = nullptr;
  std::chrono::milliseconds header_timeout{20'000};  // for that header to come
  Wildcard wildcard = Wildcard::kAsGiven;
  SocketOptions sockets = {};
  /// How often it looks whether it accepts and says what it has to; ten times as rarely it counts
  /// what is open.
  std::chrono::milliseconds look_every{1000};
  /// Where the port says whether it accepts; outlives it. May be null.
  std::atomic<Accepting>* state = nullptr;
};

}  // namespace terrane::net
