#pragma once

namespace terrane {

// What a viewer of Explore may ask for. Servers tell these in Welcome.

inline constexpr int kMaxViewDistance = 64;  // tiles, of any level of detail
inline constexpr double kMaxVelocity = 1e6;  // blocks a second along either axis

}  // namespace terrane
