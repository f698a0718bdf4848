#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "net/client_address.h"
#include "net/port_options.h"
#include "ops/metrics.h"
#include "terrane/result.h"

namespace terrane::net {

/// An AcceptLoop with a thread of its own, for those who know nothing of Asio.
class PortThread {
 public:
  /// Binds; connections queue up in the system until start().
  /// @param address  HOST:PORT; port 0 takes a free one
  /// @param metrics  outlives the port
  /// Errors: kUnavailable with the system's reason alone. Blocks on the resolver.
  static Result<std::unique_ptr<PortThread>> listen(const std::string& address, PortOptions options,
                                                    ops::Metrics& metrics);

  /// stop().
  ~PortThread();
  PortThread(const PortThread&) = delete;
  PortThread& operator=(const PortThread&) = delete;

  /// HOST:PORT, with the port in use.
  [[nodiscard]] const std::string& address() const;

  /// Begins to accept. Call once.
  /// @param take  called on the port's thread with each connection; brief
  void start(TakeConnection take);

  /// Closes a client's connections, but those that are exempt from the limits of a client, and for
  /// this time takes no other of it. Soon, if memory lasts; without a port that runs, never.
  /// @param why  for the log
  /// Threads: any, until it ends.
  void send_away(const AddressBytes& client, std::chrono::milliseconds time, std::string why);

  /// Closes the port; then `take` is not called any more. Blocks while it is. May be called again.
  void stop();

 private:
  class Impl;
  explicit PortThread(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::net
