#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "support/temp_directory.h"
#include "worlds/live_catalog.h"
#include "worlds/world_directory.h"

namespace terrane::worlds {
namespace {

namespace fs = std::filesystem;
using Read = WorldDirectory::Read;

std::string preset(const std::string& name, int blocks = 256, const std::string& color = "00ff00") {
  std::string noise = R"({ "frequency": { "blocks": )";
  noise += std::to_string(blocks) + " } }";
  std::string text = R"({ "name": ")";
  text += name + R"(", "perlin": { "height": )" + noise + R"(, "temperature": )" + noise +
          R"(, "humidity": )" + noise;
  return text + R"( }, "biomes": [ { "name": "Land", "color": ")" + color + "\" } ] }\n";
}

/// A directory of world files beside the built-in worlds.
class WorldFiles : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(path(file)) << text;
  }
  fs::path path(const std::string& file) const { return scratch_.path() / file; }

  WorldsFound look(Read read = Read::kChanged) {
    auto found = directory_.look(read);
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    return found ? *std::move(found) : WorldsFound{};
  }

  /// Of a look whose only news is this one.
  static std::string only_news(const WorldsFound& found) {
    EXPECT_EQ(found.news.size(), 1u);
    return found.news.empty() ? "" : found.news.front().text;
  }

  const test::TempDirectory scratch_;
  const WorldCatalog builtin_ = builtin_worlds().value();
  WorldDirectory directory_{scratch_.path(), builtin_};
};

TEST_F(WorldFiles, worlds_of_files_stand_beside_the_built_in_ones) {
  write("mine.json", preset("mine"));
  write("notes.txt", "not a world");
  write(".#mine.json", "an editor's");
  const WorldsFound found = look();
  EXPECT_EQ(found.worlds.size(), builtin_.size() + 1);
  ASSERT_TRUE(found.worlds.contains("mine"));
  EXPECT_EQ(found.worlds.at("perlin"), builtin_.at("perlin"));
  EXPECT_EQ(found.refused_files, 0u);
  EXPECT_EQ(
      only_news(found).find(path("mine.json").string() + ": serves world 'mine', fingerprint 0x"),
      0u);
  EXPECT_TRUE(look().news.empty()) << "nothing has changed";
}

TEST_F(WorldFiles, a_file_takes_the_place_of_a_built_in_world_until_it_is_gone) {
  write("other.json", preset("perlin"));
  const WorldsFound replaced = look();
  EXPECT_EQ(replaced.worlds.size(), builtin_.size());
  EXPECT_NE(replaced.worlds.at("perlin")->fingerprint, builtin_.at("perlin")->fingerprint);
  EXPECT_NE(only_news(replaced).find("in place of the built-in one"), std::string::npos);
  fs::remove(path("other.json"));
  const WorldsFound back = look();
  EXPECT_EQ(back.worlds.at("perlin"), builtin_.at("perlin"));
  EXPECT_EQ(only_news(back),
            path("other.json").string() + ": is gone; world 'perlin' is the built-in one again");
}

TEST_F(WorldFiles, a_removed_file_takes_its_world_along) {
  write("mine.json", preset("mine"));
  (void)look();
  fs::remove(path("mine.json"));
  const WorldsFound found = look();
  EXPECT_EQ(found.worlds, builtin_);
  EXPECT_EQ(only_news(found),
            path("mine.json").string() + ": is gone; world 'mine' is not served any more");
}

TEST_F(WorldFiles, of_two_files_with_one_name_the_first_by_file_name_has_it) {
  write("b.json", preset("mine", 512));
  write("a.json", preset("mine", 256));
  const WorldsFound found = look();
  EXPECT_EQ(found.refused_files, 1u);
  ASSERT_EQ(found.news.size(), 2u);
  EXPECT_TRUE(found.news[1].refused);
  EXPECT_EQ(found.news[1].text, path("b.json").string() +
                                    ": name: the world in a.json is called 'mine' too; rename one "
                                    "of them; the file is not served");
  const WorldPtr first = found.worlds.at("mine");
  fs::remove(path("a.json"));
  const WorldsFound second = look();
  EXPECT_EQ(second.refused_files, 0u);
  EXPECT_NE(second.worlds.at("mine")->fingerprint, first->fingerprint) << "now it is b.json's turn";
}

TEST_F(WorldFiles, a_bad_file_is_refused_with_path_field_and_reason_and_the_others_are_served) {
  write("bad.json", preset("bad", 0));
  write("good.json", preset("good"));
  const WorldsFound found = look();
  EXPECT_FALSE(found.worlds.contains("bad"));
  EXPECT_TRUE(found.worlds.contains("good"));
  EXPECT_EQ(found.refused_files, 1u);
  ASSERT_EQ(found.news.size(), 2u);
  EXPECT_TRUE(found.news[0].refused);
  EXPECT_EQ(found.news[0].text, path("bad.json").string() +
                                    ": perlin.height.frequency.blocks: 0 is below the smallest "
                                    "allowed, 1 block (line 1); the file is "
                                    "not served");
  EXPECT_TRUE(look().news.empty()) << "a refusal is told once";
}

TEST_F(WorldFiles, a_bad_edit_leaves_the_version_in_place_that_was_served_before) {
  write("mine.json", preset("mine"));
  const WorldPtr before = look().worlds.at("mine");
  write("mine.json", "{");
  const WorldsFound broken = look();
  EXPECT_EQ(broken.worlds.at("mine"), before);
  EXPECT_EQ(broken.refused_files, 1u);
  EXPECT_NE(only_news(broken).find("; world 'mine' stays as it was read before"), std::string::npos)
      << only_news(broken);
  write("mine.json", preset("mine", 512));
  const WorldsFound mended = look();
  EXPECT_NE(mended.worlds.at("mine")->fingerprint, before->fingerprint);
  EXPECT_EQ(mended.refused_files, 0u);
  EXPECT_NE(only_news(mended).find("who pinned that has to fetch the world anew"),
            std::string::npos);
}

TEST_F(WorldFiles, a_colour_is_taken_over_and_the_fingerprint_stays) {
  write("mine.json", preset("mine", 256, "00ff00"));
  const WorldPtr before = look().worlds.at("mine");
  // as long, and perhaps within one tick of the file system's clock
  write("mine.json", preset("mine", 256, "0000ff"));
  const WorldsFound found = look();
  EXPECT_EQ(found.worlds.at("mine")->fingerprint, before->fingerprint);
  EXPECT_EQ(found.worlds.at("mine")->biomes[0].color, 0x0000ffu);
  EXPECT_EQ(before->biomes[0].color, 0x00ff00u) << "who holds a world keeps it as it was";
  EXPECT_TRUE(only_news(found).ends_with(" as before"));
}

TEST_F(WorldFiles, a_world_can_be_renamed) {
  write("mine.json", preset("old_name"));
  const WorldPtr before = look().worlds.at("old_name");
  write("mine.json", preset("new_name"));
  const WorldsFound found = look();
  EXPECT_FALSE(found.worlds.contains("old_name"));
  EXPECT_EQ(found.worlds.at("new_name")->fingerprint, before->fingerprint);
  EXPECT_TRUE(only_news(found).ends_with("; it was world 'old_name' before"));
}

TEST_F(WorldFiles, the_file_that_has_a_name_keeps_it_while_it_is_broken) {
  write("a.json", preset("mine"));
  (void)look();
  write("a.json", "broken");
  write("b.json", preset("mine", 512));
  const WorldsFound found = look();
  EXPECT_EQ(found.refused_files, 2u);
  EXPECT_EQ(found.worlds.count("mine"), 1u);
}

TEST_F(WorldFiles, what_is_not_a_file_of_reasonable_size_is_refused_without_waiting_for_it) {
  fs::create_directory(path("directory.json"));
  ASSERT_EQ(mkfifo(path("pipe.json").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", path("device.json"));
  fs::create_symlink("nowhere", path("dangling.json"));
  write("large.json", preset("large") + std::string(kMaxFileBytes, ' '));
  write("largest.json",
        preset("largest") + std::string(kMaxFileBytes - preset("largest").size(), ' '));
  write("target", preset("linked"));
  fs::create_symlink(path("target"), path("link.json"));
  const WorldsFound found = look();
  EXPECT_EQ(found.refused_files, 5u);
  EXPECT_TRUE(found.worlds.contains("linked"));
  EXPECT_TRUE(found.worlds.contains("largest"));
  std::string all;
  for (const auto& news : found.news) all += news.text + "\n";
  for (const char* words :
       {"directory.json: is not a regular file", "pipe.json: is not a regular file",
        "device.json: is not a regular file", "dangling.json: can't be read: No such file",
        "large.json: holds more than 4194304 bytes"}) {
    EXPECT_NE(all.find(words), std::string::npos) << all;
  }
  EXPECT_TRUE(look().news.empty()) << look().news.front().text;
}

TEST_F(WorldFiles, the_hundred_and_first_file_is_refused) {
  for (int i = 100; i < 201; ++i)
    write(std::to_string(i) + ".json", preset(std::string("w").append(std::to_string(i))));
  const WorldsFound found = look();
  EXPECT_EQ(found.refused_files, 1u);
  EXPECT_FALSE(found.worlds.contains("w200"));
  EXPECT_EQ(found.worlds.size(), builtin_.size() + 100);
}

TEST_F(WorldFiles, a_directory_that_can_not_be_read_is_an_error_and_forgets_nothing) {
  write("mine.json", preset("mine"));
  const WorldPtr before = look().worlds.at("mine");
  const fs::path aside = scratch_.path().string() + "-aside";
  fs::rename(scratch_.path(), aside);
  const auto failed = directory_.look(Read::kAll);
  fs::rename(aside, scratch_.path());
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find(scratch_.path().string() + ": No such file or directory"),
            std::string::npos);
  EXPECT_EQ(look().worlds.at("mine"), before);
}

TEST(world_directory, none_is_the_built_in_worlds) {
  const WorldCatalog builtin = builtin_worlds().value();
  const auto found = WorldDirectory("", builtin).look(Read::kAll);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->worlds, builtin);
  EXPECT_TRUE(found->news.empty());
}

TEST(live_catalog, readers_see_one_catalogue_or_the_other_and_keep_what_they_took) {
  const WorldCatalog builtin = builtin_worlds().value();
  const WorldCatalog one{{"perlin", builtin.at("perlin")}};
  LiveCatalog live(builtin);
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      do {
        const LiveCatalog::Snapshot taken = live.now();
        EXPECT_TRUE(*taken == builtin || *taken == one);
      } while (!done);
    });
  }
  for (int i = 0; i < 2000; ++i) live.exchange(i % 2 == 0 ? one : builtin);
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(*live.now(), builtin);
}

}  // namespace
}  // namespace terrane::worlds
