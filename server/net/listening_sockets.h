#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <string>

#include "net/port_options.h"
#include "terrane/result.h"

namespace terrane::net {

/// Sockets that listen at one HOST:PORT: several when a name has several addresses.
struct ListeningSockets {
  std::list<boost::asio::ip::tcp::acceptor> acceptors;  // ready for accept4(), close-on-exec
  std::uint16_t port = 0;
};

/// Listens at every address that a host has. It is enough that one of them can be had, unless
/// another has a port that is in use: two servers never share one.
/// @param address  HOST:PORT; port 0 takes a free one, the same at every address
/// Errors: kUnavailable with the system's reason alone. Blocks on the resolver.
[[nodiscard]] Result<ListeningSockets> listen_on(boost::asio::io_context& io,
                                                 const std::string& address, Wildcard wildcard,
                                                 const SocketOptions& options);

}  // namespace terrane::net
