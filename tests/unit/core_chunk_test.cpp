// Chunks and samples that terrane_core makes, decodes and encodes.
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cstring>
#include <random>

#include "chunk_handle.h"
#include "codec/chunk_codec.h"
#include "unit/core_worlds.h"
#include "worldgen/generate.h"

namespace terrane {
namespace {

using test::CoreChunk;
using test::sized;

CoreChunk made(const terrane_world* world, std::uint64_t seed, const terrane_tile& tile,
               std::uint32_t layers = TERRANE_ALL_LAYERS) {
  terrane_chunk* chunk = nullptr;
  EXPECT_EQ(terrane_chunk_generate(world, seed, &tile, layers, &chunk, nullptr), TERRANE_OK);
  return CoreChunk(chunk);
}

Chunk generated(const std::string& name, std::uint64_t seed, const terrane_tile& tile) {
  return worldgen::generate(test::builtin(name), seed, {tile.x, tile.y}, static_cast<Lod>(tile.lod),
                            worldgen::noise::supported_targets().back());
}

TEST(core_chunk, is_that_of_the_server_in_every_world) {
  for (const char* name :
       {"classic", "continents", "faultlines", "perlin", "resource_isles", "skyline"}) {
    const auto world = test::open_builtin(name);
    ASSERT_TRUE(world);
    for (const terrane_tile& tile :
         {terrane_tile{0, 0, 0, 0}, {-3, 7, 0, 0}, {40000, -12345, 1, 0}, {2, -1, 2, 0}}) {
      const auto chunk = made(world.get(), 42, tile);
      EXPECT_EQ(*chunk->chunk, generated(name, 42, tile)) << name;
    }
  }
}

TEST(core_chunk, shows_its_layers_and_what_stands_there) {
  const auto world = test::open_builtin("continents");
  const terrane_tile tile{3, 5, 0, 0};
  const auto chunk = made(world.get(), 7, tile);
  const Chunk expected = generated("continents", 7, tile);
  auto info = sized<terrane_chunk_info>();
  terrane_chunk_get_info(chunk.get(), &info);
  ASSERT_EQ(info.size, 64u);
  EXPECT_EQ(info.tile.x, 3);
  EXPECT_EQ(std::memcmp(info.height_q4, expected.height_q4.data(), 64 * 64 * 4), 0);
  EXPECT_EQ(std::memcmp(info.biome, expected.biome.data(), 64 * 64), 0);
  ASSERT_EQ(info.placement_count, expected.placements.size());
  for (std::size_t i = 0; i < info.placement_count; ++i) {
    EXPECT_EQ(info.placements[i].anchor.x, expected.placements[i].anchor.x);
    EXPECT_EQ(info.placements[i].scale, expected.placements[i].scale);
  }
  const auto bare = made(world.get(), 7, tile, TERRANE_LAYER_HEIGHT);
  terrane_chunk_get_info(bare.get(), &info);
  EXPECT_NE(info.height_q4, nullptr);
  EXPECT_EQ(info.biome, nullptr);
  EXPECT_EQ(info.placement_count, 0u);
}

TEST(core_chunk, comes_back_from_its_bytes) {
  const auto world = test::open_builtin("continents");
  const terrane_tile tile{-2, 9, 2, 0};
  const auto chunk = made(world.get(), 1, tile);
  std::string bytes(terrane_chunk_encode(chunk.get(), nullptr, 0), '\0');
  EXPECT_EQ(terrane_chunk_encode(chunk.get(), bytes.data(), bytes.size()), bytes.size());
  EXPECT_EQ(bytes, codec::encode(*chunk->chunk));
  const auto decode = [&](const terrane_tile& as, terrane_error* error) {
    terrane_chunk* decoded = nullptr;
    (void)terrane_chunk_decode(TERRANE_ABI_VERSION, bytes.data(), bytes.size(), &as,
                               TERRANE_ALL_LAYERS, &decoded, error);
    return CoreChunk(decoded);
  };
  const auto back = decode(tile, nullptr);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back->chunk, *chunk->chunk);
  auto error = sized<terrane_error>();
  EXPECT_FALSE(decode({-2, 9, 3, 0}, &error)) << "bytes of another level";
  EXPECT_EQ(error.code, TERRANE_DATA_LOSS);
  bytes.resize(bytes.size() / 2);
  EXPECT_FALSE(decode(tile, &error));
  EXPECT_EQ(error.code, TERRANE_DATA_LOSS);
}

TEST(core_chunk, places_outside_of_the_world_are_refused_with_the_limit) {
  const auto world = test::open_builtin("continents");
  const std::int64_t most = max_chunk_coord(0), huge = std::numeric_limits<std::int64_t>::min();
  for (const terrane_tile& tile : {terrane_tile{most + 1, 0, 0, 0},
                                   {0, -most - 1, 0, 0},
                                   {huge, huge, 0, 0},
                                   {0, 0, 17, 0},
                                   {0, 0, 0xffffffffu, 0}}) {
    auto error = sized<terrane_error>();
    terrane_chunk* chunk = nullptr;
    EXPECT_EQ(terrane_chunk_generate(world.get(), 1, &tile, 2, &chunk, &error),
              TERRANE_OUT_OF_RANGE);
    EXPECT_EQ(chunk, nullptr);
    EXPECT_STRNE(error.message, "");
  }
  (void)made(world.get(), 1, {most, -most, 0, 0});
  terrane_sample sample{};
  const terrane_block outside{max_block_coord(64) + 1, 0};
  EXPECT_EQ(terrane_world_sample(world.get(), 1, &outside, 1, &sample, nullptr),
            TERRANE_OUT_OF_RANGE);
}

TEST(core_chunk, samples_are_those_of_the_chunk) {
  const auto world = test::open_builtin("continents");
  const Chunk chunk = generated("continents", 5, {-1, 2, 0, 0});
  std::vector<terrane_block> blocks;
  for (std::int64_t i = 0; i < 64; i += 7) blocks.push_back({-64 + i, 128 + 63 - i});
  std::vector<terrane_sample> samples(blocks.size());
  ASSERT_EQ(
      terrane_world_sample(world.get(), 5, blocks.data(), blocks.size(), samples.data(), nullptr),
      TERRANE_OK);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto at = static_cast<std::size_t>((blocks[i].y - 128) * 64 + blocks[i].x + 64);
    EXPECT_EQ(samples[i].height_q4, chunk.height_q4[at]);
    EXPECT_EQ(samples[i].biome, chunk.biome[at]);
    EXPECT_EQ(samples[i].water_q4, chunk.water_q4[at]);
  }
}

#if defined(__x86_64__)
TEST(core_chunk, a_games_floating_point_mode_changes_nothing_and_stays) {
  constexpr unsigned kFlushesAndRoundsUp = 0x8040 | 0x4000 | 0x1f80;
  const auto world = test::open_builtin("continents");
  const Chunk expected = generated("continents", 3, {11, -4, 0, 0});
  const unsigned before = _mm_getcsr();
  _mm_setcsr(kFlushesAndRoundsUp);
  const auto chunk = made(world.get(), 3, {11, -4, 0, 0});
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(*chunk->chunk, expected);
  EXPECT_EQ(after & ~0x3fu, kFlushesAndRoundsUp & ~0x3fu);
}
#endif

}  // namespace
}  // namespace terrane
