#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "sdk_explore_script.h"

namespace terrane {
namespace {

using namespace testing;

TEST(explore_example, walks_and_says_what_comes_into_view) {
  ScriptedServer server;
  server.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {0, 0}}, {0, {1, 0}}, {0, {0, 1}}, {0, {1, 1}}, {1, {2, 0}}}));
    return listen(stream);
  };
  std::FILE* pipe = popen((EXPLORE_EXAMPLE " " + server.address() + " classic 3").c_str(), "r");
  ASSERT_TRUE(pipe);
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), size);
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 0);
  EXPECT_EQ(output,
            "+ lod 0 chunk 0,0: 0 blocks high\n"
            "+ lod 0 chunk 1,0: 62.5 blocks high\n"
            "+ lod 0 chunk 0,1: 0.0625 blocks high\n"
            "+ lod 0 chunk 1,1: 62.5625 blocks high\n"
            "+ lod 1 chunk 2,0: 125 blocks high\n"
            "heights for a mesh: 289\n"
            "chunks received: 5\n");
}

}  // namespace
}  // namespace terrane
