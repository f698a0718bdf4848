#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rpc/checks/place_check.h"
#include "terrane/coord.h"
#include "terrane/result.h"

namespace terrane::http {

/// What a URL below /v1 is about, as far as its text says.
struct Place {
  enum class Thing : std::uint8_t {
    kChunk,
    kBundle,
    kTile,
    kMercatorTile,
    kTileJson,
    // calls of the API, with answers in JSON
    kPoints,
    kLocate,
    kStructure
  };

  rpc::NamedVariant variant;
  bool is_permanent = false;  // by fingerprint: what is there will never change
  Thing thing = Thing::kChunk;
  std::string layer;      // of tiles
  std::uint32_t lod = 0;  // of tiles: how near, the other way round
  ChunkCoord coord;       // in things
  // of calls: the points, where to look from, or the anchor
  std::vector<BlockPos> points = {};
  std::string target = {}, name = {};  // "biome", "desert"
  std::uint32_t radius = 0;            // blocks; 0: not said
};

/// Whether what is there is the answer of a call.
[[nodiscard]] constexpr bool is_call(Place::Thing thing) { return thing >= Place::Thing::kPoints; }

/// How tiles are drawn; part of their permanent URLs. Grows when any pixel changes.
inline constexpr std::uint32_t kStyleVersion = 1;

/// @param parts   of a path, behind "v1"
/// @param target  the whole of it, for errors
/// Errors: kNotFound for no path that there is, or a format or style that is not served;
///   kInvalidArgument for a number that is none, or written in another way than the usual.
[[nodiscard]] Result<Place> read_place(std::span<const std::string> parts, std::string_view target);

/// The same place by fingerprint and seed: "/v1/f/…".
[[nodiscard]] std::string permanent_path(const Place& place, WorldFingerprint fingerprint,
                                         std::uint64_t seed);

/// Where the tiles of a TileJSON are, as it wants it: "/v1/…/{z}/{x}/{y}.png".
[[nodiscard]] std::string tile_template(const Place& place);

}  // namespace terrane::http
