#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "bench_run.h"

namespace terrane::cli {
namespace {

TEST(cli_bench, squares_never_share_a_chunk) {
  constexpr std::int64_t kEdge = 4;
  std::set<ChunkCoord> seen;
  for (const std::uint64_t index : {0u, 1u, 2u, 1023u, 1024u, 1025u, 1u << 20}) {
    const ChunkRectangle square = bench_square(index, kEdge);
    for (std::int64_t y = square.from.y; y <= square.to.y; ++y) {
      for (std::int64_t x = square.from.x; x <= square.to.x; ++x) EXPECT_TRUE(seen.insert({x, y}).second) << index;
    }
  }
  EXPECT_EQ(seen.size(), 7u * kEdge * kEdge);
}

TEST(cli_bench, quantiles_are_values_that_occurred) {
  const std::vector<double> values{5, 1, 4, 2, 3};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_EQ(quantile(values, 0.99), 4);
  EXPECT_EQ(quantile(values, 1), 5);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

TEST(cli_bench, chunks_that_do_not_decode_are_an_error_and_no_figure) {
  EXPECT_EQ(decoding_us({{{0, 0}, "damaged"}}).error().code, ErrorCode::kDataLoss);
}

}  // namespace
}  // namespace terrane::cli
