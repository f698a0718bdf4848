#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "net/client_address.h"
#include "net/connection_limits.h"
#include "net/connection_reads.h"
#include "net/proxied_clients.h"

namespace terrane::net {

/// Why a connection is closed as soon as it is accepted.
enum class Refusal : std::uint8_t { kTotal, kClient, kDescriptors, kSentAway, kProxyHeader };
constexpr std::size_t kRefusals = 5;

/// "total", "client", "descriptors", "sent_away" or "proxy_header", as metrics call it.
[[nodiscard]] const char* to_string(Refusal refusal);

/// Which of a port's connections are open, and whose they are. Who they were handed to need not say
/// when they close: a connection is known by its descriptor and the inode of its socket, so that
/// fstat() tells whether it is still there. That is asked when the system hands the same descriptor
/// out again, when a limit is met, and from time to time. For one thread.
class OpenConnections {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param proxied  is told when a connection that is noted there is forgotten; may be null
  /// @param reads    is told of connections that are noted as a peer's own; may be null
  explicit OpenConnections(const ConnectionLimits& limits,
                           std::shared_ptr<ProxiedClients> proxied = nullptr,
                           std::shared_ptr<ConnectionReads> reads = nullptr)
      : limits_(limits), proxied_(std::move(proxied)), reads_(std::move(reads)) {}

  /// Counts a connection that has just been accepted, or counts it anew, as of another client,
  /// unless a limit is met.
  /// @param descriptor  of its socket
  /// @param is_exempt   from the limits of a client, and from being sent away
  /// @return why it is to be closed; nothing if it may stay
  std::optional<Refusal> admit(int descriptor, const AddressBytes& client, bool is_exempt,
                               Clock::time_point now);

  /// A connection that is counted is one client's alone, of this address, at this end of it.
  void note_peer(int descriptor, const ProxiedClients::Endpoint& peer, const AddressBytes& client);

  /// A connection that is counted is a proxy's, and for this client.
  void note_proxied(int descriptor, const ProxiedClients::Endpoint& proxy,
                    const AddressBytes& client);

  /// Ends a client's connections, whoever they were handed to, and admits no other until then: also
  /// where the client has closed all of them meanwhile, so that there is nothing left to end.
  /// @return how many have been ended; nullopt where it has had none of late, as those of its calls
  ///   came by way of somebody who is exempt: it may go on connecting
  std::optional<std::size_t> send_away(const AddressBytes& client, Clock::time_point now,
                                       Clock::time_point until);

  /// Forgets the connections that have been closed. A fraction of a microsecond for each.
  void sweep();

  /// Counted as open: since the last sweep some may have been closed.
  [[nodiscard]] std::size_t open() const { return open_; }
  [[nodiscard]] bool is_full() const { return open_ >= limits_.total; }
  [[nodiscard]] const ConnectionLimits& limits() const { return limits_; }

 private:
  struct Slot {
    ino_t inode = 0;  // of a socket; 0: free
    AddressBytes client{};
    bool is_exempt = false;
    std::optional<ProxiedClients::Endpoint> proxy = {};  // where it is noted who it is for
    std::optional<ProxiedClients::Endpoint> peer = {};   // where it may be held
  };

  [[nodiscard]] std::optional<Refusal> limit_met(const AddressBytes& client, bool is_exempt) const;
  [[nodiscard]] bool is_away(const AddressBytes& client, Clock::time_point now) const;
  void sweep_if_due(Clock::time_point now);
  void release(Slot& slot);

  const ConnectionLimits limits_;
  const std::shared_ptr<ProxiedClients> proxied_;
  const std::shared_ptr<ConnectionReads> reads_;
  std::vector<Slot> slots_;                         // by descriptor
  std::map<AddressBytes, std::size_t> counts_;      // no hash that a stranger could aim at
  std::map<AddressBytes, Clock::time_point> away_;  // until then
  std::size_t open_ = 0;
  Clock::time_point next_sweep_{};  // not before, however often limits are met
};

}  // namespace terrane::net
