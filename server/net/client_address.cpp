#include "net/client_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace terrane::net {
namespace {

constexpr std::size_t kMappedBytes = 12;  // in front of an IPv4 address in 16 bytes
constexpr std::size_t kSubscriberBytes = 8;

}  // namespace

bool is_v4(const AddressBytes& address) {
  constexpr AddressBytes kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::equal(address.begin(), address.begin() + kMappedBytes, kMapped.begin());
}

bool is_loopback(const AddressBytes& address) {
  constexpr AddressBytes kV6{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  constexpr std::size_t kFirstOfV4 = 12;
  constexpr std::uint8_t kLoopbackNet = 127;
  return address == kV6 || (is_v4(address) && address[kFirstOfV4] == kLoopbackNet);
}

bool is_this_host(const AddressBytes& address) {
  constexpr AddressBytes kV4{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1};
  constexpr AddressBytes kV6{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address == kV4 || address == kV6;
}

AddressBytes address_of(const sockaddr_storage& peer) {
  AddressBytes address{};
  if (peer.ss_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &peer, sizeof v6);
    std::memcpy(address.data(), &v6.sin6_addr, address.size());
  } else if (peer.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &peer, sizeof v4);
    address[10] = address[11] = 0xff;
    std::memcpy(address.data() + kMappedBytes, &v4.sin_addr, sizeof v4.sin_addr);
  }
  return address;
}

std::uint16_t port_of(const sockaddr_storage& peer) {
  if (peer.ss_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &peer, sizeof v6);
    return ntohs(v6.sin6_port);
  }
  if (peer.ss_family != AF_INET) return 0;
  sockaddr_in v4{};
  std::memcpy(&v4, &peer, sizeof v4);
  return ntohs(v4.sin_port);
}

AddressBytes client_of(const AddressBytes& address) {
  AddressBytes client = address;
  if (!is_v4(address)) std::fill(client.begin() + kSubscriberBytes, client.end(), 0);
  return client;
}

std::string client_text(const AddressBytes& client) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_v4(client)) {
    inet_ntop(AF_INET, client.data() + kMappedBytes, text.data(), text.size());
    return text.data();
  }
  inet_ntop(AF_INET6, client.data(), text.data(), text.size());
  return std::string(text.data()) + "/64";
}

}  // namespace terrane::net
