#pragma once

#include <cstdint>
#include <list>
#include <optional>

#include "terrane/coord.h"
#include "terrane/world.h"
#include "worldgen/generate.h"

namespace terrane::cli {

/// Samples around a block: every `stride`-th along each axis, at whole multiples of it.
struct Lattice {
  BlockPos first;
  std::int64_t stride = 1;
  int width = 0, height = 0;
  worldgen::GridLayers layers;

  [[nodiscard]] BlockPos block(std::size_t i) const {
    const auto at = static_cast<std::int64_t>(i);
    return {first.x + at % width * stride, first.y + at / width * stride};
  }
  /// The index of the sample at a block of the lattice, if it has it.
  [[nodiscard]] std::optional<std::size_t> at(BlockPos block) const;
};

/// What water a sample is under: the biome's row says it of rivers and lakes, and the sea is as
/// high as the sea is.
enum class Wetness : std::uint8_t { kDry, kSea, kRiver, kLake, kOther };

/// Looks at the land of one seed as coarsely as will do: the same samples as the server's chunks
/// hold, made here. Threads: one at a time.
class Survey {
 public:
  /// @param land  the compiled world, or some of it; both outlive the survey
  Survey(const worldgen::World& land, const World& described, std::uint64_t seed)
      : land_(land), described_(described), seed_(seed) {}

  /// All samples within `radius` blocks of a place, along each axis, and some more.
  /// @param stride  a power of two, 2^max_lod at most; the place is within 64 of them of each edge
  [[nodiscard]] const Lattice& around(BlockPos place, std::int64_t radius, std::int64_t stride);

  /// Of a sample of a lattice.
  [[nodiscard]] Wetness wetness(const Lattice& lattice, std::size_t i) const;

  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  const worldgen::World& land_;
  const World& described_;
  const std::uint64_t seed_;
  std::list<Lattice> lattices_;
};

}  // namespace terrane::cli
