#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "http/server.h"
#include "ops/metrics.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"

namespace terrane::http {

using test::Answer;
using test::Connection;
using test::get;

/// An HTTP port on loopback, and what it shows.
struct Rig {
  explicit Rig(const Limits& limits = {})
      : server(*Server::start("127.0.0.1:0", metrics, phase, ports, limits)) {}

  [[nodiscard]] Connection connect(int receive_buffer = 0) const {
    return Connection(server->address(), receive_buffer);
  }

  /// Whether the metrics have this line.
  [[nodiscard]] bool shows(const std::string& line) const {
    return test::has_line(metrics.text(), line);
  }

  /// Blocks until it has: the server counts an end when it sees it, perhaps after the client.
  void await(const std::string& line) const {
    while (!shows(line)) std::this_thread::yield();
  }

  ops::Metrics metrics;
  std::atomic<Phase> phase = Phase::kServing;
  net::PortStates ports;
  std::unique_ptr<Server> server;
};

}  // namespace terrane::http
