#pragma once

#include <poll.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/simulated_link_timing.h"
#include "terrane/mutex.h"

namespace terrane::test {

struct LinkOptions {
  LinkDirection up;    // from client to server
  LinkDirection down;  // from server to client
  std::uint64_t seed = 1;
};

/// A link of this rate and round trip, half of it each way, and with a queue that holds `queue_ms`
/// of it.
[[nodiscard]] LinkOptions plain_link(
    double bits_per_second, std::chrono::milliseconds round_trip,
    std::chrono::milliseconds queue = std::chrono::milliseconds(20));

/// A network between clients and one server on this machine: connect to address() instead of the
/// server's. Each connection has a link of its own, which delays, paces and loses (see LinkTiming)
/// in real time. What does not fit into a link's queue is not read, so that it piles up at the
/// sender, as it does before a slow network; besides the queue, the kernel holds 32 KiB or so.
/// Holds 4 MiB a connection and direction at most. Threads: any; a thread of its own does the work.
class SimulatedLink {
 public:
  /// @param server  HOST:PORT, HOST a number. Throws std::runtime_error when there is no port for
  ///   it.
  SimulatedLink(const std::string& server, const LinkOptions& options);
  ~SimulatedLink();
  SimulatedLink(const SimulatedLink&) = delete;
  SimulatedLink& operator=(const SimulatedLink&) = delete;

  /// HOST:PORT.
  [[nodiscard]] std::string address() const;

  /// Other properties from now on, for what is not yet on its way.
  void change(const LinkOptions& options);

  /// Nothing passes any more, and nobody is told; new connections hang, too. Then on again, late.
  void stall();
  void resume();

  /// Resets all connections, soon, as a network does that forgets them. New ones are welcome.
  void cut();

  /// Bytes given to clients so far.
  [[nodiscard]] std::uint64_t bytes_down() const { return bytes_down_; }
  /// Bytes given to the server so far.
  [[nodiscard]] std::uint64_t bytes_up() const { return bytes_up_; }

 private:
  class Connection;

  void run();
  LinkTiming::Clock::time_point pass(std::vector<pollfd>& sockets);
  void accept_one() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void wake() const;

  std::uint32_t server_host_ = 0;  // network byte order, as the port
  std::uint16_t server_port_ = 0;
  int listener_ = -1, wake_ = -1;

  Mutex mutex_;
  LinkOptions options_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t connected_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<Connection>> connections_ ABSL_GUARDED_BY(mutex_);
  bool stalled_ ABSL_GUARDED_BY(mutex_) = false;

  std::atomic<bool> ended_ = false, cut_ = false;
  std::atomic<std::uint64_t> bytes_down_ = 0, bytes_up_ = 0;
  std::thread thread_;
};

}  // namespace terrane::test
