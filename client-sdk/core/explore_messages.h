#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/tile_blocks.h"
#include "terrane/coord.h"
#include "terrane/explorer.h"
#include "terrane/pose.h"
#include "terrane/result.h"

/// The messages of Explore (explore.proto) as a client reads and writes them, without protobuf.
/// Pure functions; threads: any; they block on nothing.
namespace terrane::client {

/// A tile as a message names it: nothing is checked.
struct WireTile {
  std::uint32_t lod = 0;
  ChunkCoord coord;
};

struct ChunkMessage {
  WireTile tile;
  std::string_view encoded;  // a part of the bytes that were read
};

struct FailureMessage {
  WireTile tile;
  std::int32_t code = 0;  // of gRPC's status codes
  std::string message;
};

/// Of a Welcome, what a client acts upon; the limits are for those who write clients.
struct WelcomeMessage {
  WorldFingerprint fingerprint = 0;
  std::uint32_t chunk_size = 0;
  std::uint32_t format = 0;
  std::uint32_t heartbeat_ms = 0;
};

struct ResponseMessage {
  std::vector<ChunkMessage> chunks;
  std::vector<FailureMessage> failures;
  std::uint64_t batch = 0;
  std::vector<explore::TileBlock> out_of_range;
  std::optional<WelcomeMessage> welcome;
  std::optional<std::uint32_t> resume_after_ms;  // of a GoAway
  bool world_changed = false;
  bool ending = false;
};

/// Reads an ExploreResponse; unknown fields are skipped. Errors: kDataLoss when the bytes are no
/// such message, or it has more parts than any server sends.
/// @return refers to `bytes`
[[nodiscard]] Result<ResponseMessage> read_response(std::string_view bytes);

/// What a Move says.
struct MoveMessage {
  std::uint64_t number = 0;
  Pose pose;
  std::span<const explore::TileBlock> have;
};

struct HelloMessage {
  std::uint32_t format = 0;
  MoveMessage move;
  std::string_view token = {};  // of a client that can send no header; empty: none
  bool makes_chunks = false;
};
/// ExploreRequests, serialised with fields in the order of their numbers, defaults left out.
/// @param options  as Client::explore has checked them
[[nodiscard]] std::string write_hello(const ExploreOptions& options, const HelloMessage& hello);
[[nodiscard]] std::string write_move(const MoveMessage& move);
[[nodiscard]] std::string write_ack(std::uint64_t batch, std::uint64_t chunk_ns);
/// @param hash  the low bits of codec::hash_chunk
[[nodiscard]] std::string write_made(const Tile& tile, std::uint32_t hash);

}  // namespace terrane::client
