#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "support/temp_directory.h"
#include "worlds/builtin_presets.h"
#include "worlds/world_reloader.h"

namespace terrane::worlds {
namespace {

namespace fs = std::filesystem;
using Read = WorldDirectory::Read;

/// What the program logs while it lives, one message a line.
class Log {
 public:
  Log() {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    sink->set_pattern("%l: %v");
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  }
  ~Log() { spdlog::set_default_logger(before_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// What has come since the last call.
  std::string take() {
    std::string text = text_.str();
    text_.str("");
    return text;
  }

 private:
  const std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
  std::ostringstream text_;
};

class Reloader : public testing::Test {
 protected:
  /// perlin, under another name.
  void write(const std::string& file, const std::string& name) const {
    for (const BuiltinPreset& builtin : builtin_presets()) {
      if (builtin.file != "perlin.json") continue;
      std::string text(builtin.json);
      const std::string old = "\"name\": \"perlin\"";
      text.replace(text.find(old), old.size(), "\"name\": \"" + name + "\"");
      std::ofstream(directory_.path() / file) << text;
    }
  }

  const test::TempDirectory directory_;
  const WorldCatalog builtin_ = builtin_worlds().value();
  WorldReloader worlds_{directory_.path(), builtin_};
  Log log_;
};

TEST_F(Reloader, offers_what_is_built_in_until_it_looks_and_the_files_too_from_then_on) {
  write("mine.json", "mine");
  EXPECT_EQ(*worlds_.live().now(), builtin_);
  ASSERT_TRUE(worlds_.look(Read::kAll));
  EXPECT_TRUE(worlds_.live().now()->contains("mine"));
  EXPECT_NE(log_.take().find("info: " + (directory_.path() / "mine.json").string()),
            std::string::npos);
}

TEST_F(Reloader, a_look_without_news_leaves_the_catalogue_as_it_is_and_says_nothing) {
  write("mine.json", "mine");
  ASSERT_TRUE(worlds_.look(Read::kAll));
  const LiveCatalog::Snapshot before = worlds_.live().now();
  log_.take();
  worlds_.look_again(Read::kAll);
  EXPECT_EQ(worlds_.live().now(), before);
  EXPECT_EQ(log_.take(), "");
}

TEST_F(Reloader, a_file_that_is_refused_is_counted_and_warned_of_until_it_is_mended) {
  std::ofstream(directory_.path() / "mine.json") << "{";
  worlds_.look_again(Read::kAll);
  EXPECT_EQ(worlds_.refused_files(), 1u);
  EXPECT_NE(log_.take().find("warning: "), std::string::npos);
  write("mine.json", "mine");
  worlds_.look_again(Read::kAll);
  EXPECT_EQ(worlds_.refused_files(), 0u);
  EXPECT_TRUE(worlds_.live().now()->contains("mine"));
}

TEST_F(Reloader, a_directory_that_can_not_be_read_is_told_once_and_so_is_its_return) {
  write("mine.json", "mine");
  worlds_.look_again(Read::kAll);
  log_.take();
  const fs::path aside = directory_.path().string() + "-aside";
  fs::rename(directory_.path(), aside);
  worlds_.look_again(Read::kChanged);
  const std::string gone = log_.take();
  worlds_.look_again(Read::kChanged);
  const std::string still_gone = log_.take();
  fs::rename(aside, directory_.path());
  EXPECT_EQ(gone, "error: can't read the worlds in " + directory_.path().string() +
                      ": No such file or directory; the worlds stay as they are\n");
  EXPECT_EQ(still_gone, "");
  EXPECT_TRUE(worlds_.live().now()->contains("mine"));
  worlds_.look_again(Read::kChanged);
  EXPECT_EQ(log_.take(),
            "info: the worlds in " + directory_.path().string() + " can be read again\n");
}

}  // namespace
}  // namespace terrane::worlds
