#pragma once

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "e2e/client.h"

namespace terrane::e2e {

/// What may carry it.
enum class Over : std::uint8_t { kGrpc, kWebSocket };

/// For names of tests.
inline std::string name_of_carrier(const ::testing::TestParamInfo<Over>& over) {
  return over.param == Over::kGrpc ? "grpc" : "web_socket";
}

/// A viewer's end of one Explore, whatever carries it. Blocks, but no longer than its patience.
/// Threads: one.
class ExploreTalk {
 public:
  virtual ~ExploreTalk() = default;

  /// @return false when the stream has ended
  virtual bool write(const v1::ExploreRequest& request) = 0;
  virtual bool read(v1::ExploreResponse& response) = 0;
  /// Says no more.
  virtual void close() = 0;
  /// How it ended: once read() is false.
  virtual grpc::Status finish() = 0;
  /// Ends it, whatever is on its way.
  virtual void cancel() = 0;
};

/// Over gRPC. @param calls_for  the address that a proxy would say it is; empty: none
std::unique_ptr<ExploreTalk> talk_over_grpc(Client& client, std::chrono::seconds patience,
                                            const std::string& calls_for = "");

/// Over a WebSocket.
std::unique_ptr<ExploreTalk> talk_over_web_socket(const std::string& http_address,
                                                  std::chrono::seconds patience);

/// By what a client is made for: explore_over().
std::unique_ptr<ExploreTalk> talk_to(Client& client, std::chrono::seconds patience,
                                     const std::string& calls_for = "");

}  // namespace terrane::e2e
