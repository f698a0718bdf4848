#include "bench/land_skeleton.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace terrane::land {
namespace {

/// Offsets of a cell's ring, clockwise from the one above.
std::array<std::ptrdiff_t, 8> offsets_of(const Window& window) {
  const std::ptrdiff_t row = window.size;
  return {-row, -row + 1, 1, row + 1, row, row - 1, -1, -row - 1};
}

/// How often the ring goes from not set to set.
int rises_of(unsigned ring) { return std::popcount(~ring & ((ring >> 1 | ring << 7) & 0xffu)); }

bool all_of(unsigned ring, unsigned bits) { return (ring & bits) == bits; }

constexpr unsigned kUp = 1, kRight = 4, kDown = 16, kLeft = 64;

/// Whether a pass of Zhang and Suen takes a cell off.
bool goes(unsigned ring, bool second) {
  const int set = std::popcount(ring);
  if (set < 2 || set > 6 || rises_of(ring) != 1) return false;
  if (second) return !all_of(ring, kUp | kRight | kLeft) && !all_of(ring, kUp | kDown | kLeft);
  return !all_of(ring, kUp | kRight | kDown) && !all_of(ring, kRight | kDown | kLeft);
}

/// Whether what is set around a cell stays connected without it, through sides and corners, and the
/// cell is no end.
bool is_spare(unsigned ring) {
  if (std::popcount(ring) < 2 || all_of(ring, kUp | kRight | kDown | kLeft)) return false;
  // two sides meet across their corner, whether it is set or not
  unsigned around = ring;
  for (const unsigned side : {0u, 2u, 4u, 6u})
    if ((ring >> side & 1) != 0 && (ring >> (side + 2) % 8 & 1) != 0) around |= 1u << (side + 1);
  return rises_of(around) == 1;
}

void clear_edge(const Window& window, Mask& mask) {
  const int last = window.size - 1;
  for (int k = 0; k <= last; ++k) {
    mask[window.at(k, 0)] = mask[window.at(k, last)] = 0;
    mask[window.at(0, k)] = mask[window.at(last, k)] = 0;
  }
}

/// One pass over what is left; says whether anything went.
bool thin_once(const Window& window, Mask& mask, std::vector<std::size_t>& cells, bool second) {
  std::vector<std::size_t> gone;
  for (const std::size_t k : cells)
    if (goes(ring_of(window, mask, k), second)) gone.push_back(k);
  for (const std::size_t k : gone) mask[k] = 0;
  std::erase_if(cells, [&](std::size_t k) { return mask[k] == 0; });
  return !gone.empty();
}

}  // namespace

Mask mask_of(const Window& window, Cover cover) {
  Mask mask(window.cover.size());
  for (std::size_t k = 0; k < mask.size(); ++k) mask[k] = window.cover[k] == cover;
  return mask;
}

unsigned ring_of(const Window& window, const Mask& mask, std::size_t k) {
  const auto offsets = offsets_of(window);
  unsigned ring = 0;
  for (unsigned n = 0; n < 8; ++n) {
    const auto there = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(k) + offsets[n]);
    ring |= static_cast<unsigned>(mask[there]) << n;
  }
  return ring;
}

void thin(const Window& window, Mask& mask) {
  clear_edge(window, mask);
  std::vector<std::size_t> cells;
  for (std::size_t k = 0; k < mask.size(); ++k)
    if (mask[k]) cells.push_back(k);
  for (bool changed = true; changed;) {
    changed = thin_once(window, mask, cells, false);
    changed = thin_once(window, mask, cells, true) || changed;
  }
  for (const std::size_t k : cells)
    if (is_spare(ring_of(window, mask, k))) mask[k] = 0;
}

std::vector<float> depth_of(const Window& window, const Mask& mask) {
  const auto side = static_cast<float>(window.cell);
  const float diagonal = side * std::sqrt(2.0f);
  // the border of a lone cell is half a cell away
  std::vector<float> depth(mask.size());
  const float far = side * static_cast<float>(2 * window.size);
  for (std::size_t k = 0; k < mask.size(); ++k) depth[k] = mask[k] ? far : 0;
  const auto closer = [&](std::size_t k, int x, int y, float step) {
    const float other = window.has(x, y) ? depth[window.at(x, y)] : far;
    depth[k] = std::min(depth[k], other + step);
  };
  const auto look = [&](int i, int j, int way) {
    const std::size_t k = window.at(i, j);
    if (!mask[k]) return;
    closer(k, i - way, j, side);
    closer(k, i, j - way, side);
    closer(k, i - way, j - way, diagonal);
    closer(k, i + way, j - way, diagonal);
  };
  const int last = window.size - 1;
  for (int j = 0; j <= last; ++j)
    for (int i = 0; i <= last; ++i) look(i, j, 1);
  for (int j = last; j >= 0; --j)
    for (int i = last; i >= 0; --i) look(i, j, -1);
  for (std::size_t k = 0; k < mask.size(); ++k)
    if (mask[k]) depth[k] = std::max(depth[k] - side / 2, side / 2);
  return depth;
}

}  // namespace terrane::land
