#pragma once

#include <cstdint>
#include <optional>

#include "rpc/checks/request_check.h"
#include "rpc/terrain_queries.h"
#include "rpc/unary/nearest_search.h"

namespace terrane::rpc {

/// What a Locate looks for: which squares suit it, and what is the nearest in one.
/// Immutable; threads: any that generates.
class LocateTarget {
 public:
  LocateTarget(LocateQuery query, TerrainQueries terrain)
      : query_(std::move(query)), terrain_(std::move(terrain)) {}

  [[nodiscard]] NearestSearch::Area area() const;

  /// The nearest hit in a square of area().edge blocks, within the radius. A millisecond or so.
  /// Both throw worldgen::Abandoned where `abandon` says so.
  [[nodiscard]] std::optional<Hit> look(const SearchSquare& square,
                                        const worldgen::Abandon& abandon) const;

  /// The answer, when `hit` is the nearest one that look() found: of a biome, whatever of it
  /// between the blocks looked at is nearer.
  [[nodiscard]] Hit refined(const Hit& hit, const worldgen::Abandon& abandon) const;

 private:
  [[nodiscard]] std::optional<Hit> nearest_biome(ChunkCoord chunk, Lod lod,
                                                 const worldgen::Abandon& abandon) const;
  [[nodiscard]] std::optional<Hit> nearest_structure(const SearchSquare& square,
                                                     const worldgen::Abandon& abandon) const;
  void take_if_nearer(std::optional<Hit>& best, const Hit& hit) const;

  const LocateQuery query_;
  const TerrainQueries terrain_;
};

}  // namespace terrane::rpc
