#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/explore_limits.h"
#include "terrane/pose.h"
#include "terrane/result.h"
#include "terrane/world.h"

namespace terrane {

struct ExploreOptions {
  WorldRef world = {};
  LayerMask layers = kAllLayers;
  /// How far to see each level of detail, from lod 0 up: the radius of a disc in chunks of that
  /// level, at most kMaxViewDistance; 0: nothing of that level. Of a coarser level comes only what
  /// finer ones do not show: {8, 8, 8, 8} reaches 64 chunks far.
  std::vector<int> view_distances = {16};
  // out of range, kept should the viewer come back: the oldest go first
  std::size_t kept_chunks = 1024;
  // chunks that have arrived and wait for poll(); beyond that the server is made to wait
  std::size_t max_waiting = 1024;
  // false: chunks come as bytes (proto/FORMAT.md), and none are kept
  bool decode = true;
  // chunks come with their bytes, too; those that were kept come without
  bool with_encoded = false;
};

/// A chunk that has come into view: just sent or made, or kept from earlier.
struct ArrivedChunk {
  Tile tile;
  std::shared_ptr<const Chunk> chunk;          // null unless ExploreOptions::decode
  std::shared_ptr<const std::string> encoded;  // null if it is, unless with_encoded
};

/// One that could not be had. It is not tried again while it stays in range.
struct FailedChunk {
  Tile tile;
  Error error;
};

enum class ExploreState : std::uint8_t {
  // no answer yet, or none since the connection was lost: it is taken up again by itself
  kConnecting,
  kStreaming,
  kEnded,  // for good: ExploreNews::error says why
};

/// What has happened since the last poll().
struct ExploreNews {
  std::vector<ArrivedChunk> arrived;  // in the order of their coming
  std::vector<FailedChunk> failed;
  // the game may drop these: they will be announced again should they come back
  std::vector<Tile> out_of_range;
  ExploreState state = ExploreState::kConnecting;
  // why the stream ended; while connecting: what the last attempt met, if it failed
  std::optional<Error> error;
  // since the last poll() the server was given another world of this name; the stream goes on with
  // the old one until a new Explorer is made
  bool world_changed = false;
  // of land that a server judges (web_socket.h): a tile that was made here and is not the server's
  std::optional<Tile> differs = {};
};

/// Counts since the Explorer was made.
struct ExploreStats {
  std::uint64_t chunks = 0;      // received, or made here
  std::uint64_t bytes = 0;       // of those received, as encoded
  std::uint64_t repeated = 0;    // of these, the viewer had them already: thrown away
  std::uint64_t kept = 0;        // chunks that came from those kept, without the server
  std::uint64_t reconnects = 0;  // after the first connection
  std::size_t in_range = 0;      // chunks that the viewer has and sees now
  std::size_t waiting = 0;       // for poll()
  double decode_us = 0;          // a chunk received, on average lately
  std::chrono::nanoseconds first{
      // from the last jump (a move to where no chunk is at hand) to the chunk underfoot; 0: not yet
      0};
};

/// The terrain around one moving viewer: what the viewer needs most comes first. Client::explore
/// makes one whose land a server streams, any number of which share the Client's connection, and
/// outlive it if need be. Without gRPC connect_explorer() (web_socket.h) does; local_explorer()
/// (local.h) makes one whose land is made in this process, or connect_explorer() one where a server
/// judges that.
///
/// Destroying it ends the stream, and waits for the library's threads to let go of it: for the
/// chunk that each is making, but not for the network, and five seconds at the very most. (Of a
/// WebSocket's Explorer it waits for a TokenProvider that is being asked, and for a name that the
/// system is looking up, as long as they take.)
///
/// A game calls move() and poll() once a frame. Both return at once; chunks are received, decoded
/// and made on threads of the library, which never call into the game. A broken connection is taken
/// up again after these calls, with growing pauses, at another server if there are several; the
/// server is told what is at hand, and sends nothing twice. So is one that a game has not polled
/// for so long that the server gave it up.
///
/// Threads: one at a time; none of gRPC's own, in programs that use gRPC themselves.
class Explorer {
 public:
  /// Says where the viewer is; what is out of range then a poll() soon after tells. Until the first
  /// move() nothing is asked for or made. Blocks: no.
  /// Errors: kInvalidArgument for what is no number, kOutOfRange outside of the world or for speeds
  /// above kMaxVelocity; the viewer stays where it was.
  Result<void> move(const Pose& pose);

  /// What has happened since the last call. Blocks: no.
  [[nodiscard]] ExploreNews poll();

  /// Waits until poll() has something to tell, or the time is over. Blocks: for that long.
  /// @return whether there is something
  bool wait(std::chrono::milliseconds timeout);

  /// A chunk that the viewer has, in range or kept; else null. Always null unless
  /// ExploreOptions::decode. Blocks: no.
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const;

  [[nodiscard]] ExploreStats stats() const;

  Explorer(Explorer&&) noexcept;
  Explorer& operator=(Explorer&&) noexcept;
  ~Explorer();

  class Impl;
  explicit Explorer(std::unique_ptr<Impl> impl);  // for the library alone

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
