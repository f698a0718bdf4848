#include "http/world_pages.h"

#include <utility>

#include "rpc/json_answers.h"

namespace terrane::http {

WorldPages::Known& WorldPages::known(const worlds::WorldPtr& world) {
  const auto found = known_.find(world.get());
  // another world may have come to be where one was that has gone
  if (found != known_.end() && found->second.world.lock() == world) return found->second;
  std::erase_if(known_, [](const auto& entry) { return entry.second.world.expired(); });
  return known_.insert_or_assign(world.get(), Known{world, nullptr, nullptr}).first->second;
}

std::shared_ptr<const std::string> WorldPages::json(const worlds::WorldPtr& world) {
  const MutexLock lock(mutex_);
  auto& json = known(world).json;
  if (!json) json = std::make_shared<const std::string>(rpc::world_json(*world, limits_));
  return json;
}

std::shared_ptr<const std::string> WorldPages::file(const worlds::WorldPtr& world) {
  const MutexLock lock(mutex_);
  auto& file = known(world).file;
  if (!file) file = std::make_shared<const std::string>(rpc::world_file(*world));
  return file;
}

}  // namespace terrane::http
