#include "net/proxy_header.h"

#include <algorithm>
#include <array>
#include <string>

namespace terrane::net {
namespace {

constexpr std::array<std::uint8_t, 12> kSignature{'\r', '\n', '\r', '\n', 0,   '\r',
                                                  '\n', 'Q',  'U',  'I',  'T', '\n'};
constexpr std::size_t kFixed = 16;  // signature, version and command, family, length
constexpr std::size_t kV4Addresses = 12, kV6Addresses = 36;  // two of them, with their ports
constexpr std::uint8_t kVersion = 2, kLocal = 0, kProxied = 1;
constexpr std::uint8_t kUnknown = 0, kV4 = 1, kV6 = 2, kUnix = 3;

std::size_t length_of(std::span<const std::uint8_t> begin) {
  return kFixed + (std::size_t{begin[14]} << 8 | begin[15]);
}

tl::unexpected<Error> refused(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

Result<std::optional<AddressBytes>> client_in(std::span<const std::uint8_t> header) {
  const unsigned family = header[13] >> 4;
  const std::span<const std::uint8_t> addresses = header.subspan(kFixed);
  AddressBytes client{};
  if (family == kUnknown || family == kUnix) return std::nullopt;
  if (family == kV4 && addresses.size() >= kV4Addresses) {
    client[10] = client[11] = 0xff;
    std::copy_n(addresses.begin(), 4, client.begin() + 12);
    return client;
  }
  if (family == kV6 && addresses.size() >= kV6Addresses) {
    std::copy_n(addresses.begin(), client.size(), client.begin());
    return client;
  }
  return refused("a PROXY header whose addresses are of an unknown family, or cut short");
}

}  // namespace

std::size_t proxy_header_wants(std::span<const std::uint8_t> begin) {
  return begin.size() < kFixed ? kFixed : length_of(begin);
}

Result<std::optional<ProxyHeader>> parse_proxy_header(std::span<const std::uint8_t> begin) {
  const std::size_t known = std::min(begin.size(), kSignature.size());
  if (!std::equal(begin.begin(), begin.begin() + static_cast<std::ptrdiff_t>(known),
                  kSignature.begin()))
    return refused(
        "no PROXY header of version 2: has the proxy been told to send one "
        "(send-proxy-v2)?");
  if (begin.size() < kFixed) return std::nullopt;
  if (begin[12] >> 4 != kVersion)
    return refused("a PROXY header of version " + std::to_string(begin[12] >> 4) + ", not 2");
  const unsigned command = begin[12] & 0xf;
  if (command != kLocal && command != kProxied)
    return refused("a PROXY header with the unknown command " + std::to_string(command));
  const std::size_t bytes = length_of(begin);
  if (bytes > kMaxProxyHeader) {
    return refused("a PROXY header of " + std::to_string(bytes) + " bytes, more than " +
                   std::to_string(kMaxProxyHeader));
  }
  if (begin.size() < bytes) return std::nullopt;
  if (command == kLocal) return ProxyHeader{bytes, true, std::nullopt};
  auto client = client_in(begin.first(bytes));
  if (!client) return tl::unexpected(client.error());
  return ProxyHeader{bytes, false, *client};
}

}  // namespace terrane::net
