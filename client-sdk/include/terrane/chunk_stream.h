#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/world.h"

namespace terrane {

/// All chunks with first.x <= x <= last.x and first.y <= y <= last.y.
struct ChunkRectangle {
  ChunkCoord first;
  ChunkCoord last;
};

/// Which chunks to stream.
struct ChunksRequest {
  WorldRef world = {};
  // repeats in a list are answered once
  std::variant<std::vector<ChunkCoord>, ChunkRectangle> area = {};
  Lod lod = 0;
  LayerMask layers = kAllLayers;
  /// The chunk that matters most; none: the first of a list, the middle of a rectangle.
  std::optional<ChunkCoord> focus = {};
};

/// One chunk that could not be had, while the stream goes on.
struct ChunkFailure {
  ChunkCoord coord;
  Error error;
};

using ChunkOrFailure = tl::expected<Chunk, ChunkFailure>;

/// A chunk as the server sent it (proto/FORMAT.md): for programs that pass chunks on, keep them, or
/// decode them on other threads.
struct EncodedChunk {
  ChunkCoord coord;
  std::string bytes;  // whatever came: decode() checks it

  friend bool operator==(const EncodedChunk&, const EncodedChunk&) = default;
};

using EncodedChunkOrFailure = tl::expected<EncodedChunk, ChunkFailure>;

/// Decodes the layers of `layers` that the bytes hold. Threads: any. Blocks: no.
/// Errors: kDataLoss when the bytes are damaged.
[[nodiscard]] Result<Chunk> decode(const EncodedChunk& chunk, LayerMask layers = kAllLayers);

/// The chunks of one request, as the server makes them. Made by Client::chunks; outlives its Client
/// if need be. Destroying it cancels what is left, and waits for the library's threads to let go of
/// it: not for the network, and five seconds at the very most. Threads: one at a time, except
/// cancel().
class ChunkStream {
 public:
  /// Waits for the next chunk. Every chunk asked for comes exactly once, as a chunk or as a
  /// failure; then nullopt. A broken connection is taken up again behind the scenes, at another of
  /// the servers if there are several, asking only for what has not arrived, for as long as the
  /// deadline lasts; the error then says how many chunks are missing. Blocks: until a chunk is
  /// there, at most until the deadline of ClientOptions, counted from Client::chunks. Errors end
  /// the stream: those of the request as a whole (Client::chunk lists them), kInvalidArgument when
  /// it asks for no chunk or for too many, kCancelled after cancel(), kDataLoss when the server
  /// answers what was not asked.
  [[nodiscard]] Result<std::optional<ChunkOrFailure>> next();

  /// Like next(), but without decoding, which is most of a client's work: the bytes are not looked
  /// at. Calls of both may alternate.
  [[nodiscard]] Result<std::optional<EncodedChunkOrFailure>> next_encoded();

  /// Makes a next() that is waiting, and every later one, return kCancelled soon. Blocks: no.
  /// Threads: any.
  void cancel();

  ChunkStream(ChunkStream&&) noexcept;
  ChunkStream& operator=(ChunkStream&&) noexcept;
  ~ChunkStream();

  class Impl;
  explicit ChunkStream(std::unique_ptr<Impl> impl);  // for Client alone

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
