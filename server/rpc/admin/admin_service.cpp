#include "rpc/admin/admin_service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "log.h"
#include "rpc/admin/admin_messages.h"
#include "rpc/admin/errand_call.h"
#include "rpc/admin/pregenerate_call.h"
#include "rpc/checks/access_check.h"
#include "rpc/checks/parse.h"
#include "rpc/checks/refused_field.h"
#include "rpc/checks/request_check.h"
#include "rpc/client_rules.h"
#include "rpc/streams/wire_batch.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

constexpr std::size_t kMaxRequestBytes = 4096;

/// For the log: who has done it.
std::string name_of(const Call& call) { return client_name(call.source().client, call.caller()); }

/// What of the cache no world on offer can use. Errors: those of Operations::survey().
Result<std::vector<admin::Variant>> stale(admin::Operations& operations,
                                          const worlds::LiveCatalog& live,
                                          const std::stop_token& stop) {
  TERRANE_ASSIGN_OR_RETURN(const auto contents, operations.survey(stop));
  const auto worlds = live.now();  // now: some may have come meanwhile
  std::vector<admin::Variant> variants;
  for (const admin::WorldContents& found : contents) {
    const bool is_offered = std::any_of(worlds->begin(), worlds->end(), [&](const auto& world) {
      return world.second->fingerprint == found.fingerprint;
    });
    if (!is_offered) variants.push_back({.fingerprint = found.fingerprint, .seed = std::nullopt});
  }
  return variants;
}

}  // namespace

const std::string& AdminService::full_name() {
  return v1::DrainRequest::descriptor()->file()->service(0)->full_name();
}

Result<void> AdminService::serve(Method method, IncomingCall incoming,
                                 const grpc::ByteBuffer& request, std::uint64_t viewers) {
  switch (method) {
    case Method::kGetServerStats: return stats(incoming.call, viewers);
    case Method::kGetCacheStats: return survey(std::move(incoming));
    case Method::kPurgeCache: return purge(std::move(incoming), request);
    case Method::kPregenerate: return pregenerate(std::move(incoming), request);
    case Method::kDrain:
      spdlog::info("administrator {} has the server drain", name_of(incoming.call));
      incoming.call.answer(to_buffer(v1::DrainResponse().SerializeAsString()));
      backend_.operations->stop();
      return {};
    case Method::kSetLogLevel: return set_log_level(std::move(incoming), request);
    default: return {};
  }
}

Result<void> AdminService::stats(Call& call, std::uint64_t viewers) {
  auto response = describe(*backend_.operations, viewers);
  if (!check_may_see_all(call.caller())) response.clear_costliest_clients();
  call.answer(to_buffer(response.SerializeAsString()));
  return {};
}

Result<void> AdminService::survey(IncomingCall incoming) {
  TERRANE_RETURN_IF_ERROR(check_may_see_all(incoming.call.caller()));
  ErrandCall::start(std::move(incoming), errands_,
                    [operations = backend_.operations, worlds = backend_.worlds.now()](
                        const std::stop_token& stop) -> Result<std::string> {
                      TERRANE_ASSIGN_OR_RETURN(auto contents, operations->survey(stop));
                      return describe(std::move(contents), *worlds).SerializeAsString();
                    });
  return {};
}

/// Empty: what is stale. Errors: those of find_world and resolve; kInvalidArgument.
Result<std::vector<admin::Variant>> AdminService::what_to_purge(
    const access::Caller* caller, v1::PurgeCacheRequest request) const {
  const auto worlds = backend_.worlds.now();
  const access::LiveAccess* const access = backend_.access.get();
  switch (request.what_case()) {
    case v1::PurgeCacheRequest::kWorld: {
      TERRANE_RETURN_IF_ERROR(check_may_purge_all(caller, request.world()));
      TERRANE_ASSIGN_OR_RETURN(const auto world, find_world(request.world(), *worlds, "world"));
      return std::vector{admin::Variant{world->fingerprint, std::nullopt}};
    }
    case v1::PurgeCacheRequest::kVariant: {
      v1::WorldRef& variant = *request.mutable_variant();
      TERRANE_RETURN_IF_ERROR(resolve(access, caller, variant, "variant"));
      TERRANE_ASSIGN_OR_RETURN(const auto world, check_world(true, variant, *worlds, "variant"));
      return std::vector{admin::Variant{world->fingerprint, variant.seed()}};
    }
    case v1::PurgeCacheRequest::kFingerprint:
      TERRANE_RETURN_IF_ERROR(check_may_purge_all(caller, ""));
      return std::vector{admin::Variant{request.fingerprint(), std::nullopt}};
    case v1::PurgeCacheRequest::kStale:
      TERRANE_RETURN_IF_ERROR(check_may_purge_all(caller, ""));
      if (request.stale()) return std::vector<admin::Variant>();
      return refuse_field({.field = "stale", .value = "false"}, "leave it out, or say true");
    case v1::PurgeCacheRequest::WHAT_NOT_SET: break;
  }
  return refuse_missing("what", "give a world, a variant, a fingerprint or stale");
}

Result<void> AdminService::purge(IncomingCall incoming, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(auto parsed, parse<v1::PurgeCacheRequest>(request, kMaxRequestBytes));
  TERRANE_ASSIGN_OR_RETURN(auto variants, what_to_purge(incoming.call.caller(), std::move(parsed)));
  const std::string name = name_of(incoming.call);
  ErrandCall::start(
      std::move(incoming), errands_,
      [operations = backend_.operations, &worlds = backend_.worlds, name,
       variants = std::move(variants)](const std::stop_token& stop) -> Result<std::string> {
        auto all = variants;
        if (all.empty()) {
          TERRANE_ASSIGN_OR_RETURN(all, stale(*operations, worlds, stop));
        }
        v1::PurgeCacheResponse response;
        for (const admin::Variant& variant : all) {
          TERRANE_ASSIGN_OR_RETURN(const auto purged, operations->purge(variant, stop));
          response.set_chunks(response.chunks() + purged.chunks);
          response.set_bytes(response.bytes() + purged.bytes);
        }
        spdlog::info("administrator {} has removed {} chunks from the cache", name,
                     response.chunks());
        return response.SerializeAsString();
      });
  return {};
}

Result<void> AdminService::pregenerate(IncomingCall incoming, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(auto parsed, parse<v1::PregenerateRequest>(request, kMaxRequestBytes));
  if (parsed.has_world()) {
    TERRANE_RETURN_IF_ERROR(
        resolve(backend_.access.get(), incoming.call.caller(), *parsed.mutable_world()));
  }
  TERRANE_ASSIGN_OR_RETURN(PregenerateQuery query, check(parsed, *backend_.worlds.now()));
  spdlog::info("administrator {} has chunks of world {} made, from ({}, {}) to ({}, {})",
               name_of(incoming.call), query.world->name, query.first.x, query.first.y,
               query.last.x, query.last.y);
  PregenerateCall::start(std::move(incoming), errands_, *backend_.operations, origins_,
                         {.world = std::move(query.world),
                          .seed = query.seed,
                          .area = {query.first, query.last},
                          .lods = std::move(query.lods),
                          .max_rate = query.max_rate,
                          .cursor = query.cursor});
  return {};
}

Result<void> AdminService::set_log_level(IncomingCall incoming, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(auto parsed, parse<v1::SetLogLevelRequest>(request, kMaxRequestBytes));
  const auto log = [&] {
    spdlog::info("administrator {} sets the log level to {}", name_of(incoming.call),
                 in_quotes(parsed.level()));
  };
  log();  // before, and after: one of the two levels may be silence
  auto before = admin::Operations::set_log_level(parsed.level());
  if (!before) {
    return refuse_field({.field = "level", .value = in_quotes(parsed.level())},
                        before.error().message);
  }
  log();
  v1::SetLogLevelResponse response;
  response.set_before(*std::move(before));
  incoming.call.answer(to_buffer(response.SerializeAsString()));
  return {};
}

}  // namespace terrane::rpc
