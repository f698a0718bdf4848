#include <gtest/gtest.h>

#include "cli/parse.h"

namespace terrane::cli {
namespace {

TEST(cli_parse, positions_may_be_negative) {
  EXPECT_EQ(parse_chunk_coord("-3,-4"), (ChunkCoord{-3, -4}));
  EXPECT_EQ(parse_chunk_coord("0,7"), (ChunkCoord{0, 7}));
  EXPECT_EQ(parse_block_pos("-9223372036854775808,9223372036854775807"),
            (BlockPos{std::numeric_limits<std::int64_t>::min(),
                      std::numeric_limits<std::int64_t>::max()}));
}

TEST(cli_parse, what_is_no_position_is_refused_with_what_was_written) {
  for (const char* text : {"", ",", "1", "1,", ",1", "1,2,3", "1, 2", "1.5,2", "a,b", "+1,2",
                           "9223372036854775808,0", "1,2 "}) {
    const auto position = parse_block_pos(text);
    ASSERT_FALSE(position) << text;
    EXPECT_TRUE(position.error().message.starts_with(std::string("'").append(text).append("'")));
  }
}

TEST(cli_parse, seeds_span_all_of_64_bits) {
  EXPECT_EQ(parse_seed("0"), 0u);
  EXPECT_EQ(parse_seed("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_seed("0xc0ffee"), 0xc0ffeeu);
  EXPECT_EQ(parse_seed("0XFFFFFFFFFFFFFFFF"), std::numeric_limits<std::uint64_t>::max());
}

TEST(cli_parse, what_is_no_seed_is_refused) {
  for (const char* text : {"", "-1", "+1", "1.0", "1e3", "0x", "0x-1", "0xg",
                           "18446744073709551616", "seed", " 1", "1 "}) {
    EXPECT_FALSE(parse_seed(text)) << text;
  }
}

TEST(cli_parse, a_server_needs_host_and_port) {
  EXPECT_EQ(parse_server("127.0.0.1:4150"), "127.0.0.1:4150");
  EXPECT_EQ(parse_server("[::1]:4150"), "[::1]:4150");
  EXPECT_EQ(parse_server("unix:/run/terrane"), "unix:/run/terrane");
  EXPECT_EQ(parse_server("10.0.0.1:4150,[::1]:4151"), "10.0.0.1:4150,[::1]:4151");
  for (const char* text : {"", "localhost", ":4150", "localhost:", "localhost:0", "localhost:65536",
                           "localhost:http"}) {
    EXPECT_FALSE(parse_server(text)) << text;
  }
}

}  // namespace
}  // namespace terrane::cli
