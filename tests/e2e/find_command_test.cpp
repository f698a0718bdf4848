// `terrane find` against a real server.
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>
#include <terrane/client.h>

#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

namespace fs = std::filesystem;

struct Output {
  std::string text;  // stdout, and stderr where the command says so
  int code = -1;
};

Output run(const std::string& command) {
  Output output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char part[4096];
  while (const std::size_t count = fread(part, 1, sizeof part, pipe))
    output.text.append(part, count);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The number that follows a name in a line of JSON.
std::int64_t number_after(const std::string& line, const std::string& name, std::size_t from = 0) {
  const std::size_t at = line.find(name, from);
  EXPECT_NE(at, std::string::npos) << name << " is not in " << line;
  return at == std::string::npos ? 0 : std::stoll(line.substr(at + name.size()));
}

class find_command : public ::testing::Test {
 protected:
  [[nodiscard]] std::string find(const std::string& arguments) const {
    return std::string(TERRANE_PATH) + " --server " + server_.process.address() + " find " +
           arguments;
  }

  const TempDirectory data_;
  RunningServer server_{data_};
};

TEST_F(find_command, finds_seeds_whose_land_the_server_makes_so_and_draws_them) {
  const fs::path pictures = data_.path() / "seeds" / "of mine";
  const std::string wishes = "land 'water within 700' '3 biomes within 2000' --found 4 --json";
  const Output found = run(find(wishes + " --pictures '" + pictures.string() + "' 2>/dev/null"));
  EXPECT_EQ(found.code, 0);
  const auto lines = lines_of(found.text);
  ASSERT_EQ(lines.size(), 4u) << found.text;
  const auto client = *terrane::Client::connect({.address = server_.process.address()});
  std::int64_t last = 0;
  for (const std::string& line : lines) {
    const std::int64_t seed = number_after(line, "{\"seed\":\"");
    EXPECT_GT(seed, last) << "in their order";
    last = seed;
    const std::size_t water = line.find("water within 700");
    ASSERT_NE(water, std::string::npos) << line;
    const std::vector<BlockPos> blocks{
        {0, 0}, {number_after(line, "\"x\":", water), number_after(line, "\"y\":", water)}};
    const auto samples =
        client.sample({"continents", static_cast<std::uint64_t>(seed), {}}, blocks);
    ASSERT_TRUE(samples) << samples.error().message;
    EXPECT_LE(samples->at(0).water_q4, samples->at(0).height_q4);
    EXPECT_GT(samples->at(1).water_q4, samples->at(1).height_q4);
    EXPECT_GE(number_after(line, "\"biomes\":"), 3);
    const fs::path picture = pictures / ("seed-" + std::to_string(seed) + ".png");
    EXPECT_GT(fs::file_size(picture), 10000u) << picture;
  }
  EXPECT_EQ(run(find(wishes + " --threads 1 2>/dev/null")).text.substr(0, 40),
            found.text.substr(0, 40))
      << "the same again";
  server_.stop_cleanly();
}

TEST_F(find_command, goes_on_where_it_stopped) {
  const std::string wishes = "land 'sea within 2000' ";
  const Output all = run(find(wishes + "--count 400 --found 100 2>/dev/null"));
  const auto seeds = lines_of(all.text);
  ASSERT_GE(seeds.size(), 4u);
  const Output some = run(find(wishes + "--found 2 2>&1 >/dev/null"));
  const std::int64_t next = number_after(some.text, "with --from ");
  EXPECT_EQ(next, std::stoll(seeds[1]) + 1) << some.text;
  const Output rest =
      run(find(wishes + "--from " + std::to_string(next) + " --found 1 2>/dev/null"));
  EXPECT_EQ(rest.text, seeds[2] + "\n");
  server_.stop_cleanly();
}

TEST_F(find_command, says_how_to_go_on_when_it_is_stopped) {
  // once the first seed has been told, and with somebody who reads the others
  const std::string told = data_.path() / "told", words = data_.path() / "words";
  const Output stopped = run(
      "mkfifo " + told + "; " + find("'height -3000 within 0' --found 1000000 --count 1000000 >") +
      told + " 2>" + words + " & p=$!; exec 3<" + told + "; read -r line <&3; cat <&3 >" + told +
      ".rest & kill -TERM $p; wait $p; echo \"status $?\"; cat " + words);
  EXPECT_EQ(stopped.text.substr(0, 11), "status 143\n") << stopped.text;
  EXPECT_NE(stopped.text.find("goes on from here"), std::string::npos) << stopped.text;
  EXPECT_GT(number_after(stopped.text, "with --from "), 1);
  server_.stop_cleanly();
}

TEST_F(find_command, says_what_is_wrong) {
  const Output wrong = run(find("dessert 2>&1"));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.text.find("terrane: wish 'dessert': world 'continents' has no biome"),
            std::string::npos)
      << wrong.text;
  const Output none = run(find("'height 4000 within 10' --count 50 2>&1"));
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.text.find("looked at 50 seeds"), std::string::npos) << none.text;
  EXPECT_NE(none.text.find("no seed of those fulfils it all"), std::string::npos) << none.text;
  const Output nothing = run(find("2>&1"));
  EXPECT_EQ(nothing.code, 2);
  const Output last = run(find("land --from 18446744073709551615 --count 5 2>&1"));
  EXPECT_EQ(last.code, 0) << last.text;
  server_.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
