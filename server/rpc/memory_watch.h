#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "net/client_address.h"
#include "net/connection_reads.h"

namespace terrane::rpc {

/// Memory of the process that is nobody's file, as the system sees it.
struct ProcessMemory {
  std::uint64_t limit = 0;  // bytes that it may have; 0: unknown
  std::function<std::uint64_t()> used = {};
  std::function<void()> give_back = {};  // to the system, what is not in use; may be empty
};

/// The last resort where memory ends: gRPC keeps what nobody can account for, up to a megabyte for
/// each connection that sends frames of no call (ADR 15). Where seven eighths of what the process
/// may have are in use, whatever for, the client whose open connections have brought most by weight
/// is sent away: for two seconds, and twice as long each time it happens again within a minute; the
/// next one a second later. Not where it has sent less than a sixty-fourth of the memory, or 8 MiB;
/// where no more than a sixteenth of it is left, or will be a fifth of a second on, a megabyte is
/// enough, nobody is waited for, and as many go at once as hold what is too much, but nobody who
/// has brought less than a quarter of the first's.
/// Threads: one at a time.
class MemoryWatch {
 public:
  using Clock = net::ConnectionReads::Clock;
  /// Closes a client's connections, and keeps it out for so long.
  using SendAway = std::function<void(const net::AddressBytes& client,
                                      std::chrono::milliseconds time, const std::string& why)>;

  /// A client's share beside others'.
  using WeightOf = std::function<std::uint32_t(const net::AddressBytes& client)>;

  /// @param send_away  brief
  MemoryWatch(ProcessMemory memory, SendAway send_away, WeightOf weight_of);

  /// To be called often: it looks ten times a second, 30 us each time.
  /// May throw std::bad_alloc.
  void look(const net::ConnectionReads& connections, Clock::time_point now);

  /// Whether three quarters were in use at the last look: then what makes gRPC keep more should
  /// come slowly, so that there is time to see who it is.
  [[nodiscard]] bool is_tight() const { return used_ > memory_.limit - memory_.limit / 4; }

 private:
  struct Away {
    Clock::time_point back{};  // when it may come, or could last
    unsigned times = 0;
  };

  struct Client {
    net::AddressBytes address{};
    std::uint64_t bytes = 0, by_weight = 0;  // that its open connections have brought
  };

  [[nodiscard]] std::uint64_t most() const { return memory_.limit - memory_.limit / 8; }
  [[nodiscard]] bool is_short(Clock::time_point now);
  /// Who may come and has brought that at least: most first, by weight.
  [[nodiscard]] std::vector<Client> who_brought(const net::ConnectionReads& connections,
                                                std::uint64_t least, Clock::time_point now) const;
  void send_away(const net::AddressBytes& client, Clock::time_point now);
  void report(Clock::time_point now);

  const ProcessMemory memory_;
  const SendAway send_away_;
  const WeightOf weight_of_;
  std::map<net::AddressBytes, Away> away_;
  Clock::time_point looked_{}, gave_back_{}, sent_away_{}, reported_{};  // last
  std::uint64_t used_ = 0, used_then_ = 0;  // at the last look, and when one was sent away
  std::uint64_t seen_ = 0;                  // at the last look, before anything was given back
};

}  // namespace terrane::rpc
