#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/client.h"
#include "e2e/server_process.h"

namespace terrane::e2e {

/// A server with a cache of its own, ready, and a client of it.
struct RunningServer {
  explicit RunningServer(const TempDirectory& data, std::vector<std::string> flags = {})
      : process(
            (flags.insert(flags.end(), {"--data", data.path() / "cache", "--cache-size", "64MiB"}),
             flags)),
        client(process.address()) {
    EXPECT_NE(process.ready_line(), "") << process.log();
  }

  /// Stops it, and expects a clean end.
  void stop_cleanly() {
    process.terminate();
    expect_clean_end();
  }

  /// Of a server that was told to stop: exit code 0, and a log without a complaint.
  void expect_clean_end() {
    EXPECT_EQ(process.wait(), 0) << process.log();
    for (const char* complaint : {" warning ", " error ", " critical ", "Sanitizer"}) {
      EXPECT_EQ(process.log().find(complaint), std::string::npos) << process.log();
    }
  }

  ServerProcess process;
  Client client;
};

}  // namespace terrane::e2e
