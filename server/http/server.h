#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "http/limits.h"
#include "http/routes.h"
#include "http/world_routes.h"
#include "net/certificates.h"
#include "net/client_address.h"
#include "net/port_state.h"
#include "ops/metrics.h"
#include "terrane/result.h"

namespace terrane::http {

/// The HTTP port: one thread that serves every connection.
class Server {
 public:
  using Certificates = std::shared_ptr<const net::LiveCertificates>;

  /// Listens and serves.
  /// @param address          HOST:PORT; port 0 takes a free one
  /// @param metrics, phase, ports  outlive the server, which says in `ports` whether it accepts
  /// @param certificates     with which connections are encrypted; null: they are in the clear.
  ///   Where clients are asked for theirs, those without get /healthz and /readyz alone
  /// @param worlds           what is below /v1, which outlives the server; null: nothing
  /// Errors: kUnavailable when the address can't be listened on, with the reason.
  static Result<std::unique_ptr<Server>> start(const std::string& address, ops::Metrics& metrics,
                                               const std::atomic<Phase>& phase,
                                               net::PortStates& ports, Limits limits = {},
                                               Certificates certificates = nullptr,
                                               const WorldRoutes* worlds = nullptr);

  /// Closes the port and every connection; waits for an answer that is being made.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// HOST:PORT, with the port in use.
  [[nodiscard]] const std::string& address() const;

  /// Keeps a client out for a while and closes its connections, as net::AcceptLoop does. May be
  /// called on any thread, and after the server's end, when it does nothing.
  using SendAway = std::function<void(const net::AddressBytes& client,
                                      std::chrono::milliseconds time, const std::string& why)>;
  [[nodiscard]] SendAway send_away() const;

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::http
