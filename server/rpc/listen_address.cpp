#include "rpc/listen_address.h"

#include <netdb.h>
#include <spdlog/fmt/fmt.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace terrane::rpc {
namespace {

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

std::string reason(const std::string& address) {
  const auto [host, port] = split(address);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (const int failure = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); failure != 0)
    return gai_strerror(failure);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, freeaddrinfo);
  const int descriptor = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  if (descriptor < 0) return std::strerror(errno);
  const int on = 1;  // as gRPC does: a closed server's last connections are no reason
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const bool failed =
      bind(descriptor, found->ai_addr, found->ai_addrlen) != 0 || ::listen(descriptor, 1) != 0;
  const int error = errno;
  close(descriptor);
  return failed ? std::strerror(error) : "the reason has passed: start again";
}

}  // namespace

std::string with_port(const std::string& address, int port) {
  return fmt::format("{}:{}", address.substr(0, address.rfind(':')), port);
}

Error why_not_listening(const std::string& address) {
  return {ErrorCode::kUnavailable, fmt::format("can't listen on {}: {}; stop what uses the port, "
                                               "or choose another with --listen HOST:PORT",
                                               address, reason(address))};
}

}  // namespace terrane::rpc
