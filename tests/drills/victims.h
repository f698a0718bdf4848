#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "drills/overload_load.h"
#include "terrane/v1/world_service.grpc.pb.h"

namespace terrane::drills {

/// What a client had of the server for a while. Threads: its own only, but for `enough`.
struct Life {
  Life(std::shared_ptr<grpc::Channel> connection, std::uint64_t seed_of_world,
       const std::atomic<bool>& until)
      : channel(std::move(connection)),
        stub(v1::WorldService::NewStub(channel)),
        seed(seed_of_world),
        enough(until) {}

  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::WorldService::Stub> stub;
  const std::uint64_t seed;  // of its world: nobody else asks for these chunks
  const std::atomic<bool>& enough;

  std::uint64_t had = 0;  // in the victim's unit
  Latencies waits;        // for each answer, or for the chunk underfoot
  std::uint64_t failed = 0;
  std::string failure;  // the last

  /// Counts an answer, or a failure.
  void note(const grpc::Status& status, Clock::time_point asked, std::uint64_t units);
  [[nodiscard]] v1::WorldRef world() const;
};

/// Somebody who wants what is theirs.
struct Victim {
  const char* name;
  const char* unit;
  void (*live)(Life& life);  // blocks until it is enough
  bool takes_all;            // that it can have; otherwise it asks for the same each second
  bool has_share;            // what it keeps is to be its share at least
  double most_ms;            // p99 of its waits; 0: as long as it takes
  bool never_fails;
};

/// Cold GetChunks, a flight at 100 blocks a second, 100 points a second, ListWorlds and health.
const std::vector<Victim>& victims();

/// What a victim had of a server for a while.
struct Had {
  double a_second = 0;
  double p99_ms = 0;
  std::uint64_t failed = 0;
  std::string failure;
};

/// Lets all victims live at a time, each as a client of its own, for so long.
/// @param network  of their addresses: "127.0.1."
/// @param seed  of the world of the first; the next ones' follow
std::vector<Had> live(const std::string& server, const std::string& network, std::uint64_t seed,
                      Clock::duration time);

}  // namespace terrane::drills
