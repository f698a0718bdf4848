#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "net/client_address.h"
#include "terrane/result.h"

namespace terrane::net {

/// What a proxy says first on a connection: for whom it is. The binary form alone, which is version
/// 2 (W. Tarreau, "The PROXY protocol, versions 1 & 2", 2.2).
struct ProxyHeader {
  std::size_t bytes = 0;               // of all of it
  bool is_own = false;                 // the proxy connects for itself (LOCAL)
  std::optional<AddressBytes> client;  // none: it is the proxy's own, or it doesn't know
};

/// Of a header that is longer, nothing is read: what a proxy adds of its own takes a few hundred.
inline constexpr std::size_t kMaxProxyHeader = 2048;

/// @param begin  what has come so far, of the header alone or more
/// @return nothing as long as `proxy_header_wants(begin)` bytes are not there
/// Errors: kInvalidArgument where it is none, with what it is instead.
[[nodiscard]] Result<std::optional<ProxyHeader>> parse_proxy_header(
    std::span<const std::uint8_t> begin);

/// How many bytes have to be there before it can be told more: never more than the header has, so
/// that nothing that follows is read with it.
[[nodiscard]] std::size_t proxy_header_wants(std::span<const std::uint8_t> begin);

}  // namespace terrane::net
