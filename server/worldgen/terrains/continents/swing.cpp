#include "worldgen/terrains/continents/swing.h"

#include "worldgen/noise/hash.h"

namespace terrane::worldgen::continents {

Swing swing_of(const Drainage& drainage, const Rivers& rivers, const Course& course) {
  constexpr float kShortest = 150.0f, kLongest = 400.0f;  // waves, blocks
  constexpr float kSteepestOfWave = 6.0f;                 // of wave_at
  constexpr float kInMountains = 0.53f;                   // share of what there is on plains
  constexpr float kDryValleys = 0.4f;                     // share of what there is along rivers
  const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
  const float length = std::sqrt(dx * dx + dy * dy);
  const float wave =
      std::min(std::max(11.0f * rivers.width * std::sqrt(course.area), kShortest), kLongest);
  const std::uint64_t hash =
      noise::combine(static_cast<std::uint64_t>(course.x), static_cast<std::uint64_t>(course.y));
  // Which side it goes to first says the place where it begins, and where it ends the next
  // course's: so it goes on straight there.
  const std::uint64_t next = noise::combine(static_cast<std::uint64_t>(course.x + course.dx),
                                            static_cast<std::uint64_t>(course.y + course.dy));
  const float odd = ((hash ^ next) >> 16 & 1) != 0 ? 1.0f : 0.0f;
  const float halves =
      std::max(2.0f * std::floor(length / wave + 0.5f * (1.0f - odd)) + odd, 2.0f - odd);
  const float chance = static_cast<float>(hash & 0xffff) * (1.0f / 65536.0f);
  const float gentle = 1.0f - course.steepness;
  const float share = (kInMountains + (1.0f - kInMountains) * gentle * gentle) *
                      (0.73f + 0.5f * chance) * (course.is_dry ? kDryValleys : 1.0f);
  // a wave that has to be shorter, on a short course, is a weaker one, or its bends were too sharp;
  // as is the only one of a brook that is soon in a river
  const float shorter =
      std::min(2.0f * length / (halves * wave), 1.0f) *
      std::min(length / (course.is_last ? 1.5f * wave : std::max(length, 1.0f)), 1.0f);
  const float width = std::min(drainage.swing * share * shorter * shorter * length /
                                   (0.5f * halves * kSteepestOfWave),
                               kWidestSwing) *
                      course.swinging;
  constexpr float kMostUneven = 0.3f;
  const float uneven =
      kMostUneven * (static_cast<float>(hash >> 32 & 0xffff) * (2.0f / 65536.0f) - 1.0f);
  return {(hash >> 16 & 1) != 0 ? width : -width, 0.5f * halves, uneven,
          course.is_last || course.is_calmed ? 1.0f : 0.0f};
}

}  // namespace terrane::worldgen::continents
