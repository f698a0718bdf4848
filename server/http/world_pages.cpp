#include "http/world_pages.h"

#include <utility>

#include "rpc/json_answers.h"

namespace terrane::http {

std::shared_ptr<const std::string> WorldPages::of(const worlds::WorldPtr& world) {
  const MutexLock lock(mutex_);
  const auto found = known_.find(world.get());
  // another world may have come to be where one was that has gone
  if (found != known_.end() && found->second.world.lock() == world) return found->second.json;
  std::erase_if(known_, [](const auto& entry) { return entry.second.world.expired(); });
  auto json = std::make_shared<const std::string>(rpc::world_json(*world, limits_));
  known_.insert_or_assign(world.get(), Known{world, json});
  return json;
}

}  // namespace terrane::http
