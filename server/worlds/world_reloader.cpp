#include "worlds/world_reloader.h"

#include <utility>

#include "log.h"
#include "terrane/result_macros.h"

namespace terrane::worlds {

Result<void> WorldReloader::look(WorldDirectory::Read read) {
  TERRANE_ASSIGN_OR_RETURN(WorldsFound found, directory_.look(read));
  for (const auto& news : found.news)
    spdlog::log(news.refused ? spdlog::level::warn : spdlog::level::info, "{}", news.text);
  refused_files_ = found.refused_files;
  if (!found.news.empty()) live_.exchange(std::move(found.worlds));
  return {};
}

void WorldReloader::look_again(WorldDirectory::Read read) {
  const auto looked = look(read);
  std::string problem = looked ? "" : looked.error().message;
  if (problem == problem_) return;
  if (looked) {
    spdlog::info("the worlds in {} can be read again", path_);
  } else {
    spdlog::error("{}; the worlds stay as they are", problem);
  }
  problem_ = std::move(problem);
}

}  // namespace terrane::worlds
