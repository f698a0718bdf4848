// Designers' files: served beside the built-in worlds, and changed while the server runs.
#include <stdio.h>
#include <sys/wait.h>
#include <terrane/client.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"

namespace terrane::e2e {
namespace {

namespace fs = std::filesystem;

struct Output {
  std::string text;  // stdout and stderr
  int code = -1;
};

/// Runs a program to its end.
Output run(const std::string& command) {
  Output output;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  for (std::size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    output.text.append(buffer, got);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what << " is not in: " << text;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// The built-in perlin, under another name.
std::string copy_of_perlin(const std::string& name) {
  static const std::string kPerlin = run(std::string(TERRANED_PATH) + " --print-world perlin").text;
  return replaced(kPerlin, "\"name\": \"perlin\"", "\"name\": \"" + name + "\"");
}

/// Asks again and again, a minute at most; every question goes to the server and back.
bool becomes_true(const std::function<bool()>& question) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!question()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

/// A server with a directory of worlds, and a designer's view of it.
class Studio {
 public:
  explicit Studio(const std::string& mine, std::vector<std::string> flags = {"--no-cache"})
      : flags_((edit(mine), flags.insert(flags.end(), {"--world-dir", directory_.path()}), flags)),
        server(flags_),
        client(terrane::Client::connect({.address = server.address()}).value()) {}

  fs::path file() const { return directory_.path() / "mine.json"; }

  /// Replaces the file, as editors do.
  void edit(const std::string& text) const {
    const fs::path draft = directory_.path() / ".draft";
    std::ofstream(draft) << text;
    fs::rename(draft, file());
  }

  std::optional<World> world(const std::string& name) const {
    auto found = client.world(name);
    return found ? std::optional(*std::move(found)) : std::nullopt;
  }

  WorldFingerprint fingerprint(const std::string& name = "mine") const {
    const auto found = world(name);
    return found ? found->fingerprint : 0;
  }

  std::string hash(const std::string& name = "mine") const {
    return run(std::string(TERRANE_PATH) + " --server " + server.address() + " --world " + name +
               " --seed 7 hash --from -2,-2 --to 1,1")
        .text;
  }

  double metric(const std::string& name) const {
    const auto page = test::Connection(server.http_address()).ask(test::get("/metrics"));
    return page ? test::value_of(page->body, name) : -1;
  }

 private:
  const TempDirectory directory_;
  const std::vector<std::string> flags_;

 public:
  ServerProcess server;
  terrane::Client client;
};

TEST(world_files, a_changed_copy_is_served_and_changes_while_the_server_runs) {
  Studio studio(replaced(copy_of_perlin("mine"), "\"blocks\": 512", "\"blocks\": 256"));
  ASSERT_NE(studio.server.ready_line(), "") << studio.server.log();
  const WorldFingerprint first = studio.fingerprint();
  const std::string first_hash = studio.hash();
  EXPECT_NE(first_hash, studio.hash("perlin"));
  EXPECT_EQ(studio.metric("terrane_worlds"), static_cast<double>(studio.client.worlds()->size()));

  studio.edit(replaced(copy_of_perlin("mine"), "\"blocks\": 512", "\"blocks\": 300"));
  ASSERT_TRUE(becomes_true([&] { return studio.fingerprint() != first; }));
  EXPECT_NE(studio.hash(), first_hash);
  const auto pinned = studio.client.chunk({.name = "mine", .fingerprint = first}, {0, 0});
  ASSERT_FALSE(pinned);
  EXPECT_EQ(pinned.error().code, ErrorCode::kFailedPrecondition) << pinned.error().message;

  fs::remove(studio.file());
  ASSERT_TRUE(becomes_true([&] { return !studio.world("mine"); }));
  EXPECT_EQ(studio.client.world("mine").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(studio.server.stop(), 0);
}

TEST(world_files, an_unchanged_copy_is_the_same_world_under_another_name) {
  Studio studio(copy_of_perlin("mine"));
  EXPECT_EQ(studio.fingerprint(), studio.fingerprint("perlin"));
  EXPECT_EQ(studio.hash(), studio.hash("perlin"));
  EXPECT_EQ(studio.server.stop(), 0);
}

TEST(world_files, a_bad_edit_is_told_in_the_log_and_the_world_is_served_as_before) {
  Studio studio(copy_of_perlin("mine"));
  const WorldFingerprint before = studio.fingerprint();
  EXPECT_EQ(studio.metric("terrane_world_files_refused"), 0);
  studio.edit(replaced(copy_of_perlin("mine"), "\"octaves\": 6", "\"octaves\": 40"));
  ASSERT_TRUE(becomes_true([&] { return studio.metric("terrane_world_files_refused") == 1; }));
  EXPECT_EQ(studio.fingerprint(), before);
  EXPECT_TRUE(studio.client.chunk({.name = "mine", .fingerprint = before}, {5, 5}));
  EXPECT_NE(studio.server.log().find(studio.file().string() +
                                     ": perlin.height.octaves: 40 is above the largest allowed, 16 "
                                     "(line 9); world 'mine' stays"),
            std::string::npos)
      << studio.server.log();
  studio.edit(replaced(copy_of_perlin("mine"), "\"octaves\": 6", "\"octaves\": 5"));
  ASSERT_TRUE(becomes_true([&] { return studio.fingerprint() != before; }));
  EXPECT_EQ(studio.metric("terrane_world_files_refused"), 0);
  EXPECT_EQ(studio.server.stop(), 0);
}

TEST(world_files, another_colour_shows_at_once_and_the_world_stays_the_same) {
  Studio studio(copy_of_perlin("mine"));
  const World before = *studio.world("mine");
  const std::string hash = studio.hash();
  studio.edit(replaced(copy_of_perlin("mine"), "2A6FB0", "112233"));
  ASSERT_TRUE(becomes_true([&] { return studio.world("mine")->biomes[0].color == 0x112233; }));
  EXPECT_EQ(studio.fingerprint(), before.fingerprint);
  EXPECT_EQ(studio.hash(), hash);
  EXPECT_TRUE(studio.client.chunk({.name = "mine", .fingerprint = before.fingerprint}, {0, 0}));
  EXPECT_EQ(studio.server.stop(), 0);
}

TEST(world_files, a_file_takes_the_place_of_a_built_in_world_until_it_is_gone) {
  Studio studio(replaced(copy_of_perlin("perlin"), "\"blocks\": 512", "\"blocks\": 256"));
  EXPECT_NE(studio.server.log().find("serves world 'perlin' in place of the built-in one"),
            std::string::npos);
  const WorldFingerprint replaced_by = studio.fingerprint("perlin");
  fs::remove(studio.file());
  studio.server.reload();
  ASSERT_TRUE(becomes_true([&] { return studio.fingerprint("perlin") != replaced_by; }));
  ASSERT_TRUE(becomes_true(
      [&] { return studio.server.log().find("SIGHUP: reading") != std::string::npos; }));
  EXPECT_NE(studio.server.log().find("world 'perlin' is the built-in one again"), std::string::npos)
      << studio.server.log();
  EXPECT_EQ(studio.server.stop(), 0);
}

TEST(world_files, calls_in_flight_keep_the_world_that_they_began_with) {
  const std::vector<std::string> versions{
      copy_of_perlin("mine"),
      replaced(copy_of_perlin("mine"), "\"blocks\": 512", "\"blocks\": 256")};
  Studio studio(versions[0]);
  const ChunksRequest request{.world = {.name = "mine"}, .area = ChunkRectangle{{-4, -4}, {3, 3}}};
  const auto stream = [&](WorldFingerprint fingerprint) -> Result<std::map<ChunkCoord, Chunk>> {
    std::map<ChunkCoord, Chunk> chunks;
    ChunksRequest pinned = request;
    pinned.world.fingerprint = fingerprint;
    auto answers = studio.client.chunks(pinned);
    for (auto answer = answers.next(); !answer || *answer; answer = answers.next()) {
      if (!answer) return tl::unexpected(answer.error());
      EXPECT_TRUE(**answer) << (**answer).error().error.message;
      if (**answer) chunks.emplace((***answer).coord, ***answer);
    }
    return chunks;
  };
  std::map<WorldFingerprint, std::map<ChunkCoord, Chunk>> expected;
  for (const std::string& version : {versions[1], versions[0]}) {
    const WorldFingerprint before = studio.fingerprint();
    studio.edit(version);
    ASSERT_TRUE(becomes_true([&] { return studio.fingerprint() != before; }));
    expected[studio.fingerprint()] = *stream(studio.fingerprint());
  }
  ASSERT_EQ(expected.size(), 2u);

  std::atomic<bool> done = false;
  std::thread designer([&] {
    for (std::size_t i = 1; i <= 20; ++i) {
      const WorldFingerprint before = studio.fingerprint();
      studio.edit(versions[i % 2]);
      studio.server.reload();
      EXPECT_TRUE(becomes_true([&] { return studio.fingerprint() != before; }));
    }
    done = true;
  });
  int complete = 0;
  while (!done) {
    const WorldFingerprint fingerprint = studio.fingerprint();
    const auto chunks = stream(fingerprint);
    if (!chunks) {
      EXPECT_EQ(chunks.error().code, ErrorCode::kFailedPrecondition) << chunks.error().message;
      continue;
    }
    EXPECT_TRUE(*chunks == expected[fingerprint]) << "chunks of two worlds in one stream";
    ++complete;
  }
  designer.join();
  EXPECT_GT(complete, 0);
  EXPECT_EQ(studio.server.stop(), 0);
}

TEST(world_files, a_bad_file_at_the_start_keeps_nobody_from_serving_the_rest) {
  Studio studio("{ \"name\": \"mine\"");
  EXPECT_FALSE(studio.world("mine"));
  EXPECT_TRUE(studio.client.chunk({.name = "perlin"}, {0, 0}));
  EXPECT_NE(studio.server.log().find("mine.json: the file ends where ',' or '}' should follow"),
            std::string::npos)
      << studio.server.log();
  EXPECT_EQ(studio.server.stop(), 0);
}

TEST(world_files, a_directory_that_is_not_there_is_a_wrong_configuration) {
  ServerProcess server({"--world-dir", "/nowhere", "--no-cache"});
  EXPECT_EQ(server.wait(), 2);
  EXPECT_NE(server.log().find(
                "--world-dir: can't read the worlds in /nowhere: No such file or directory"),
            std::string::npos)
      << server.log();
}

TEST(world_files, a_file_can_be_checked_without_a_server) {
  const TempDirectory directory;
  const fs::path file = directory.path() / "mine.json";
  const std::string check = std::string(TERRANED_PATH) + " --check-world " + file.string();
  std::ofstream(file) << copy_of_perlin("mine");
  const Output right = run(check);
  EXPECT_EQ(right.code, 0);
  EXPECT_EQ(right.text.find(file.string() + ": world 'mine', fingerprint 0x"), 0u) << right.text;
  std::ofstream(file) << replaced(copy_of_perlin("mine"), "\"gain\"", "\"gian\"");
  const Output wrong = run(check);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.text,
            file.string() +
                ": perlin.height.gian: there is no such field; did you mean gain? (line 9)\n");
  EXPECT_EQ(run(std::string(TERRANED_PATH) + " --print-world nothing").code, 2);
}

TEST(world_files, what_cannot_be_printed_is_no_success) {
  for (const char* const what : {"--print-world perlin", "--new-token game", "--help"}) {
    const Output full = run("(" + std::string(TERRANED_PATH) + " " + what + " 2>&1 >/dev/full)");
    EXPECT_EQ(full.code, 1) << what;
    EXPECT_NE(full.text.find("standard output can't be written"), std::string::npos) << full.text;
  }
}

}  // namespace
}  // namespace terrane::e2e
