#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "rpc/chunk_wire.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {
namespace {

constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
constexpr ChunkCoord kPlaces[] = {
    {0, 0}, {-1, 1}, {max_chunk_coord(0), -max_chunk_coord(0)}, {kSmallest, kSmallest}};

std::string framed(ChunkCoord coord, const std::string& encoded) {
  std::string wire;
  append_chunk(wire, coord, encoded);
  return wire;
}

TEST(chunk_wire, one_chunk_reads_as_either_response) {
  for (const ChunkCoord coord : kPlaces) {
    for (const std::size_t size : {0u, 1u, 127u, 128u, 4080u, 200'000u}) {
      const std::string encoded(size, '\xf1');
      const std::string wire = framed(coord, encoded);

      v1::GetChunkResponse one;
      ASSERT_TRUE(one.ParseFromString(wire));
      EXPECT_EQ(one.chunk().coord().x(), coord.x);
      EXPECT_EQ(one.chunk().coord().y(), coord.y);
      EXPECT_EQ(one.chunk().encoded(), encoded);

      v1::GetChunksResponse many;
      ASSERT_TRUE(many.ParseFromString(wire));
      ASSERT_EQ(many.chunks_size(), 1);
      EXPECT_EQ(many.chunks(0).encoded(), encoded);
      if (size > 0) {
        EXPECT_EQ(many.SerializeAsString(), wire);
      }  // empty bytes are left out
    }
  }
}

TEST(chunk_wire, framing_is_cheap_beside_a_chunk) {
  const std::string encoded(200'000, '\xf1');
  for (const ChunkCoord coord : kPlaces)
    EXPECT_LE(framed(coord, encoded).size(), encoded.size() + kMaxChunkFraming);
}

TEST(chunk_wire, appended_chunks_and_failures_read_as_one_batch_in_order) {
  std::string wire = framed({1, 2}, "first");
  append_failure(wire, {3, -4}, {ErrorCode::kResourceExhausted, "queue full"});
  wire += framed({5, 6}, "second");

  v1::GetChunksResponse batch;
  ASSERT_TRUE(batch.ParseFromString(wire));
  ASSERT_EQ(batch.chunks_size(), 2);
  EXPECT_EQ(batch.chunks(0).encoded(), "first");
  EXPECT_EQ(batch.chunks(1).encoded(), "second");
  ASSERT_EQ(batch.failures_size(), 1);
  EXPECT_EQ(batch.failures(0).coord().y(), -4);
  EXPECT_EQ(batch.failures(0).code(), 8);
  EXPECT_EQ(batch.failures(0).message(), "queue full");
}

}  // namespace
}  // namespace terrane::rpc
