#include "rpc/checks/access_check.h"

#include <spdlog/fmt/fmt.h>

#include "rpc/checks/refused_field.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

tl::unexpected<Error> denied(std::string field, std::string value, std::string_view why) {
  return refuse_field({.code = ErrorCode::kPermissionDenied,
                       .reason = ErrorReason::kNotPermitted,
                       .field = std::move(field),
                       .value = std::move(value)},
                      why);
}

/// No error of these says a seed.
Result<void> resolve_realm(const access::LiveAccess* access, const access::Caller* caller,
                           v1::WorldRef& world, std::string_view path) {
  const std::string field = fmt::format("{}.realm", path);
  if (!world.name().empty() || world.seed() != 0) {
    return refuse_field({.field = field, .value = in_quotes(world.realm())},
                        "a realm stands for a world and a seed: leave name and seed out");
  }
  if (caller != nullptr && !caller->grants.may_see_realm(world.realm())) {
    return denied(field, in_quotes(world.realm()),
                  "what you show of who you are is not for this realm; ListWorlds says for which");
  }
  const auto realms = access == nullptr ? nullptr : access->realms();
  const auto found = realms ? realms->find(world.realm()) : access::Realms::const_iterator();
  if (!realms || found == realms->end()) {
    return refuse_field({.code = ErrorCode::kNotFound,
                         .reason = ErrorReason::kWorldUnknown,
                         .field = field,
                         .value = in_quotes(world.realm())},
                        "this server has no realm of that name; ListWorlds says which there are");
  }
  world.set_name(found->second.world);
  world.set_seed(found->second.seed);
  world.clear_realm();
  return {};
}

}  // namespace

Result<void> check_may_read(const access::Caller& caller) {
  if (caller.grants.may_read) return {};
  return tl::unexpected(Error{.code = ErrorCode::kPermissionDenied,
                              .message = "what you show of who you are lets you read no world: it "
                                         "needs the role \"read\"",
                              .reason = ErrorReason::kNotPermitted});
}

Result<void> check_may_administer(const access::Caller* caller) {
  if (caller != nullptr && caller->grants.is_admin) return {};
  return tl::unexpected(
      Error{.code = ErrorCode::kPermissionDenied,
            .message = caller == nullptr
                           ? "only administrators may: show a token or a certificate with the role "
                             "\"admin\" (--access-file, --token-keys), or start the server with "
                             "--admin-from-loopback and call from its machine"
                           : "only administrators may: what you show of who you are lacks the role "
                             "\"admin\"",
            .reason = ErrorReason::kNotPermitted});
}

Result<void> check_may_see_all(const access::Caller* caller) {
  if (caller == nullptr) return {};
  const access::Grants& grants = caller->grants;
  if (!grants.seeds && !grants.realms && !grants.worlds) return {};
  return tl::unexpected(
      Error{.code = ErrorCode::kPermissionDenied,
            .message = "what you show of who you are is for some worlds, seeds or realms alone: of "
                       "others you are told nothing",
            .reason = ErrorReason::kNotPermitted});
}

Result<void> check_may_purge_all(const access::Caller* caller, const std::string& world) {
  if (check_may_see_all(caller)) return {};
  const access::Grants& grants = caller->grants;
  const bool is_all_of_world =
      !grants.seeds && !grants.realms && !world.empty() && grants.may_see_world(world);
  if (is_all_of_world) return {};
  return tl::unexpected(
      Error{.code = ErrorCode::kPermissionDenied,
            .message = "what you show of who you are is for some worlds, seeds or realms alone: "
                       "remove those one by one",
            .reason = ErrorReason::kNotPermitted});
}

Result<void> check_may_see(const access::Caller* caller, const std::string& world,
                           std::string_view path) {
  if (caller == nullptr || caller->grants.may_see_world(world)) return {};
  return denied(std::string(path), in_quotes(world),
                "what you show of who you are is not for this world; ListWorlds says for which");
}

Result<void> check_may_know(const access::LiveAccess* access, const access::Caller* caller,
                            const std::string& world) {
  if (access != nullptr) {
    for (const auto& [name, realm] : *access->realms()) {
      const bool may_see = caller == nullptr || caller->grants.may_see_realm(name);
      if (may_see && realm.world == world) return {};
    }
  }
  return check_may_see(caller, world);
}

Result<void> resolve(const access::LiveAccess* access, const access::Caller* caller,
                     v1::WorldRef& world, std::string_view path) {
  if (!world.realm().empty()) return resolve_realm(access, caller, world, path);
  if (access != nullptr && access->offers_realms_only()) {
    return denied(fmt::format("{}.name", path), in_quotes(world.name()),
                  "this server offers realms alone, and no seeds to choose; ListWorlds says which");
  }
  TERRANE_RETURN_IF_ERROR(check_may_see(caller, world.name(), fmt::format("{}.name", path)));
  if (caller == nullptr || caller->grants.may_see_seed(world.seed())) return {};
  return denied(fmt::format("{}.seed", path), std::to_string(world.seed()),
                "what you show of who you are is not for this seed");
}

Result<void> check_viewers(const access::Caller* caller, std::size_t viewers) {
  if (caller == nullptr || caller->grants.max_viewers == 0) return {};
  const std::size_t most = caller->grants.max_viewers;
  if (viewers <= most) return {};
  return tl::unexpected(
      Error{.code = ErrorCode::kResourceExhausted,
            .message = fmt::format("what you show of who you are lets you have {} Explore streams "
                                   "at once: end some first",
                                   most),
            .reason = ErrorReason::kNotPermitted,
            .limit = std::to_string(most)});
}

}  // namespace terrane::rpc
