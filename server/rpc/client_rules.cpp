#include "rpc/client_rules.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <functional>
#include <optional>

#include "access/client_names.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

constexpr unsigned kMappedBits = 96;  // in front of an IPv4 address in 16 bytes
constexpr unsigned kSubscriberBits = 64;
constexpr std::uint32_t kMaxWeight = 10'000;

using net::is_v4;

std::optional<AddressBytes> parse_address(std::string_view text) {
  const std::string copy(text);
  AddressBytes address{};
  if (inet_pton(AF_INET6, copy.c_str(), address.data()) == 1) return address;
  address[10] = address[11] = 0xff;
  if (inet_pton(AF_INET, copy.c_str(), address.data() + 12) == 1) return address;
  return std::nullopt;
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

tl::unexpected<Error> refused(const std::string& entry, const char* what) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' {}", entry, what));
}

Result<AddressRange> parse_range(const std::string& entry, std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address)
    return refused(entry, "is no address or range like 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32");
  const unsigned skipped = is_v4(*address) ? kMappedBits : 0;
  const unsigned most = 128 - skipped;
  unsigned bits = most;
  if (slash != std::string_view::npos) {
    const auto number = parse_number<unsigned>(text.substr(slash + 1));
    if (!number || *number > most)
      return refused(
          entry, most == 32 ? "has no prefix of 0 to 32 bits" : "has no prefix of 0 to 128 bits");
    bits = *number;
  }
  return AddressRange{*address, bits + skipped};
}

/// The address in "ipv4:127.0.0.1:4150", "ipv6:[::1]:4150" or "ipv6:%5B::1%5D:4150", and the
/// port.
std::optional<AddressBytes> address_of_peer(std::string_view peer) {
  const std::size_t scheme = peer.find(':');
  const std::size_t port = peer.rfind(':');
  if (scheme == std::string_view::npos || port == scheme) return std::nullopt;
  std::string_view host = peer.substr(scheme + 1, port - scheme - 1);
  for (const std::string_view bracket : {"[", "%5B"}) {
    if (host.starts_with(bracket)) host.remove_prefix(bracket.size());
  }
  host = host.substr(0, host.find_first_of("]%"));  // also without a zone: fe80::1%eth0
  return parse_address(host);
}

/// Of x-forwarded-for, what the nearest proxy said last; the entry is taken off.
std::string_view last_hop(std::string_view& hops) {
  const std::size_t comma = hops.rfind(',');
  std::string_view hop = hops.substr(comma == std::string_view::npos ? 0 : comma + 1);
  hops = hops.substr(0, comma == std::string_view::npos ? 0 : comma);
  while (!hop.empty() && hop.front() == ' ') hop.remove_prefix(1);
  while (!hop.empty() && hop.back() == ' ') hop.remove_suffix(1);
  return hop;
}

std::vector<std::string> entries_of(const std::string& list) {
  std::vector<std::string> entries;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    entries.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return entries;
}

// Keys of clients can be read back: an IPv6 client is its /64, in its bits; one of IPv4 is its
// address under a prefix that IPv6 reserves, as it does what stands for these two.
constexpr std::uint64_t kLocalKey = 1, kLoopbackKey = 2;
constexpr std::uint64_t kV4Prefix = 0xffffULL << 32;

std::uint64_t key_of(const AddressBytes& address) {
  const auto bits = [&](std::size_t begin, std::size_t end) {
    std::uint64_t key = 0;
    for (std::size_t i = begin; i < end; ++i) key = key << 8 | address[i];
    return key;
  };
  if (is_v4(address)) return kV4Prefix | bits(kMappedBits / 8, address.size());
  const std::uint64_t subscriber = bits(0, kSubscriberBits / 8);
  return subscriber == 0 ? kLoopbackKey : subscriber;  // 0 is nobody in particular
}

}  // namespace

bool AddressRange::contains(const AddressBytes& other) const {
  const unsigned whole = bits / 8;
  if (!std::equal(address.begin(), address.begin() + whole, other.begin())) return false;
  const unsigned rest = bits % 8;
  return rest == 0 || (address[whole] ^ other[whole]) >> (8 - rest) == 0;
}

Result<ClientRules> ClientRules::parse(const std::string& weights,
                                       const std::string& trusted_proxies) {
  ClientRules rules;
  for (const std::string& entry : entries_of(weights)) {
    const std::size_t equals = entry.find('=');
    const auto weight = parse_number<std::uint32_t>(
        equals == std::string::npos ? "" : std::string_view(entry).substr(equals + 1));
    if (!weight || *weight < 1 || *weight > kMaxWeight)
      return refused(entry, "is no RANGE=WEIGHT with a weight from 1 to 10000");
    TERRANE_ASSIGN_OR_RETURN(const AddressRange range,
                             parse_range(entry, std::string_view(entry).substr(0, equals)));
    rules.weights_.push_back({range, *weight});
  }
  std::ranges::stable_sort(rules.weights_, std::greater{},
                           [](const Weight& weight) { return weight.range.bits; });
  for (const std::string& entry : entries_of(trusted_proxies)) {
    TERRANE_ASSIGN_OR_RETURN(const AddressRange range, parse_range(entry, entry));
    rules.trusted_.push_back(range);
  }
  return rules;
}

std::optional<net::ProxiedClients::Endpoint> endpoint_of(std::string_view peer) {
  const auto address = address_of_peer(peer);
  const auto port = parse_number<std::uint16_t>(peer.substr(peer.rfind(':') + 1));
  if (!address || !port) return std::nullopt;
  return net::ProxiedClients::Endpoint{*address, *port};
}

bool is_somebody(std::uint64_t client) { return client != 0 && client != kLocalKey; }

std::optional<AddressBytes> client_address(std::uint64_t client) {
  if (!is_somebody(client) || access::is_identity(client)) return std::nullopt;
  const bool v4 = client >> 32 == kV4Prefix >> 32;
  AddressBytes address{};
  if (v4) address[10] = address[11] = 0xff;
  std::uint64_t bits = client == kLoopbackKey ? 0 : client;
  const std::size_t first = v4 ? kMappedBits / 8 : 0;
  for (std::size_t end = v4 ? address.size() : kSubscriberBits / 8; end > first; bits >>= 8)
    address[--end] = static_cast<std::uint8_t>(bits);
  return address;
}

std::string client_name(std::uint64_t client) {
  if (client == 0) return "server";
  const auto address = client_address(client);
  return address ? net::client_text(*address) : "local";
}

std::string client_name(std::uint64_t client, const access::Caller* caller) {
  return caller == nullptr ? client_name(client) : caller->name;
}

bool ClientRules::is_trusted(const AddressBytes& address) const {
  return std::ranges::any_of(trusted_, [&](const auto& range) { return range.contains(address); });
}

schedule::Source ClientRules::source_of(std::string_view peer, std::string_view forwarded_for,
                                        const std::optional<AddressBytes>& proxied) const {
  schedule::Source source{.client = kLocalKey, .connection = std::hash<std::string_view>{}(peer)};
  std::optional<AddressBytes> address = proxied ? proxied : address_of_peer(peer);
  if (!address) return source;
  // from the nearest hop to the farthest, as long as who says so is trusted
  while (!forwarded_for.empty() && is_trusted(*address)) {
    const auto hop = parse_address(last_hop(forwarded_for));
    if (!hop) break;
    address = hop;
  }
  const schedule::Source client = source_of(*address);
  source.client = client.client;
  source.weight = client.weight;
  return source;
}

schedule::Source ClientRules::source_of(const AddressBytes& address) const {
  schedule::Source source{.client = key_of(address)};
  for (const Weight& each : weights_) {
    if (!each.range.contains(address)) continue;
    source.weight = each.weight;
    break;
  }
  return source;
}

}  // namespace terrane::rpc
