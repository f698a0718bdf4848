#include "worldgen/stamps/box_index.h"

#include <algorithm>
#include <numeric>

namespace terrane::worldgen {

namespace {

constexpr std::size_t kFanOut = 16;

bool meet(const BlockArea& a, const BlockArea& b) {
  return a.from.x <= b.to.x && b.from.x <= a.to.x && a.from.y <= b.to.y && b.from.y <= a.to.y;
}

BlockArea bounding(const BlockArea& a, const BlockArea& b) {
  return {{std::min(a.from.x, b.from.x), std::min(a.from.y, b.from.y)},
          {std::max(a.to.x, b.to.x), std::max(a.to.y, b.to.y)}};
}

/// The lower half of the bits, each followed by a zero.
std::uint64_t spread(std::uint64_t bits) {
  bits &= 0x00000000ffffffff;
  bits = (bits | bits << 16) & 0x0000ffff0000ffff;
  bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
  bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
  bits = (bits | bits << 2) & 0x3333333333333333;
  return (bits | bits << 1) & 0x5555555555555555;
}

/// A box's place in Morton's order, by its middle. Squares of 2^32 blocks lie upon each other in
/// it; what is near stays near.
std::uint64_t morton(const BlockArea& box) {
  const auto middle = [](std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(from + (to - from) / 2);
  };
  return spread(middle(box.from.x, box.to.x)) | spread(middle(box.from.y, box.to.y)) << 1;
}

}  // namespace

BoxIndex::BoxIndex(std::span<const BlockArea> boxes) : order_(boxes.size()) {
  if (boxes.empty()) return;
  std::vector<std::uint64_t> place(boxes.size());
  std::transform(boxes.begin(), boxes.end(), place.begin(), morton);
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(place[a], a) < std::pair(place[b], b);
  });
  std::vector<BlockArea>& sorted = levels_.emplace_back();
  for (const std::uint32_t i : order_) sorted.push_back(boxes[i]);
  while (levels_.back().size() > 1) {
    std::vector<BlockArea> above;
    const std::vector<BlockArea>& below = levels_.back();
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (i % kFanOut == 0) {
        above.push_back(below[i]);
      } else {
        above.back() = bounding(above.back(), below[i]);
      }
    }
    levels_.push_back(std::move(above));
  }
}

std::vector<std::uint32_t> BoxIndex::meeting(const BlockArea& area) const {
  std::vector<std::uint32_t> found;
  if (!levels_.empty()) visit(levels_.size() - 1, 0, area, found);
  std::sort(found.begin(), found.end());
  return found;
}

void BoxIndex::visit(std::size_t level, std::size_t node, const BlockArea& area,
                     std::vector<std::uint32_t>& found) const {
  if (!meet(levels_[level][node], area)) return;
  if (level == 0) {
    found.push_back(order_[node]);
    return;
  }
  const std::size_t first = node * kFanOut;
  const std::size_t end = std::min(first + kFanOut, levels_[level - 1].size());
  for (std::size_t i = first; i < end; ++i) visit(level - 1, i, area, found);
}

}  // namespace terrane::worldgen
