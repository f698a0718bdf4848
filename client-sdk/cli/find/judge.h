#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cli/find/survey.h"
#include "cli/find/wish.h"
#include "terrane/coord.h"
#include "terrane/world.h"
#include "worldgen/world.h"

namespace terrane::cli {

/// How a seed fulfils a wish.
struct Evidence {
  std::optional<BlockPos> block;  // the nearest of what was wished for
  int percent = 0;                // of the ground there
  int biomes = 0;                 // of different names
};

/// Says which seeds fulfil wishes: by few samples first, and those that may do by more. What it
/// says is there is there, in the very blocks; a patch or a river that lies between the samples, a
/// 64th to a 32nd of the wish's radius apart, is missed, and "no" and shares are as sure as that.
/// Immutable; threads: any that has called worldgen::set_default_float_environment().
class Judge {
 public:
  /// @param world      as it was compiled
  /// @param described  what the server says of it
  /// @param place      what the wishes are around
  Judge(const worldgen::World& world, World described, std::vector<Wish> wishes, BlockPos place);

  /// One for each wish, if the seed fulfils them all.
  [[nodiscard]] std::optional<std::vector<Evidence>> judge(std::uint64_t seed) const;

  [[nodiscard]] const std::vector<Wish>& wishes() const { return wishes_; }

 private:
  [[nodiscard]] std::int64_t stride_for(std::int64_t radius, std::int64_t samples) const;
  enum class Verdict : std::uint8_t { kNo, kPerhaps, kYes };
  [[nodiscard]] Verdict glance(Survey& survey, const Wish& wish) const;
  [[nodiscard]] std::optional<Evidence> fulfils(Survey& survey, const Wish& wish) const;
  struct Count;
  [[nodiscard]] Count count(Survey& survey, const Wish& wish, std::int64_t stride) const;
  [[nodiscard]] bool matches(const Survey& survey, const Lattice& lattice, std::size_t i,
                             const Wish& wish) const;
  [[nodiscard]] std::optional<BlockPos> nearest_structure(std::uint64_t seed,
                                                          const Wish& wish) const;
  [[nodiscard]] std::optional<BlockPos> nearest_harbour(Survey& survey, const Wish& wish) const;

  const worldgen::World& world_;
  const worldgen::World land_;      // without what stands in it
  const worldgen::World levelled_;  // without what grows in it
  const World described_;
  const std::vector<Wish> wishes_;
  const BlockPos place_;
  std::vector<std::size_t> order_;  // of the wishes, the cheapest first
};

}  // namespace terrane::cli
