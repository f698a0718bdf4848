#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <string>

#include "codec/chunk_codec.h"
#include "unit/codec_chunks.h"

namespace terrane {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Processor time: the least of many tries, which is what others on the machine disturb least.
template <typename Work>
double least_seconds(Work work) {
  double least = 1;
  for (int i = 0; i < 300; ++i) {
    const double start = thread_seconds();
    work();
    least = std::min(least, thread_seconds() - start);
  }
  return least;
}

// Both search and restore rows by vectors. Where the compiler makes none of the encoder's (it has
// happened: by precompiled headers of other options), it takes three to four times as long.
TEST(codec_speed, encoding_takes_at_most_twice_as_long_as_decoding) {
  const Chunk chunk = test::hilly_chunk(64);
  const std::string bytes = codec::encode(chunk);
  const double encoding = least_seconds([&] { EXPECT_EQ(codec::encode(chunk), bytes); });
  const double decoding = least_seconds([&] { EXPECT_TRUE(codec::decode(bytes, {}).has_value()); });
  EXPECT_LT(encoding, 2 * decoding) << 1e6 * encoding << " us, " << 1e6 * decoding << " us";
  RecordProperty("encoding_over_decoding", std::to_string(encoding / decoding));
}

}  // namespace
}  // namespace terrane
