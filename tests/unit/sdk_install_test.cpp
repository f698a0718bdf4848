#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sdk_scripted_server.h"

/// The SDK as a user gets it: installed into an empty directory, with nothing of this tree on any
/// path.
namespace terrane {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int status = -1;
  std::string output;
};

Outcome run(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.output.append(buffer.data(), size);
  outcome.status = WEXITSTATUS(pclose(pipe));
  return outcome;
}

class InstalledSdk : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    root = fs::temp_directory_path() / ("terrane-sdk-install-" + std::to_string(getpid()));
    fs::create_directories(root);
    const auto installed = run(std::string(CMAKE_PROGRAM) + " --install " + BUILD_DIR +
                               " --component sdk --prefix " + prefix());
    ASSERT_EQ(installed.status, 0) << installed.output;
  }
  static void TearDownTestSuite() { fs::remove_all(root); }

  static std::string prefix() { return (root / "prefix").string(); }
  static std::string library_path() { return "LD_LIBRARY_PATH=" + prefix() + "/" + LIB_DIR + " "; }

  static inline fs::path root;
};

grpc::Status answer(grpc::ServerContext&, const v1::GetChunkRequest& request,
                    v1::GetChunkResponse& response) {
  testing::fill(*response.mutable_chunk(), {request.coord().x(), request.coord().y()});
  return grpc::Status::OK;
}

// Block (100, -50) lies in chunk (6, -4) of 16 samples, where every height is 6 * 1000 - 4, in 1/16
// block.
constexpr const char* kGreeting = "height at (100, -50): 374.75 blocks\n";

TEST_F(InstalledSdk, hello_builds_with_find_package_and_prints_a_height) {
  const std::string build = (root / "hello").string();
  const auto built =
      run(std::string(CMAKE_PROGRAM) + " -G Ninja -S " + HELLO_DIR + " -B " + build +
          " -DCMAKE_PREFIX_PATH=" + prefix() + " -DCMAKE_CXX_COMPILER=" + CXX_COMPILER +
          " -DCMAKE_CXX_FLAGS=" + SANITIZER_FLAGS + " && " + CMAKE_PROGRAM + " --build " + build);
  ASSERT_EQ(built.status, 0) << built.output;
  testing::ScriptedServer server;
  server.get_chunk = answer;
  const auto greeting = run(build + "/hello " + server.address());
  EXPECT_EQ(greeting.status, 0);
  EXPECT_EQ(greeting.output, kGreeting);
}

TEST_F(InstalledSdk, hello_builds_with_pkg_config_too) {
  const std::string program = (root / "hello-pkg").string();
  const auto built =
      run("PKG_CONFIG_PATH=" + prefix() + "/" + LIB_DIR + "/pkgconfig; export PKG_CONFIG_PATH; " +
          CXX_COMPILER + " -std=c++20 " + SANITIZER_FLAGS + " " + HELLO_DIR +
          "/main.cpp $(pkg-config --cflags --libs terrane) -o " + program);
  ASSERT_EQ(built.status, 0) << built.output;
  testing::ScriptedServer server;
  server.get_chunk = answer;
  const auto greeting = run(library_path() + program + " " + server.address());
  EXPECT_EQ(greeting.output, kGreeting);
}

TEST_F(InstalledSdk, a_game_in_c_builds_against_terrane_core_alone) {
  const std::string program = (root / "local-pkg").string();
  const auto built =
      run("PKG_CONFIG_PATH=" + prefix() + "/" + LIB_DIR + "/pkgconfig; export PKG_CONFIG_PATH; " +
          CXX_COMPILER + " " + SANITIZER_FLAGS + " -x c -std=c99 " + LOCAL_DIR +
          "/main.c -x none $(pkg-config --cflags --libs terrane_core) -o " + program);
  ASSERT_EQ(built.status, 0) << built.output;
  const auto usage = run(library_path() + program);
  EXPECT_EQ(usage.status, 2);
  EXPECT_NE(usage.output.find("usage: local FILE"), std::string::npos) << usage.output;
}

TEST_F(InstalledSdk, games_without_grpc_build_against_each_library_that_carries_their_bytes) {
  const fs::path game = root / "game";
  fs::create_directories(game);
  std::ofstream(game / "explorer.cpp") << R"(#include <terrane/web_socket.h>
#include <iostream>
int main() {
  const auto explorer = terrane::connect_explorer({.urls = {"ws://"}}, {.world = {.name = "w"}});
  std::cout << (explorer ? "connected" : explorer.error().message) << '\n';
  const auto local = terrane::local_explorer({.threads = 65}, {});
  std::cout << (local ? "made" : local.error().message) << '\n';
})";
  std::ofstream(game / "CMakeLists.txt") << R"(cmake_minimum_required(VERSION 3.25)
project(game LANGUAGES C CXX)
find_package(terrane 0.1 REQUIRED)
add_executable(shared )" STREAMED_DIR R"(/main.c)
target_link_libraries(shared PRIVATE terrane::connection)
add_executable(whole )" STREAMED_DIR R"(/main.c)
target_link_libraries(whole PRIVATE terrane::connection_static)
set_target_properties(shared whole PROPERTIES LINKER_LANGUAGE CXX)
add_executable(explorer explorer.cpp)
target_link_libraries(explorer PRIVATE terrane::explorer)
)";
  const std::string build = (game / "build").string();
  const auto built =
      run(std::string(CMAKE_PROGRAM) + " -G Ninja -S " + game.string() + " -B " + build +
          " -DCMAKE_PREFIX_PATH=" + prefix() + " -DCMAKE_CXX_COMPILER=" + CXX_COMPILER +
          " -DCMAKE_CXX_FLAGS=" + SANITIZER_FLAGS + " && " + CMAKE_PROGRAM + " --build " + build);
  ASSERT_EQ(built.status, 0) << built.output;
  for (const char* program : {"/shared", "/whole"}) {
    const auto usage = run(build + program);
    EXPECT_EQ(usage.status, 2) << usage.output;
    EXPECT_EQ(usage.output, "usage: streamed ws://HOST:PORT [WORLD [SEED]]\n");
  }
  EXPECT_EQ(run(build + "/explorer").output,
            "the URL 'ws://' names no host\nthreads: 65 to make land; from 1 to 64\n");
  const auto flags = run("PKG_CONFIG_PATH=" + prefix() + "/" + LIB_DIR +
                         "/pkgconfig pkg-config --libs terrane_connection");
  EXPECT_NE(flags.output.find("-lterrane_connection -lterrane_core"), std::string::npos)
      << flags.output;
  EXPECT_TRUE(fs::exists(prefix() + "/share/doc/terrane/LICENSE"));
}

TEST_F(InstalledSdk, every_public_header_compiles_by_itself_and_knows_nothing_of_grpc) {
  int headers = 0;
  for (const auto& entry : fs::directory_iterator(prefix() + "/include/terrane")) {
    ++headers;
    const std::string name = entry.path().filename();
    const std::string source = (root / "alone.cpp").string();
    std::ofstream(source) << "#include \"terrane/" << name << "\"\n#include \"terrane/" << name
                          << "\"\n";
    const auto compiled = run(std::string(CXX_COMPILER) +
                              " -std=c++20 -Wall -Wextra -Wpedantic -Werror -H -fsyntax-only -I " +
                              prefix() + "/include " + source);
    EXPECT_EQ(compiled.status, 0) << name << ": " << compiled.output;
    for (const char* foreign : {"grpc", "google/protobuf", "absl"}) {
      EXPECT_EQ(compiled.output.find(foreign), std::string::npos)
          << name << " includes " << foreign;
    }
  }
  EXPECT_EQ(headers, 21)
      << "client chunk chunk_stream connection coord error_reason explore_limits explorer "
         "height_field layers_at local locate objects pose result terrane token web_socket world";
}

/// What windows.h calls its own, where nobody has asked it not to.
TEST_F(InstalledSdk, public_headers_survive_the_macros_of_windows) {
  const std::string source = (root / "macros.cpp").string();
  std::ofstream file(source);
  file << "#include <tl/expected.hpp>\n#include <bits/stdc++.h>\n";
  for (const char* macro :
       {"min(a, b) ((a) < (b) ? (a) : (b))", "max(a, b) ((a) > (b) ? (a) : (b))", "near", "far",
        "small char", "interface struct", "ERROR 0", "IN", "OUT", "CONST const", "DELETE 1",
        "VOID void", "NO_ERROR 0", "Yield()"})
    file << "#define " << macro << '\n';
  for (const auto& entry : fs::directory_iterator(prefix() + "/include/terrane"))
    file << "#include \"terrane/" << entry.path().filename().string() << "\"\n";
  file.close();
  const auto compiled = run(std::string(CXX_COMPILER) + " -std=c++20 -fsyntax-only -I " + prefix() +
                            "/include " + source);
  EXPECT_EQ(compiled.status, 0) << compiled.output;
}

TEST_F(InstalledSdk, the_library_shows_only_the_public_interface) {
  const auto symbols =
      run("nm -D --defined-only -C " + prefix() + "/" + LIB_DIR + "/libterrane_client.so");
  ASSERT_EQ(symbols.status, 0) << symbols.output;
  EXPECT_NE(symbols.output.find("terrane::Client::connect"), std::string::npos);
  for (const char* hidden : {"terrane::v1", "terrane::codec",
                             "terrane::client::", "terrane::Explorer::Impl", "google::protobuf"}) {
    std::istringstream lines(symbols.output);
    for (std::string line; std::getline(lines, line);) {
      const auto name = line.substr(line.find(' ', line.find(' ') + 1) + 1);
      EXPECT_FALSE(name.starts_with(hidden)) << line;
    }
  }
}

TEST_F(InstalledSdk, schemas_for_other_languages_come_with_it_and_compile) {
  const fs::path installed = prefix() + "/share/terrane/proto";
  std::string schemas;
  for (const auto& entry : fs::recursive_directory_iterator(PROTO_DIR "/terrane")) {
    if (entry.path().extension() != ".proto") continue;
    const auto name = fs::relative(entry.path(), PROTO_DIR);
    EXPECT_TRUE(fs::exists(installed / name)) << name;
    schemas.append(" ").append(name.string());
  }
  const auto compiled = run("protoc -I " + installed.string() + " -o /dev/null" + schemas);
  EXPECT_EQ(compiled.status, 0) << compiled.output;
  for (const char* document : {"EXPLORE.md", "FORMAT.md", "REFERENCE.md"})
    EXPECT_TRUE(fs::exists(prefix() + "/share/doc/terrane/" + document)) << document;
}

TEST_F(InstalledSdk, the_python_example_finds_the_installed_schemas) {
  const std::string example = prefix() + "/share/doc/terrane/examples/python";
  const auto made = run("cd " + example +
                        " && /usr/bin/python3 -B -c 'import terrane_client as client; "
                        "print(client.make_messages()[1].WorldRef(name=\"classic\").name)'");
  EXPECT_EQ(made.output, "classic\n");
  EXPECT_TRUE(fs::exists(example + "/README.md"));
  EXPECT_TRUE(fs::exists(example + "/draw_map.py"));
}

}  // namespace
}  // namespace terrane
