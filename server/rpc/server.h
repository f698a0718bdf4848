#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "net/certificates.h"
#include "net/client_address.h"
#include "rpc/backend.h"
#include "rpc/connection_policy.h"
#include "rpc/limits.h"
#include "rpc/memory_watch.h"
#include "rpc/pace.h"
#include "terrane/result.h"

namespace terrane::rpc {

class WorldService;

/// The gRPC port: WorldService, health and reflection. One per process.
class Server {
 public:
  using Certificates = std::shared_ptr<const net::LiveCertificates>;

  /// Listens and serves; health says SERVING.
  /// @param address  HOST:PORT; port 0 takes a free one
  /// @param certificates  with which connections are encrypted; null: they are in the clear
  /// Errors: kUnavailable when the address can't be listened on, with the reason.
  static Result<std::unique_ptr<Server>> start(const std::string& address, Backend backend,
                                               Limits limits = {}, StreamPace pace = {},
                                               const ExplorePace& explore_pace = {},
                                               const ConnectionPolicy& connections = {},
                                               Certificates certificates = nullptr);

  /// Cancels the calls that are left, and waits for them.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// HOST:PORT, with the port in use.
  [[nodiscard]] const std::string& address() const;

  /// Whoever is kept out for a while (ADR 18) is told to another port as well. Threads: any.
  using SendAway = MemoryWatch::SendAway;
  void also_send_away(SendAway other);

  /// For calls that come by another port. All of them must be over when the server ends.
  [[nodiscard]] WorldService& service();

  /// Health says NOT_SERVING and new calls get UNAVAILABLE; waits for those in progress, and
  /// cancels what is left after `timeout`.
  /// @return how many calls were cancelled
  /// Blocks. Call once.
  std::size_t drain(std::chrono::milliseconds timeout);

  /// From now on health says that the server does not serve, though it does.
  void announce_end();

  /// Whether somebody has asked for the health within that time, or watches it.
  [[nodiscard]] bool health_asked_within(std::chrono::milliseconds time) const;

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::rpc
