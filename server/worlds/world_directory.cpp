#include "worlds/world_directory.h"

#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include "terrane/result_macros.h"
#include "worlds/preset.h"

namespace terrane::worlds {
namespace {

namespace fs = std::filesystem;

/// A file can change twice within one tick of the file system's clock. A stamp is trusted once it
/// is older than any such tick.
constexpr std::int64_t kFreshNs = 2'000'000'000;

bool is_fresh(const FileStamp& stamp) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() -
             stamp.status_changed_ns <
         kFreshNs;
}

std::string hex(WorldFingerprint fingerprint) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(fingerprint));
  return text;
}

}  // namespace

WorldDirectory::WorldDirectory(fs::path directory, WorldCatalog builtin)
    : directory_(std::move(directory)), builtin_(std::move(builtin)) {}

Result<std::vector<std::string>> WorldDirectory::list() const {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(directory_, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const fs::path name = entry->path().filename();
    if (name.extension() == ".json" && !name.string().starts_with('.'))
      names.push_back(name.string());
  }
  if (failure) {
    return fail(ErrorCode::kFailedPrecondition,
                "can't read the worlds in " + directory_.string() + ": " + failure.message());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<WorldsFound> WorldDirectory::look(Read read) {
  if (directory_.empty()) return WorldsFound{builtin_, 0, {}};
  TERRANE_ASSIGN_OR_RETURN(const auto names, list());
  std::map<std::string, File> before;
  before.swap(files_);
  for (const std::string& name : names) {
    const auto known = before.find(name);
    File& file = files_[name];
    if (known != before.end()) {
      file = std::move(known->second);
      before.erase(known);
    }
    read_file(name, file, read);
  }
  WorldsFound found = offer();
  for (const auto& [name, file] : before) {
    std::string what = "it served no world";
    if (file.served != nullptr) {
      const std::string world = "world '" + file.served->name + "'";
      const auto now = found.worlds.find(file.served->name);
      const auto builtin = builtin_.find(file.served->name);
      what = now == found.worlds.end() ? world + " is not served any more"
             : builtin != builtin_.end() && now->second == builtin->second
                 ? world + " is the built-in one again"
                 : world + " is that of another file now";
    }
    found.news.push_back({false, (directory_ / name).string() + ": is gone; " + what});
  }
  return found;
}

void WorldDirectory::read_file(const std::string& name, File& file, Read read) {
  file.renewed = false;
  const fs::path path = directory_ / name;
  const FileStamp stamp = stamp_of(path);
  if (read == Read::kChanged && stamp == file.stamp && stamp != FileStamp{} && !is_fresh(stamp))
    return;
  file.stamp = stamp;  // from before reading: a change meanwhile shows next time
  const auto text = read_file_text(path);
  if (!text) {
    file.renewed = file.content.has_value() || file.content.error() != text.error();
    file.content = tl::unexpected(text.error());
    file.text_hash.reset();
    return;
  }
  const std::uint64_t hash = XXH3_64bits(text->data(), text->size());
  if (file.text_hash == hash) return;
  file.text_hash = hash;
  file.renewed = true;
  auto world = parse_preset(*text, path.string());
  if (world) {
    file.content = std::make_shared<const worldgen::World>(*std::move(world));
  } else {
    file.content = tl::unexpected(world.error());
  }
}

WorldsFound WorldDirectory::offer() {
  WorldsFound found{builtin_, 0, {}};
  std::map<std::string, std::string, std::less<>> owners;  // of the worlds' names
  std::size_t count = 0;
  for (auto& [name, file] : files_) {
    const std::string path = (directory_ / name).string();
    const WorldPtr before = file.served;
    const std::string refusal_before = std::exchange(file.refusal, "");
    if (++count > kMaxWorldFiles) {
      file.refusal = path + ": the directory holds " + std::to_string(files_.size()) +
                     " world files; only the first " + std::to_string(kMaxWorldFiles) +
                     " are served";
      file.served = nullptr;
    } else if (!file.content) {
      file.refusal = file.content.error().message;
    } else if (const auto owner = owners.find((*file.content)->name); owner != owners.end()) {
      file.refusal = path + ": name: the world in " + owner->second + " is called '" +
                     owner->first + "' too; rename one of them";
    } else {
      file.served = *file.content;
    }
    if (!file.refusal.empty()) {
      ++found.refused_files;
      if (file.served != nullptr && owners.contains(file.served->name)) file.served = nullptr;
    }
    if (file.served != nullptr) {
      owners.emplace(file.served->name, name);
      found.worlds[file.served->name] = file.served;
    }
    if (auto text = news_of(name, file, before, refusal_before)) {
      found.news.push_back({!file.refusal.empty(), *std::move(text)});
    }
  }
  return found;
}

std::optional<std::string> WorldDirectory::news_of(const std::string& name, const File& file,
                                                   const WorldPtr& before,
                                                   const std::string& refusal_before) const {
  if (file.served == before && file.refusal == refusal_before && !file.renewed) return std::nullopt;
  if (!file.refusal.empty()) {
    return file.refusal + (file.served != nullptr
                               ? "; world '" + file.served->name + "' stays as it was read before"
                               : "; the file is not served");
  }
  const std::string world = "world '" + file.served->name + "'";
  std::string text = (directory_ / name).string() + ": serves " + world;
  if (builtin_.contains(file.served->name)) text += " in place of the built-in one";
  text += ", fingerprint " + hex(file.served->fingerprint);
  if (before == nullptr) return text;
  if (before->name != file.served->name)
    return text + "; it was world '" + before->name + "' before";
  if (before->fingerprint == file.served->fingerprint) return text + " as before";
  return text + "; it was " + hex(before->fingerprint) +
         ", and who pinned that has to fetch the world anew";
}

}  // namespace terrane::worlds
