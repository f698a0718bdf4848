#pragma once

#include <span>
#include <vector>

#include "worldgen/terrains/continents/network.h"

/// Rivers that swing, and yet meet only once.
namespace terrane::worldgen::continents {

/// Blocks: the middles of two rivers that meet lie no further from each other's courses.
[[nodiscard]] float furthest_meeting(const Rivers& rivers);

/// Whether two courses end at one place, at a sharp angle: neither should swing there.
[[nodiscard]] bool meet_sharply(const Course& one, const Course& other);

/// Has courses swing less where two of them would meet, part and meet again.
/// @param courses  of the finest level: those of coarser ones in pieces
void calm_pairs(const NetworkKey& key, std::span<Course> courses);

/// What of its swing a course may have.
struct Calm {
  float share = 1;
  const Course* met =
      nullptr;           // it meets this one all the same, and more than once; the first time
  float at = 1, on = 0;  // ... there: shares of their lengths
};

/// What a course may have beside others, which keep theirs.
[[nodiscard]] Calm calm_beside(const NetworkKey& key, const Course& course,
                               std::span<const Course> others);

/// The share that both of two courses may have that end at one place, or of which one goes on.
[[nodiscard]] float calm_together(const NetworkKey& key, const Course& one, const Course& other);

}  // namespace terrane::worldgen::continents
