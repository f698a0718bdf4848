#include "cli/find/survey.h"

namespace terrane::cli {

std::optional<std::size_t> Lattice::at(BlockPos block) const {
  const std::int64_t x = (block.x - first.x) / stride, y = (block.y - first.y) / stride;
  if (block.x < first.x || block.y < first.y || x >= width || y >= height) return std::nullopt;
  return static_cast<std::size_t>(y * width + x);
}

const Lattice& Survey::around(BlockPos place, std::int64_t radius, std::int64_t stride) {
  const auto before = [&](std::int64_t block) { return floor_div(block, stride) * stride; };
  Lattice wanted;
  wanted.stride = stride;
  wanted.first = {before(place.x - radius), before(place.y - radius)};
  const auto count = [&](std::int64_t first, std::int64_t last) {
    return static_cast<int>((last - first + stride - 1) / stride) + 1;
  };
  wanted.width = worldgen::noise::row_pitch(count(wanted.first.x, place.x + radius));
  wanted.height = count(wanted.first.y, place.y + radius);
  for (const Lattice& known : lattices_) {
    if (known.stride == stride && known.first == wanted.first && known.width == wanted.width &&
        known.height == wanted.height)
      return known;
  }
  wanted.layers =
      worldgen::sample_grid(land_, seed_, {wanted.first, stride, wanted.width, wanted.height},
                            worldgen::noise::supported_targets().back());
  return lattices_.emplace_back(std::move(wanted));
}

Wetness Survey::wetness(const Lattice& lattice, std::size_t i) const {
  const std::int32_t height = lattice.layers.height_q4[i];
  if (lattice.layers.water_q4.empty())
    return height < described_.sea_level_q4 ? Wetness::kSea : Wetness::kDry;
  if (lattice.layers.water_q4[i] <= height) return Wetness::kDry;
  switch (land_.biomes[lattice.layers.biome[i]].water) {
    case worldgen::FreshWater::kRiver: return Wetness::kRiver;
    case worldgen::FreshWater::kLake: return Wetness::kLake;
    case worldgen::FreshWater::kNone:
    case worldgen::FreshWater::kPainted:
    case worldgen::FreshWater::kRoad: break;
  }
  return lattice.layers.water_q4[i] == described_.sea_level_q4 ? Wetness::kSea : Wetness::kOther;
}

}  // namespace terrane::cli
