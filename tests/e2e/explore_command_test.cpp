#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

class explore_command : public ::testing::Test {
 protected:
  /// What `terrane explore` prints as its last frame, and its exit status.
  [[nodiscard]] std::pair<int, std::string> frame(const std::string& arguments) const {
    const std::string command = std::string("COLORTERM=truecolor ") + TERRANE_PATH + " --server " +
                                server_.process.address() + " explore --size 100x30 " + arguments +
                                " 2>&1 < /dev/null";
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return {-1, ""};
    std::string text;
    std::array<char, 4096> part;
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
      text.append(part.data(), count);
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
  }

  /// The rows that show land; the two below tell times.
  [[nodiscard]] static std::string land(const std::string& text) {
    std::size_t end = 0;
    for (int row = 0; row < 28; ++row) end = text.find('\n', end) + 1;
    return text.substr(0, end);
  }

  const TempDirectory data_;
  RunningServer server_{data_, {}};
};

TEST_F(explore_command, somebody_who_walks_to_a_place_sees_what_is_seen_there) {
  // It flies 100 blocks a frame, and a quarter of a second more: to 950,0.
  const auto [status, walked] = frame("--at 0,0 --lod 3 --frames 60 --keys flll");
  ASSERT_EQ(status, 0) << walked;
  EXPECT_EQ(land(walked), land(frame("--at 949,0 --lod 3 --frames 1 --keys l").second));
  EXPECT_NE(land(walked), land(frame("--at 0,0 --lod 3 --frames 1 --keys l").second));
}

TEST_F(explore_command, a_place_looks_the_same_however_it_was_come_to) {
  const auto [status, teleported] =
      frame("--at 9000,9000 --lod 1 --frames 30 --keys \"$(printf 't-70,40\\r-+')\"");
  ASSERT_EQ(status, 0) << teleported;
  EXPECT_EQ(land(teleported), land(frame("--at -70,40 --lod 1 --frames 1").second));
}

TEST_F(explore_command, a_layer_that_the_world_lacks_is_refused_in_one_line) {
  const auto [status, text] = frame("--frames 1 --layer rocks --world perlin");
  EXPECT_EQ(status, 1);
  EXPECT_NE(text.find("no layer rocks"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "nothing but words";
}

TEST_F(explore_command, without_a_terminal_it_says_what_to_do_instead) {
  const auto [status, text] = frame("");
  EXPECT_NE(status, 0);
  EXPECT_NE(text.find("--frames"), std::string::npos) << text;
}

}  // namespace
}  // namespace terrane::e2e
