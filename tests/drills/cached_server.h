#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "e2e/server_process.h"
#include "terrane/client.h"

/// Drills start the real server, harm it, and read it with the real SDK. Each prints one line of
/// figures.
namespace terrane::drills {

using test::TempDirectory;
using Chunks = std::map<ChunkCoord, Chunk>;

/// The square of `edge` x `edge` chunks that is the `index`-th along x. Squares of one edge do not
/// overlap.
ChunkRectangle square(int index, int edge);

/// A terraned of our own with its cache in a given directory, and a client of it. Killed with this
/// object.
class CachedServer {
 public:
  /// Starts it; blocks until it is ready or has ended.
  explicit CachedServer(const std::filesystem::path& cache, std::vector<std::string> flags = {});

  /// It started, and said so.
  [[nodiscard]] bool ready() const { return client_.has_value(); }

  /// Chunks that it had in its cache when it started, from its ready line.
  [[nodiscard]] std::size_t chunks_at_start() const;

  /// How long the start took.
  [[nodiscard]] double start_seconds() const { return start_seconds_; }

  /// The chunks of a rectangle, or null when the server or its connection ended before all were
  /// there.
  [[nodiscard]] std::optional<Chunks> fetch(const ChunkRectangle& area) const;

  /// Starts to stream a rectangle, waits for `chunks` of them, and kills the server (SIGKILL) in
  /// the middle of it.
  void kill_after(const ChunkRectangle& area, std::size_t chunks);

  [[nodiscard]] e2e::ServerProcess& process() { return *process_; }
  [[nodiscard]] const Client& client() const { return *client_; }

 private:
  std::unique_ptr<e2e::ServerProcess> process_;  // null once killed
  double start_seconds_ = 0;
  std::optional<Client> client_;
};

/// What chunks are: from a server that keeps nothing.
class Truth {
 public:
  Truth() : server_("", {"--no-cache"}) {}

  /// How many chunks of the rectangle are missing or other than freshly generated ones.
  [[nodiscard]] std::size_t wrong(const Chunks& got, const ChunkRectangle& area);

 private:
  CachedServer server_;
  // by a rectangle's first chunk, for those asked for again and again
  std::map<ChunkCoord, Chunks> known_;
};

/// Copies a cache: its files as they are at this moment.
void copy_cache(const std::filesystem::path& from, const std::filesystem::path& to);

/// Makes a cache of some squares in `cache`, stopped cleanly.
void fill_cache(const std::filesystem::path& cache, const std::vector<ChunkRectangle>& areas);

/// What a server made of a harmed cache.
struct Survival {
  int restarts = 0;         // it ended by itself, and was started again
  std::size_t wrong = 0;    // chunks other than fresh ones, or missing
  std::size_t counted = 0;  // bad checksums, by the server's own count
  std::size_t kept = 0;     // chunks in the cache at the last start
  bool wiped = false;
};

/// Serves old and new chunks from a harmed cache, with restarts while it crashes (three at most),
/// until it has stopped cleanly.
Survival survive(const std::filesystem::path& cache, const ChunkRectangle& old_area,
                 const ChunkRectangle& new_area, Truth& truth);

}  // namespace terrane::drills
