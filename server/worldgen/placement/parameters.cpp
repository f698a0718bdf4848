#include "worldgen/placement/parameters.h"

#include "worldgen/shared_fields.h"

namespace terrane::worldgen {

namespace {

constexpr std::size_t kMaxBiomes = 256, kMaxKinds = 255;

void shares_fields(FieldArchive& archive, const char* name,
                   std::vector<std::vector<KindShare>>& by_biome, std::size_t kinds) {
  archive.list(name, by_biome, 1, kMaxBiomes, [&](std::vector<KindShare>& shares) {
    std::uint32_t below = 0;
    archive.list("kinds", shares, 0, 4096, [&](KindShare& share) {
      archive.number("kind", share.kind, 0, kMaxKinds);
      archive.require(share.kind < kinds, "kind", "is not one of the world's");
      archive.number("up_to", share.up_to, below + 1, 1u << 24);
      below = share.up_to;
    });
  });
}

void density_fields(FieldArchive& archive, DensityRule& rule) {
  archive.group("patches", rule.patches);
  archive.list("rank", rule.rank, kRankSteps + 1, kRankSteps + 1,
               [&](std::uint16_t& rank) { archive.number("rank", rank, 0, kTopRank); });
  archive.number("gentle", rule.gentle_p, 0, 400);
  archive.number("steep", rule.steep_p, 1, 400);
  archive.require(rule.gentle_p < rule.steep_p, "gentle", "is not less than steep");
  archive.list("percent", rule.percent, kPatchLevels, kMaxBiomes * kPatchLevels,
               [&](std::uint8_t& percent) { archive.number("percent", percent, 0, 100); });
}

}  // namespace

void fields(FieldArchive& archive, PlacementRules& rules) {
  archive.number("cell", rules.cell, 2, kMaxScatterCell);
  archive.number("distance", rules.distance, 1, kMaxScatterCell);
  archive.require(rules.distance <= rules.cell, "distance", "is more than cell");
  archive.number("border_humidity", rules.border_humidity_d, 0, 500);
  archive.number("border_temperature", rules.border_temperature_d, 0, 200);
  density_fields(archive, rules.forest);
  density_fields(archive, rules.rocks);
  archive.list("scales", rules.scales, 1, kMaxKinds, [&](ScaleRange& scale) {
    archive.number("low", scale.low, 1, 255);
    archive.number("high", scale.high, scale.low, 255);
  });
  shares_fields(archive, "trees", rules.trees, rules.scales.size());
  shares_fields(archive, "boulders", rules.boulders, rules.scales.size());
}

void require_biomes(FieldArchive& archive, const PlacementRules& rules, std::size_t biomes) {
  const std::size_t levels = biomes * kPatchLevels;
  archive.require(rules.forest.percent.size() == levels && rules.rocks.percent.size() == levels &&
                      rules.trees.size() == biomes && rules.boulders.size() == biomes,
                  "placements", "are not for the world's " + std::to_string(biomes) + " biomes");
}

}  // namespace terrane::worldgen
