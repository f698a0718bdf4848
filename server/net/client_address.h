#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string>

namespace terrane::net {

/// An address in 16 bytes: one of IPv4 as it is mapped into IPv6.
using AddressBytes = std::array<std::uint8_t, 16>;

/// Whether it is one of IPv4.
[[nodiscard]] bool is_v4(const AddressBytes& address);

/// Whether it is this machine's own: ::1 or of 127.0.0.0/8.
[[nodiscard]] bool is_loopback(const AddressBytes& address);

/// Whether it is 127.0.0.1 or ::1, which programs of this machine have that don't ask for another.
[[nodiscard]] bool is_this_host(const AddressBytes& address);

/// The address of a peer, without its port; all zeros for a socket that is not of IP.
[[nodiscard]] AddressBytes address_of(const sockaddr_storage& peer);

/// Its port; 0 for a socket that is not of IP.
[[nodiscard]] std::uint16_t port_of(const sockaddr_storage& peer);

/// Who an address belongs to: itself, and of IPv6 its /64, as that is what one subscriber has.
[[nodiscard]] AddressBytes client_of(const AddressBytes& address);

/// "192.0.2.7" or "2001:db8:1:2::/64", for people.
[[nodiscard]] std::string client_text(const AddressBytes& client);

}  // namespace terrane::net
