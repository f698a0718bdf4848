#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "worldgen/terrains/continents/network.h"

/// How rivers swing from one side of their valley to the other.
namespace terrane::worldgen::continents {

/// A wave of period 1 made of cubics, 1 at whole phases and -1 halfway, with its derivative.
struct Wave {
  float value, slope;
};

[[nodiscard]] inline Wave wave_at(float phase) {
  // positive, as phases are small
  const float shifted = phase + 4096.5f;
  // [-1/2, 1/2]
  const float f = phase + 4096.0f - static_cast<float>(static_cast<std::int32_t>(shifted));
  const float g = f < 0 ? -2.0f * f : 2.0f * f;
  const float steep = g * (1.0f - g) * -24.0f;
  return {1.0f - 2.0f * g * g * (3.0f - 2.0f * g), f < 0 ? -steep : steep};
}

/// A course's swing: at a share t of its length it lies width * wave(along(t) * waves + 1/4)
/// blocks to one side; nothing at its ends.
struct Swing {
  float width = 0, waves = 0;
  float unevenness = 0;  // of the waves' lengths along it: -0.3 … 0.3
  float calming = 0;     // 1: less and less towards its end, where another river swings

  /// How far along the waves a share of the course's length is, as a share of them.
  [[nodiscard]] static float along(float unevenness, float t) {
    return t + unevenness * t * (1.0f - t);
  }
  /// How that grows with the share.
  [[nodiscard]] static float growth(float unevenness, float t) {
    return 1.0f + unevenness * (1.0f - 2.0f * t);
  }

  [[nodiscard]] static float calm(float calming, float t) {
    const float late = t > 0.4f ? (t - 0.4f) * (1.0f / 0.6f) : 0.0f;
    return 1.0f - calming * late * late * (3.0f - 2.0f * late);
  }

  /// Where the river's middle lies at a share of its length: blocks to the left.
  [[nodiscard]] float at(float t) const {
    const float full =
        width * calm(calming, t) * wave_at(along(unevenness, t) * waves + 0.25f).value;
    float aside = full;
    for (int step = 0; step < 4; ++step) aside = full * fade(aside, fade_of(width));
    return aside;
  }

  /// The place nearest to t where it is furthest to a side: the left if `left`.
  [[nodiscard]] float bend_near(float t, bool left) const {
    if (width == 0) return t;
    // the wave is +-1 where its phase is half a whole number
    const bool even = left == (width > 0);
    const float phase = along(unevenness, t) * waves + 0.25f;
    const float found = even ? std::floor(phase + 0.5f) : std::floor(phase) + 0.5f;
    const float sought = (found - 0.25f) / waves;
    float at = sought;
    for (int step = 0; step < 6; ++step) at = sought - unevenness * at * (1.0f - at);
    return at > 0.02f && at < 0.98f ? at : t;
  }

  /// What a swing counts for at so many blocks beside the course: far valley sides are straight.
  [[nodiscard]] static float fade(float across, float fade2) {
    return fade2 / (fade2 + across * across);
  }
  /// The second argument of fade.
  [[nodiscard]] static float fade_of(float width) {
    constexpr float kFade = 2.5f;  // in widths of the swing
    return kFade * kFade * width * width + 1.0f;
  }
};

/// Blocks: no river swings further to either side.
inline constexpr float kWidestSwing = 90.0f;

/// The swing of a course of the finest level: waves about eleven times as long as the river is wide
/// (L. Leopold, M. Wolman, "River Meanders", 1960), wide on plains, narrow in mountains.
[[nodiscard]] Swing swing_of(const Drainage& drainage, const Rivers& rivers, const Course& course);

}  // namespace terrane::worldgen::continents
