#include "http/world_pages.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "rpc/json_answers.h"

namespace terrane::http {

WorldPage::WorldPage(std::string text)
    : body(std::make_shared<const std::string>(std::move(text))),
      etag(fmt::format("\"{:016x}\"", std::hash<std::string>()(*body))) {}

WorldPages::Known& WorldPages::known(const worlds::WorldPtr& world) {
  const auto found = known_.find(world.get());
  // another world may have come to be where one was that has gone
  if (found != known_.end() && found->second.world.lock() == world) return found->second;
  std::erase_if(known_, [](const auto& entry) { return entry.second.world.expired(); });
  return known_.insert_or_assign(world.get(), Known{world, {}, {}}).first->second;
}

WorldPage WorldPages::list(const worlds::LiveCatalog::Snapshot& worlds) {
  const MutexLock lock(mutex_);
  if (!list_ || listed_.lock() != worlds) {
    list_.reset();
    list_.emplace(rpc::worlds_json(*worlds, limits_, nullptr, nullptr));
    listed_ = worlds;
  }
  return *list_;
}

WorldPage WorldPages::json(const worlds::WorldPtr& world) {
  const MutexLock lock(mutex_);
  auto& json = known(world).json;
  if (!json) json.emplace(rpc::world_json(*world, limits_));
  return *json;
}

WorldPage WorldPages::file(const worlds::WorldPtr& world) {
  const MutexLock lock(mutex_);
  auto& file = known(world).file;
  if (!file) file.emplace(rpc::world_file(*world));
  return *file;
}

}  // namespace terrane::http
