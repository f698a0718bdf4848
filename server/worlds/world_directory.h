#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terrane/result.h"
#include "worlds/file_text.h"
#include "worlds/world_catalog.h"

namespace terrane::worlds {

// so that a list of all worlds fits into one message
inline constexpr std::size_t kMaxWorldFiles = 100;

/// What has become of the directory.
struct WorldsFound {
  struct News {
    bool refused = false;  // a designer has something to mend
    std::string text;      // for the log; begins with the file
  };

  WorldCatalog worlds;            // to serve from now on
  std::size_t refused_files = 0;  // of those in the directory now
  std::vector<News> news;         // since the last look; none: `worlds` are the same as before
};

/// The worlds of the program and those of a directory's *.json files (but not of files whose name
/// begins with a dot). A file's world takes the place of a built-in one of the same name. Of two
/// files with one name, that whose file name sorts first has it. A file that is refused leaves the
/// version in place that was served from it before. Threads: one at a time.
class WorldDirectory {
 public:
  enum class Read : std::uint8_t {
    kChanged,  // files whose stamps have changed, or are too fresh to be trusted
    kAll,
  };

  /// @param directory  empty: none, and every look finds what is built in
  WorldDirectory(std::filesystem::path directory, WorldCatalog builtin);

  /// Reads what there is to read. Errors: kFailedPrecondition: the directory can't be listed, and
  /// why. Later looks begin where the last good one ended. Blocks: on the file system, for as long
  /// as reading and checking takes.
  [[nodiscard]] Result<WorldsFound> look(Read read);

 private:
  struct File {
    FileStamp stamp;
    // of what `content` was made from; none: it could not be read
    std::optional<std::uint64_t> text_hash;
    Result<WorldPtr> content;  // what the file holds now, or why it is refused
    WorldPtr served;           // what is on offer from it; null: nothing
    std::string refusal;       // why `content` is not on offer; empty: it is
    bool renewed = false;      // by this look
  };

  [[nodiscard]] Result<std::vector<std::string>> list() const;
  void read_file(const std::string& name, File& file, Read read);
  [[nodiscard]] WorldsFound offer();
  [[nodiscard]] std::optional<std::string> news_of(const std::string& name, const File& file,
                                                   const WorldPtr& before,
                                                   const std::string& refusal_before) const;

  const std::filesystem::path directory_;
  const WorldCatalog builtin_;
  std::map<std::string, File> files_;  // by name: their order decides who has a world's name
};

}  // namespace terrane::worlds
