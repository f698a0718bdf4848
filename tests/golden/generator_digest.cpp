// Digests of what the generator makes, on every instruction set that this machine has, compared
// with generator_digest.txt. It links the generator and nothing else, so that it can be built by
// any compiler for any processor.
//   generator_digest FILE CHUNKS           compares digests of CHUNKS chunks of every world
//   generator_digest --write FILE CHUNKS   writes FILE anew: only together with a new stage version
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "worldgen/generate.h"
#include "worldgen/noise/field.h"
#include "worldgen/noise/hash.h"
#include "worldgen/placement/density.h"
#include "worldgen/terrains/continents/ranking.h"

namespace {

using namespace terrane;
using namespace terrane::worldgen;

/// FNV-1a over the values' bits.
class Digest {
 public:
  template <typename T>
  void add(const T* values, std::size_t count) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values);
    for (std::size_t i = 0; i < count * sizeof(T); ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001b3u;
  }
  template <typename T>
  void add(const std::vector<T>& values) {
    add(values.data(), values.size());
  }
  /// One number, whatever its type: objects have gaps between their members, which hold anything.
  void add(std::int64_t value) { add(&value, 1); }

  void add(const Placement& p) {
    for (const std::int64_t v : {p.anchor.x, p.anchor.y, std::int64_t{p.kind}, std::int64_t{p.turn},
                                 std::int64_t{p.scale}})
      add(v);
  }
  void add(const Structure& s) {
    for (const std::int64_t v : {s.anchor.x, s.anchor.y, s.from.x, s.from.y, s.to.x, s.to.y,
                                 std::int64_t{s.kind}, std::int64_t{s.rooms}})
      add(v);
  }
  void add(const Room& r) {
    for (const std::int64_t v :
         {r.corner.x, r.corner.y, r.structure.x, r.structure.y, std::int64_t{r.floor_q4},
          std::int64_t{r.index}, std::int64_t{r.kind}, std::int64_t{r.piece}, std::int64_t{r.turn},
          std::int64_t{r.open_doors}})
      add(v);
  }
  void add(const Chunk& chunk) {
    add(chunk.height_q4);
    add(chunk.temperature_d);
    add(chunk.humidity_d);
    add(chunk.biome);
    add(chunk.water_q4);
    add(chunk.forest_p);
    add(chunk.rocks_p);
    for (const Placement& placement : chunk.placements) add(placement);
    for (const Structure& structure : chunk.structures) add(structure);
    for (const Room& room : chunk.rooms) add(room);
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

struct Place {
  ChunkCoord coord;
  Lod lod;
  std::uint64_t seed;
};

/// Chunks that have gone wrong in other programs, at every level of detail; then hashed ones, each
/// of a seed of its own, as far out as chunks can be and in between.
std::vector<Place> places(std::size_t count) {
  std::vector<Place> all;
  for (Lod lod = 0; lod <= 8; ++lod) {
    const std::int64_t far = max_chunk_coord(lod);
    for (const ChunkCoord coord :
         {ChunkCoord{0, 0}, {-1, -1}, {far, -far}, {-far, far}, {1 << 25, -(1 << 25)}}) {
      all.push_back({coord, lod, 0xfedcba9876543210u});
    }
  }
  for (std::uint64_t k = 0; all.size() < count; ++k) {
    const auto lod = static_cast<Lod>(k % 9);
    const std::uint64_t h = noise::mix64(k), size = noise::mix64(~k);
    // within the limit, either sign
    const auto coordinate = [&](std::uint64_t bits, std::uint64_t smaller) {
      return static_cast<std::int64_t>(bits) >> (23 + lod + static_cast<int>(smaller % (40 - lod)));
    };
    all.push_back({{coordinate(h, size), coordinate(h << 32 | h >> 32, size >> 32)},
                   lod,
                   noise::combine(h, size)});
  }
  all.resize(count);
  return all;
}

/// A terrain like the default world's, without its file.
ContinentsTerrain make_continents() {
  ContinentsTerrain t;
  t.land.shape = {{1, 9000}, 2, 0.5f};
  t.land.warp = {{1, 4200}, 4, 0.5f};
  t.land.warp_amplitude = 2000;
  t.land.coast = {{1, 2600}, 7, 0.6f};
  t.land.coast_amplitude = 0.7f;
  const CurvePoint floor[] = {{-1, -190}, {-0.3, -48}, {-0.03, -5}, {0, 0},
                              {0.12, 8},  {0.7, 50},   {1, 85}};
  t.land.floor = curve_through(floor);
  t.land.inland = rank_inland(t.land, 0.42);
  t.drainage.jitter = 0.22f;
  t.drainage.reach = 768;
  t.drainage.meander = {{1, 900}, 4, 0.5f};
  t.drainage.meander_amplitude = 240;
  t.drainage.bed_width = 160;
  t.rivers = {7, 36, 1, 0.06f, 60, 190};
  t.relief.mountain_mask = {{1, 7000}, 2, 0.5f};
  t.relief.mountain_threshold = 0.02f;
  t.relief.mountain_range = 0.22f;
  t.relief.mountain_height = 620;
  t.relief.ridges = {{1, 1900}, 5, 0.5f};
  t.relief.ridge_share = 0.65f;
  t.relief.hill_mask = {{1, 3500}, 2, 0.5f};
  t.relief.hills = {{1, 700}, 5, 0.5f};
  t.relief.hill_height_low = 5;
  t.relief.hill_height_high = 65;
  t.relief.seabed_height = 20;
  t.relief.valley_width = 60;
  t.relief.valley_widening = 2.2f;
  t.gullies = {{1, 170}, 3, 0.5f, 20, 0.6f};
  t.landforms = {{{1, 3000}, 3, 0.5f}, 0, 80, 90, 22, 9, 80, {{1, 300}, 3, 0.5f}};
  t.climate.temperature = {{1, 12000}, 3, 0.5f};
  t.climate.temperature_low = -14;
  t.climate.temperature_high = 42;
  t.climate.lapse_rate = 0.05f;
  t.climate.humidity = {{1, 7000}, 3, 0.5f};
  t.climate.humidity_low = 5;
  t.climate.humidity_high = 95;
  t.climate.coast_humidity = 20;
  t.climate.rain_shadow = 25;
  t.climate.border = {{1, 200}, 4, 0.6f};
  t.climate.border_temperature = 3;
  t.climate.border_humidity = 8;
  t.climate.border_height = 0.2f;
  t.ground = {{{1, 24}, 2, 0.5f}, 0.15f, 0.8f};
  return t;
}

PlainClimate make_climate() {
  return {{{1, 1000}, 4, 0.5f}, {{3, 1000}, 4, 0.5f}, -100, 350, 0.02f};
}

SkylineTerrain make_skyline(SkylineMethod method, SkylineInterpolation interpolation) {
  SkylineTerrain t;
  t.method = method;
  t.interpolation = interpolation;
  t.climate = make_climate();
  return t;
}

FaultlinesTerrain make_faultlines() {
  FaultlinesTerrain t;
  t.region = 4096;  // so that tiles of the coarsest level span few of them
  t.reach = 700;
  t.lines = 40;
  t.climate = make_climate();
  return t;
}

ResourceIslesTerrain make_isles(bool tidy) {
  ResourceIslesTerrain t;
  t.cell = tidy ? 128 : 75;
  t.smallest_extent = tidy ? 31 : 17;
  t.largest_extent = tidy ? 62 : 34;
  t.height = {{1, 10}, 1, 0.5f};
  t.forest = {{3, 20}, 1, 0.5f};
  t.rocks = {{7, 10}, 1, 0.5f};
  t.water_below = kTileOne / 4;
  t.mountain_from = 3 * kTileOne / 4;
  t.forest_below = 3 * kTileOne / 10;
  t.rocks_below = kTileOne / 5;
  t.rocks_below_on_mountain = rocks_limit_on_mountain(t.rocks, t.rocks_below, 2.5);
  t.shallows = kTileOne / 3;
  t.tidy = tidy;
  t.land_min = 2500;
  t.land_max = 3500;  // narrow, so that coasts are looked for
  t.climate = make_climate();
  t.resources = {{0, 1u << 24, 1u << 30, 1u << 31, 0, 0},
                 {1u << 26, 0, 1u << 26, 0, std::uint64_t{1} << 32, 1u << 28}};
  return t;
}

World make_world(std::string name, Terrain terrain, Lod max_lod = 8) {
  World world;
  world.name = std::move(name);
  world.max_lod = max_lod;
  world.terrain = std::move(terrain);
  world.ranges = layer_ranges(world.terrain);
  Biome low, high, steep, coast, rest;
  low.height_q4.max = (world.ranges.height_q4.min + world.ranges.height_q4.max) / 2;
  high.temperature_d.min = 100;
  world.biomes = {low, high};
  if (world.ranges.slope_p.max > 0) {
    steep.slope_p.min = 40;
    coast.inland_p = {-50, 100};
    world.biomes.insert(world.biomes.end(), {steep, coast});
  }
  world.biomes.push_back(rest);
  if (std::holds_alternative<ContinentsTerrain>(world.terrain))
    world.layers |= layer_bit(Layer::kWater);
  if (!build_biome_tables(world)) std::abort();
  return world;
}

/// Everywhere something grows, and structures stand wherever it is level: so that many chunks hold
/// some.
void add_objects(World& world) {
  const std::vector<double> forest(world.biomes.size(), 60), rocks(world.biomes.size(), 20);
  PlacementRules placements;
  placements.border_humidity_d = 80;
  placements.border_temperature_d = 12;
  placements.forest = make_density({{1, 420}, 6, 0.6f}, forest, 0.6, 35, 85);
  placements.rocks = make_density({{1, 60}, 3, 0.5f}, rocks, 0.4, 120, 220);
  placements.trees.assign(world.biomes.size(), {{0, 2}, {1, 3}});
  placements.boulders.assign(world.biomes.size(), {{2, 1}});
  placements.scales = {{70, 130}, {80, 120}, {40, 220}};
  world.placements = placements;
  world.placement_kinds.resize(3);

  StructureKind kind{"house", 0, 64, {}};
  kind.pieces = {{"door", 5, 5, 2, {{Side::kMinY, 2, 1}, {Side::kMaxY, 2, 0}, {Side::kMaxX, 2, 1}}},
                 {"hall", 9, 7, 1, {{Side::kMinY, 4, 0}, {Side::kMaxY, 4, 0}, {Side::kMaxX, 3, 0}}},
                 {"stairs", 3, 5, 2, {{Side::kMinY, 1, 0}, {Side::kMaxX, 3, 1}}}};
  StructureRule rule;
  rule.share = 10000;
  rule.rooms_high = 12;
  rule.extent = 40;
  rule.deepest = 2;
  rule.highest = 1;
  rule.walled_up = 10;
  rule.unevenness_q4 = 16 * 40;
  rule.pieces = {{1, true}, {3, false}, {2, false}};
  world.structure_kinds = {kind};
  world.structures = StructureRules{128, {rule}};
}

/// Hundreds of stamps of all kinds, most of them where chunks of the first places are.
std::vector<Stamp> make_stamps(std::size_t biomes) {
  std::vector<Stamp> stamps;
  for (std::uint64_t k = 0; k < 300; ++k) {
    const std::uint64_t bits = noise::mix64(k + 1);
    const auto below = [&](int shift, std::int64_t limit) {
      return static_cast<std::int64_t>(bits >> shift & 0xffff) % limit;
    };
    const std::int64_t width = std::int64_t{300} << k % 9;
    Stamp stamp;
    stamp.from = {below(0, 2 * width) - width, below(16, 2 * width) - width};
    stamp.to = k % 3 != 0 ? stamp.from
                          : BlockPos{stamp.from.x + below(32, 500), stamp.from.y - below(8, 300)};
    stamp.radius = static_cast<std::int32_t>(below(24, width / 5));
    stamp.roughness = k % 2 == 0 ? 0 : static_cast<std::int32_t>(below(28, 40));
    stamp.falloff = static_cast<std::int32_t>(48 + below(40, width / 5));
    if (k % 4 == 0) stamp.raise_q4 = static_cast<std::int32_t>(below(48, 1600) - 800);
    if (k % 4 == 1)
      stamp.flatten = {static_cast<std::int32_t>(below(4, 3000)),
                       static_cast<std::int32_t>(below(12, 3000))};
    if (k % 4 == 2) stamp.water_q4 = static_cast<std::int32_t>(below(20, 1500));
    if (k % 5 == 0) stamp.biome = static_cast<std::uint8_t>(bits % biomes);
    stamp.clear = k % 7 == 0;
    stamps.push_back(stamp);
  }
  return stamps;
}

std::vector<World> worlds() {
  const FractalNoise wide{{1, 1000}, 4, 0.5f}, medium{{3, 1000}, 4, 0.5f}, fine{{1, 200}, 6, 0.45f};
  std::vector<World> all;
  all.push_back(make_world("", PerlinTerrain{fine, wide, medium, 2048, -200, 400}));
  all.push_back(make_world("", ClassicTerrain{fine, wide, medium, 1.57f}));
  all.push_back(make_world("", make_continents()));
  all.push_back(make_world("", make_continents()));
  all.back().stamps = {make_stamps(all.back().biomes.size()), all.back().ranges.height_q4};
  if (!build_biome_tables(all.back())) std::abort();
  for (World& world : all) add_objects(world);
  constexpr auto kLinear = SkylineInterpolation::kLinear, kCosine = SkylineInterpolation::kCosine;
  all.push_back(
      make_world(" random_offsets", make_skyline(SkylineMethod::kRandomOffsets, kLinear)));
  all.push_back(make_world(" height_dependent_offsets",
                           make_skyline(SkylineMethod::kHeightDependentOffsets, kLinear)));
  all.push_back(make_world(" interpolated", make_skyline(SkylineMethod::kInterpolated, kLinear)));
  all.push_back(make_world(" superposed", make_skyline(SkylineMethod::kSuperposed, kCosine)));
  all.push_back(make_world("", make_faultlines()));
  all.push_back(make_world(" untidy", make_isles(false)));
  all.push_back(make_world(" tidy", make_isles(true), 2));
  return all;
}

/// One line a noise and a world: its name and digest.
std::string digests(noise::SimdTarget target, std::size_t chunks) {
  std::ostringstream lines;
  lines << "chunks " << chunks << "\n";
  for (const FractalNoise& spec :
       {FractalNoise{{1, 8192}, 12, 0.5f}, {{7, 10}, 1, 1.0f}, {{1, 37}, 6, 0.6f}}) {
    Digest digest;
    noise::Field field;
    for (const auto& [coord, lod, seed] : places(chunks)) {
      field.fill(spec, noise::stream_key(seed, "digest"),
                 {chunk_origin(coord, 64, lod), std::int64_t{1} << lod, 64, 64}, target);
      digest.add(field.values, 64 * 64);
    }
    lines << "noise_" << spec.frequency.cells << "_" << spec.frequency.blocks << " " << std::hex
          << digest.value() << std::dec << "\n";
  }
  for (const World& world : worlds()) {
    Digest digest;
    for (const auto& [coord, lod, seed] : places(chunks)) {
      const Chunk chunk = generate(world, seed, coord, std::min(lod, world.max_lod), target);
      digest.add(chunk);
    }
    lines << stage_versions(world) << world.name << " " << std::hex << digest.value() << std::dec
          << "\n";
  }
  return lines.str();
}

}  // namespace

int main(int argc, char** argv) {
  const bool write = argc == 4 && std::string(argv[1]) == "--write";
  if (!write && argc != 3) {
    std::fprintf(stderr, "usage: generator_digest [--write] FILE CHUNKS\n");
    return 2;
  }
  const std::string path = argv[argc - 2];
  const std::size_t chunks = std::strtoul(argv[argc - 1], nullptr, 10);
  if (write) {
    std::ofstream(path) << digests(noise::SimdTarget::kScalar, chunks);
    return 0;
  }
  std::ifstream file(path);
  const std::string expected((std::istreambuf_iterator<char>(file)),
                             std::istreambuf_iterator<char>());
  int failures = 0;
  for (const noise::SimdTarget target : noise::supported_targets()) {
    const std::string got = digests(target, chunks);
    const std::string name(to_string(target));
    std::printf("%s: %s\n", name.c_str(), got == expected ? "same" : "DIFFERENT");
    if (got != expected) {
      std::printf("expected\n%sgot\n%s", expected.c_str(), got.c_str());
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}
