#include "worldgen/compiled_world.h"

#define XXH_INLINE_ALL  // no library beside ours: terrane_core
#include <xxhash.h>

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "terrane/result_macros.h"
#include "worldgen/field_archive.h"
#include "worldgen/shared_fields.h"

namespace terrane::worldgen {

namespace {

constexpr std::array<std::uint8_t, 4> kMagic{'T', 'R', 'C', 'W'};
constexpr std::uint16_t kWithoutStamps = 1, kWithStamps = 2;  // formats: stamps are the last field
constexpr std::size_t kMaxBiomes = 256;

/// What made the bytes: they are of use only to a generator whose stages are the same.
struct Header {
  std::array<std::uint8_t, 4> magic = kMagic;
  std::uint16_t format = kWithoutStamps;
  std::uint8_t terrain = 0;  // its place in Terrain
  std::uint16_t terrain_version = 0;
  std::uint16_t placements_version = 0, structures_version = 0;  // 0: the world has none

  friend bool operator==(const Header&, const Header&) = default;
};

Header header_of(const World& world, std::uint16_t format) {
  Header header;
  header.format = format;
  header.terrain = static_cast<std::uint8_t>(world.terrain.index());
  header.terrain_version = static_cast<std::uint16_t>(traits_of(world.terrain).version);
  if (world.placements) header.placements_version = kPlacementsVersion;
  if (world.structures) header.structures_version = kStructuresVersion;
  return header;
}

void fields(FieldArchive& archive, Header& header) {
  for (std::uint8_t& letter : header.magic) archive.number("magic", letter, 0, 0xff);
  archive.number("format", header.format, 0, 0xffff);
  archive.number("terrain", header.terrain, 0, 0xff);
  archive.number("terrain_version", header.terrain_version, 0, 0xffff);
  archive.number("placements_version", header.placements_version, 0, 0xffff);
  archive.number("structures_version", header.structures_version, 0, 0xffff);
}

Result<void> check(const Header& header) {
  if (header.magic != kMagic)
    return fail(ErrorCode::kInvalidArgument, "magic: these bytes are no compiled world");
  if (header.format != kWithoutStamps && header.format != kWithStamps) {
    return fail(ErrorCode::kFailedPrecondition,
                "format: " + std::to_string(header.format) + " is none of those read here, " +
                    std::to_string(kWithoutStamps) + " and " + std::to_string(kWithStamps));
  }
  if (header.terrain >= std::variant_size_v<Terrain>) {
    return fail(ErrorCode::kFailedPrecondition,
                "terrain: number " + std::to_string(header.terrain) + " is not known here");
  }
  return {};
}

/// Other versions of stages make other worlds from the same parameters.
Result<void> check_stages(const Header& header, const World& world) {
  if (header == header_of(world, header.format)) return {};
  return fail(ErrorCode::kFailedPrecondition,
              "terrain_version: these bytes were made for other versions of the stages than " +
                  stage_versions(world));
}

void fields(FieldArchive& archive, Biome& biome) {
  archive.number("priority", biome.priority, 0, 100);
  archive.choice("water", biome.water, FreshWater::kRoad);
  archive.group("height", biome.height_q4);
  archive.group("temperature", biome.temperature_d);
  archive.group("humidity", biome.humidity_d);
  archive.group("slope", biome.slope_p);
  archive.group("inland", biome.inland_p);
}

/// Whether a tile of the coarsest level is no wider than a stage allows.
void require_tile(FieldArchive& archive, const World& world, std::int64_t widest) {
  const std::int64_t span = std::int64_t{world.chunk_size} << world.max_lod;
  archive.require(span <= widest, "max_lod",
                  "its tiles span " + std::to_string(span) + " blocks; " + std::to_string(widest) +
                      " is the limit");
}

void stamp_fields(FieldArchive& archive, World& world) {
  if (archive.failed()) return;
  std::vector<Stamp> stamps = world.stamps.all();
  const bool takes_water = (layers(world.terrain) & layer_bit(Layer::kWater)) != 0;
  stamp_fields(archive, stamps, world.biomes.size(), takes_water);
  archive.require(traits_of(world.terrain).takes_objects, "stamps", "this terrain takes none");
  if (archive.reads() && !archive.failed())
    world.stamps = Stamps(std::move(stamps), layer_ranges(world.terrain).height_q4);
}

/// All but the header, which says what there is.
void fields(FieldArchive& archive, World& world, std::uint16_t format) {
  archive.number("chunk_size", world.chunk_size, kMinChunkSize, kMaxChunkSize);
  archive.require(std::has_single_bit(static_cast<unsigned>(world.chunk_size)), "chunk_size",
                  std::to_string(world.chunk_size) + " is not a power of two");
  archive.number("max_lod", world.max_lod, 0, kMaxLod);
  std::visit([&](auto& terrain) { archive.group(terrain.kTraits.name, terrain); }, world.terrain);
  archive.list("biomes", world.biomes, 1, kMaxBiomes,
               [&](Biome& biome) { fields(archive, biome); });
  if (world.placements) archive.group("placements", *world.placements);
  if (world.structures) {
    archive.within("structures", [&] {
      structure_fields(archive, *world.structures, world.structure_kinds, world.chunk_size);
    });
  }
  if (format == kWithStamps) stamp_fields(archive, world);
  if (!archive.reads() || archive.failed()) return;
  const TerrainTraits traits = traits_of(world.terrain);
  require_tile(archive, world, widest_tile(world.terrain));
  archive.require(traits.own_biomes == 0 || world.biomes.size() == traits.own_biomes, "biomes",
                  "must be the terrain's " + std::to_string(traits.own_biomes));
  archive.require(traits.takes_objects || (!world.placements && !world.structures), "placements",
                  "this terrain takes none, and no structures either");
  if (world.placements) require_biomes(archive, *world.placements, world.biomes.size());
  if (world.structures) require_biomes(archive, *world.structures, world.biomes.size());
  if (world.structures) require_tile(archive, world, widest_tile(*world.structures));
}

/// A terrain of a number, with its defaults.
template <std::size_t... kIndices>
Terrain terrain_of(std::uint8_t number, std::index_sequence<kIndices...>) {
  Terrain terrain;
  ((number == kIndices ? void(terrain.emplace<kIndices>()) : void()), ...);
  return terrain;
}

/// What is made from the parameters.
Result<void> derive(World& world) {
  TERRANE_RETURN_IF_ERROR(build_biome_tables(world));
  world.layers = layers(world.terrain);
  if (world.placements) {
    world.layers |=
        layer_bit(Layer::kForest) | layer_bit(Layer::kRocks) | layer_bit(Layer::kPlacements);
  }
  if (world.structures) {
    world.layers |= layer_bit(Layer::kStructures);
    // Floors are whole blocks: half a block beyond the land, perhaps.
    world.ranges.height_q4.min -= 8;
    world.ranges.height_q4.max += 8;
  }
  return {};
}

}  // namespace

std::vector<std::byte> compile_world(const World& world) {
  Header header = header_of(world, world.stamps.all().empty() ? kWithoutStamps : kWithStamps);
  World fields_of = world;  // one description of the fields serves both directions
  FieldArchive archive;
  fields(archive, header);
  fields(archive, fields_of, header.format);
  return std::move(archive).take_bytes();
}

Result<World> load_compiled_world(std::span<const std::byte> bytes) {
  FieldArchive archive(bytes);
  Header header;
  fields(archive, header);
  if (archive.failed()) TERRANE_RETURN_IF_ERROR(archive.finish());
  TERRANE_RETURN_IF_ERROR(check(header));
  World world;
  world.terrain =
      terrain_of(header.terrain, std::make_index_sequence<std::variant_size_v<Terrain>>());
  if (header.placements_version != 0) world.placements.emplace();
  if (header.structures_version != 0) world.structures.emplace();
  TERRANE_RETURN_IF_ERROR(check_stages(header, world));
  fields(archive, world, header.format);
  TERRANE_RETURN_IF_ERROR(archive.finish());
  TERRANE_RETURN_IF_ERROR(derive(world));
  world.compiled.assign(bytes.begin(), bytes.end());
  world.fingerprint = XXH3_64bits(bytes.data(), bytes.size());
  return world;
}

void take_appearance(World& world, World&& described) {
  const auto paint = [](auto& to, auto& from) {
    to.name = std::move(from.name);
    to.color = from.color;
  };
  world.name = std::move(described.name);
  world.title = std::move(described.title);
  world.description = std::move(described.description);
  world.sea_level_q4 = described.sea_level_q4;
  world.placement_kinds = std::move(described.placement_kinds);
  world.places = std::move(described.places);
  for (std::size_t i = 0; i < world.biomes.size(); ++i) paint(world.biomes[i], described.biomes[i]);
  for (std::size_t i = 0; i < world.structure_kinds.size(); ++i) {
    StructureKind &kind = world.structure_kinds[i], &from = described.structure_kinds[i];
    paint(kind, from);
    for (std::size_t k = 0; k < kind.pieces.size(); ++k)
      kind.pieces[k].name = std::move(from.pieces[k].name);
  }
}

}  // namespace terrane::worldgen
