#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/caller.h"
#include "net/client_address.h"
#include "net/proxied_clients.h"
#include "schedule/source.h"
#include "terrane/result.h"

namespace terrane::rpc {

using net::AddressBytes;

/// Addresses that begin with the same bits: 10.0.0.0/8, 2001:db8::/32, or a single one.
struct AddressRange {
  AddressBytes address{};
  unsigned bits = 128;
  [[nodiscard]] bool contains(const AddressBytes& other) const;
};

/// Who a call comes from, and how much of the server is theirs beside others. A client is an
/// address: of IPv6 its /64, as that is what one subscriber has; whatever comes through a socket of
/// the machine's own is one client. Constant once made, so safe for all threads.
class ClientRules {
 public:
  ClientRules() = default;

  /// Both are lists with commas, and may be empty.
  /// @param weights  "10.0.0.0/8=200" and so on, each 1 to 10,000; of several that fit an address
  ///   the one with the longest prefix counts, and without any it is 1
  /// @param trusted_proxies  ranges whose word on whom they call for (x-forwarded-for) is taken
  /// Errors: kInvalidArgument with the entry and what would be right.
  static Result<ClientRules> parse(const std::string& weights, const std::string& trusted_proxies);

  /// @param peer  of the connection, as gRPC says it: "ipv4:127.0.0.1:4150"
  /// @param forwarded_for  the header x-forwarded-for, empty where there is none
  /// @param proxied  for whom the peer has connected, if it is a proxy that has said so
  [[nodiscard]] schedule::Source source_of(
      std::string_view peer, std::string_view forwarded_for = {},
      const std::optional<AddressBytes>& proxied = std::nullopt) const;
  /// Of connections of this address, whatever comes by them.
  [[nodiscard]] schedule::Source source_of(const AddressBytes& address) const;
  [[nodiscard]] bool trusts_proxies() const { return !trusted_.empty(); }
  /// Whether it is a proxy's, behind which there are many clients.
  [[nodiscard]] bool is_trusted(const AddressBytes& address) const;

 private:
  struct Weight {
    AddressRange range;
    std::uint32_t weight;
  };

  std::vector<Weight> weights_;  // the longest prefix first
  std::vector<AddressRange> trusted_;
};

/// Address and port of a peer, as gRPC says it; nothing for a socket of the machine's own.
[[nodiscard]] std::optional<net::ProxiedClients::Endpoint> endpoint_of(std::string_view peer);

/// The address behind a Source's client; none for nobody in particular, for a socket of the
/// machine's own and for an identity. Threads: any.
[[nodiscard]] std::optional<AddressBytes> client_address(std::uint64_t client);

/// Whether it is anybody but the server itself: its own word to gRPC comes by a socket of the
/// machine's.
[[nodiscard]] bool is_somebody(std::uint64_t client);

/// What a Source's client that is an address is called in logs and metrics: "192.0.2.7",
/// "2001:db8:1:2::/64", "local" for a socket of the machine's own, "server" for nobody in
/// particular. Threads: any.
[[nodiscard]] std::string client_name(std::uint64_t client);
/// The same of a call's client, by its caller's name if that is known; null: it is not.
[[nodiscard]] std::string client_name(std::uint64_t client, const access::Caller* caller);

}  // namespace terrane::rpc
