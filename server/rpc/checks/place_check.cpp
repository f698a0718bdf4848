#include "rpc/checks/place_check.h"

#include <spdlog/fmt/fmt.h>

#include "rpc/checks/access_check.h"
#include "rpc/checks/refused_field.h"
#include "rpc/checks/world_check.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {

Result<FoundVariant> find_variant(const NamedVariant& named, const access::LiveAccess* access,
                                  const access::Caller* caller,
                                  const worlds::WorldCatalog& worlds) {
  v1::WorldRef ref;
  ref.set_seed(named.seed);
  if (!named.fingerprint) {
    ref.set_name(named.world);
    if (!named.realm.empty()) {
      ref.clear_seed();
      ref.set_realm(named.realm);
    }
    TERRANE_RETURN_IF_ERROR(resolve(access, caller, ref));
    TERRANE_ASSIGN_OR_RETURN(WorldPtr world, find_world(ref.name(), worlds, "world.name"));
    return FoundVariant{std::move(world), ref.seed()};
  }
  for (const auto& [name, world] : worlds) {
    if (world->fingerprint != *named.fingerprint) continue;
    ref.set_name(name);
    if (resolve(access, caller, ref)) return FoundVariant{world, named.seed};
  }
  return refuse_field({.code = ErrorCode::kNotFound,
                       .reason = ErrorReason::kWorldUnknown,
                       .field = "fingerprint",
                       .value = fmt::format("{:016x}", *named.fingerprint)},
                      "no world that you may see has it; it may have changed: /v1/worlds says what "
                      "there is");
}

}  // namespace terrane::rpc
