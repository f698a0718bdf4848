#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "terrane/v1/world_service.grpc.pb.h"

namespace terrane::drills {

/// A connection that comes from an address of this machine, such as 127.0.0.7: to the server, a
/// client of its own. Throws std::runtime_error when the server can't be reached.
/// @param server  "127.0.0.1:PORT"
int connect_socket(const std::string& source, const std::string& server);

/// The same for calls. It is not made anew when it breaks.
std::shared_ptr<grpc::Channel> connect_from(const std::string& source, const std::string& server);

/// A client that asks for more than is good for others, by requests that are all within the limits.
/// It stays until its process ends.
struct Attacker {
  std::string server;
  std::string http;  // the server's other port
  std::string source;
  std::uint64_t seed = 0;  // of its world: nobody else asks for these chunks
  std::atomic<std::uint64_t> done = 0;

  [[nodiscard]] std::unique_ptr<v1::WorldService::Stub> connect() const {
    return v1::WorldService::NewStub(connect_from(source, server));
  }
  [[nodiscard]] v1::WorldRef world() const;
};

struct Attack {
  const char* name;
  void (*begin)(Attacker& attacker);  // starts its threads and calls, and returns
  const char* counts;                 // what Attacker::done counts
  bool explores = false;              // it holds streams
};

/// None: work for one processor, of which the server hears nothing. Processors may be halves of
/// one, where whatever keeps the one busy slows the other down.
extern const Attack kNoAttack;

/// By calls other than Explore, by streams of Explore, by the HTTP port, and by streams there.
std::vector<Attack> call_attacks();
std::vector<Attack> explore_attacks();
std::vector<Attack> http_attacks();
std::vector<Attack> web_socket_attacks();
std::vector<Attack> connection_attacks();
const std::vector<Attack>& all_attacks();

}  // namespace terrane::drills
