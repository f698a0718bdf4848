#include "net/listening_sockets.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <utility>
#include <vector>

namespace terrane::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Code = boost::system::error_code;

// For port 0 at several addresses: what is free at the first may be in use at the next.
constexpr int kAttempts = 8;

struct HostPort {
  std::string host, port;
};

HostPort split(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return {address, ""};
  std::string host = address.substr(0, colon);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  return {host, address.substr(colon + 1)};
}

/// Accepted sockets inherit all of these, which saves a system call each.
void set_options(tcp::acceptor& acceptor, const SocketOptions& options) {
  const auto milliseconds = static_cast<unsigned>(options.unacknowledged.count());
  const int socket = acceptor.native_handle();
  Code ignored;
  acceptor.set_option(tcp::no_delay(true), ignored);
  if (options.receive_buffer > 0)
    acceptor.set_option(asio::socket_base::receive_buffer_size(options.receive_buffer), ignored);
  // a closed server's last connections are no reason not to start
  acceptor.set_option(tcp::acceptor::reuse_address(true), ignored);
  if (milliseconds > 0)
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  acceptor.native_non_blocking(true, ignored);
}

Code listen_at(tcp::acceptor& acceptor, const tcp::endpoint& endpoint, bool both_families,
               const SocketOptions& options) {
  Code error;
  acceptor.open(endpoint.protocol(), error);
  if (error) return error;
  set_options(acceptor, options);
  if (both_families) acceptor.set_option(asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

/// @return what went wrong at one of them; nothing if it is good enough
Code listen_at_all(asio::io_context& io, const std::vector<tcp::endpoint>& endpoints,
                   const SocketOptions& options, ListeningSockets& sockets) {
  Code trouble;
  for (tcp::endpoint endpoint : endpoints) {
    if (endpoint.port() == 0) endpoint.port(sockets.port);
    tcp::acceptor acceptor(io);
    if (const Code error = listen_at(acceptor, endpoint, false, options)) {
      if (!trouble || error == asio::error::address_in_use) trouble = error;
      continue;
    }
    sockets.port = acceptor.local_endpoint().port();
    sockets.acceptors.push_back(std::move(acceptor));
  }
  const bool good = !sockets.acceptors.empty() && trouble != asio::error::address_in_use;
  return good ? Code() : trouble;
}

Code listen_everywhere(asio::io_context& io, std::uint16_t port, const SocketOptions& options,
                       ListeningSockets& sockets) {
  sockets.acceptors.emplace_back(io);
  Code error = listen_at(sockets.acceptors.front(), tcp::endpoint(tcp::v6(), port), true, options);
  if (error && error != asio::error::address_in_use) {  // a machine without IPv6
    sockets.acceptors.clear();
    sockets.acceptors.emplace_back(io);
    error = listen_at(sockets.acceptors.front(), tcp::endpoint(tcp::v4(), port), false, options);
  }
  if (!error) sockets.port = sockets.acceptors.front().local_endpoint().port();
  return error;
}

std::vector<tcp::endpoint> distinct(const tcp::resolver::results_type& found) {
  std::vector<tcp::endpoint> endpoints;
  for (const auto& entry : found) {
    if (std::find(endpoints.begin(), endpoints.end(), entry.endpoint()) == endpoints.end())
      endpoints.push_back(entry.endpoint());
  }
  return endpoints;
}

}  // namespace

Result<ListeningSockets> listen_on(asio::io_context& io, const std::string& address,
                                   Wildcard wildcard, const SocketOptions& options) {
  const auto [host, port] = split(address);
  Code error;
  const auto endpoints = distinct(tcp::resolver(io).resolve(
      host, port, tcp::resolver::passive | tcp::resolver::numeric_service, error));
  for (int attempt = 0; !error && attempt < kAttempts; ++attempt) {
    ListeningSockets sockets;
    const tcp::endpoint& first = endpoints.front();
    error = wildcard == Wildcard::kBothFamilies && first.address().is_unspecified()
                ? listen_everywhere(io, first.port(), options, sockets)
                : listen_at_all(io, endpoints, options, sockets);
    if (!error) return sockets;
    if (first.port() == 0 && error == asio::error::address_in_use) error = {};
  }
  if (!error) error = asio::error::address_in_use;
  return fail(ErrorCode::kUnavailable, error.message());
}

}  // namespace terrane::net
