#include "standing.h"

namespace terrane::core {

std::unique_ptr<const Standing> standing_of(const Chunk& chunk) {
  if (chunk.lod != 0 || chunk.placements.empty()) return nullptr;
  auto standing = std::make_unique<Standing>();
  standing->things.resize(chunk.placements.size());
  const int last = chunk.size - 1;
  const auto cell = static_cast<std::size_t>(chunk.size / Standing::kCells);
  const auto local = [last](std::int64_t block) { return static_cast<std::size_t>(block & last); };
  const auto cell_of = [&](const Placement& placement) {
    return local(placement.anchor.y) / cell * Standing::kCells + local(placement.anchor.x) / cell;
  };
  auto& begins = standing->begins;
  for (const Placement& each : chunk.placements) ++begins[cell_of(each) + 1];
  for (std::size_t k = 1; k < begins.size(); ++k)
    begins[k] = static_cast<std::uint16_t>(begins[k] + begins[k - 1]);
  auto next = begins;
  for (const Placement& each : chunk.placements) {
    standing->things[next[cell_of(each)]++] = {static_cast<std::uint8_t>(local(each.anchor.x)),
                                               static_cast<std::uint8_t>(local(each.anchor.y)),
                                               each.kind, each.scale};
  }
  return standing;
}

}  // namespace terrane::core
