#include "admin/operations.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "log.h"
#include "terrane/result_macros.h"

namespace terrane::admin {

std::optional<CacheNumbers> Operations::cache() const {
  if (server_.cache == nullptr) return std::nullopt;
  return server_.cache->stats();
}

Result<store::ChunkStore*> Operations::need_cache() const {
  if (server_.cache == nullptr) {
    return fail(ErrorCode::kFailedPrecondition,
                "this server has no cache on disk: it was started with --no-cache, or could not "
                "open it, which its log says");
  }
  const CacheNumbers numbers = server_.cache->stats();
  if (numbers.checking) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("the cache is being checked after an unclean exit, {} of {} pages so "
                            "far: ask again later",
                            numbers.checked_pages, numbers.check_pages));
  }
  if (!numbers.writable) {
    return fail(ErrorCode::kUnavailable,
                "the cache can't be written, which the log says more of: it takes a restart");
  }
  return server_.cache;
}

Result<std::vector<WorldContents>> Operations::survey(const std::stop_token& stop) {
  TERRANE_ASSIGN_OR_RETURN(store::ChunkStore* const cache, need_cache());
  return store::survey(*cache, stop);
}

Result<Purged> Operations::purge(const Variant& variant, const std::stop_token& stop) {
  server_.pipeline.forget(variant.fingerprint, variant.seed);
  TERRANE_ASSIGN_OR_RETURN(store::ChunkStore* const cache, need_cache());
  return store::purge(*cache, variant, stop);
}

Result<void> Operations::pregenerate(
    const PregenerationOrder& order, const std::stop_token& stop,
    const std::function<void(const PregenerationProgress&)>& report) {
  TERRANE_ASSIGN_OR_RETURN(store::ChunkStore* const cache, need_cache());
  return admin::pregenerate(order, server_.pipeline, server_.workers, *cache, stop, report);
}

Result<std::string> Operations::set_log_level(const std::string& level) {
  constexpr std::array<std::string_view, 7> kLevels{"trace", "debug",    "info", "warning",
                                                    "error", "critical", "off"};
  if (std::find(kLevels.begin(), kLevels.end(), level) == kLevels.end()) {
    return fail(ErrorCode::kInvalidArgument,
                "it must be trace, debug, info, warning, error, critical or off");
  }
  const auto before = spdlog::level::to_string_view(spdlog::get_level());
  spdlog::set_level(spdlog::level::from_str(level));
  return std::string(before.data(), before.size());
}

}  // namespace terrane::admin
