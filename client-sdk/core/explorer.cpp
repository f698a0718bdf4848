// Explorers of terrane.h.
#include "explorer.h"

#include <algorithm>
#include <limits>
#include <random>

#include "boundary.h"
#include "explore_checks.h"
#include "status_code.h"
#include "terrane/result_macros.h"
#include "world_handle.h"

namespace terrane::core {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using TimePoint = StreamedViewer::TimePoint;

constexpr int kUsualDistance = 16;
constexpr std::int64_t kLongestPause = std::int64_t{24} * 3600 * 1000;  // milliseconds

/// Far from where sums with pauses would overflow.
TimePoint at(std::int64_t now_ns) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 62;
  return TimePoint(std::chrono::duration_cast<TimePoint::duration>(
      nanoseconds(std::clamp(now_ns, -kFarthest, kFarthest))));
}

std::vector<int> distances_of(const terrane_explore_options& options) {
  const auto& given = options.view_distances;
  std::size_t levels = TERRANE_MAX_LEVELS;
  while (levels > 0 && given[levels - 1] == 0) --levels;
  if (levels == 0) return {kUsualDistance};
  return {given, given + levels};
}

Result<ExploreOptions> options_of(const terrane_explore_options* from) {
  if (from == nullptr || from->struct_size < sizeof *from) {
    return fail(ErrorCode::kInvalidArgument,
                "options.struct_size = " + std::to_string(from == nullptr ? 0 : from->struct_size) +
                    ": set it to sizeof(terrane_explore_options), at least " +
                    std::to_string(sizeof *from));
  }
  const terrane_explore_options given = taken(from);
  ExploreOptions options;
  options.world.seed = given.seed;
  if (given.world != nullptr) options.world.name = given.world;
  if (given.realm != nullptr) options.world.realm = given.realm;
  if (given.fingerprint != 0) options.world.fingerprint = given.fingerprint;
  options.view_distances = distances_of(given);
  if (given.layers != 0) options.layers = given.layers;
  if (given.kept_chunks != 0) options.kept_chunks = given.kept_chunks;
  if (given.max_waiting != 0) options.max_waiting = given.max_waiting;
  return options;
}

StreamedViewer* streamed(terrane_explorer* explorer) {
  if (auto* judged = std::get_if<JudgedViewer>(&explorer->viewer)) return &judged->stream();
  return std::get_if<StreamedViewer>(&explorer->viewer);
}
const StreamedViewer* streamed(const terrane_explorer* explorer) {
  return streamed(const_cast<terrane_explorer*>(explorer));
}

tl::unexpected<Error> no_stream() {
  return fail(ErrorCode::kFailedPrecondition,
              "this explorer's land is made here and nobody judges it: it has no stream");
}

/// Why a connection has ended, as the machine wants to know it. One that ended without a complaint,
/// or was cancelled by somebody else, is worth coming back from; an unknown token is as one that
/// has run out, where the server has said before that it would leave.
Error ending(terrane_code code, const char* text) {
  Error error;
  const bool is_plain = code == TERRANE_OK || code == TERRANE_CANCELLED;
  error.code = is_plain ? ErrorCode::kUnavailable : client::to_code(code);
  error.message = text == nullptr ? "" : text;
  if (error.code == ErrorCode::kUnauthenticated) error.reason = ErrorReason::kTokenExpired;
  return error;
}

/// Spreads the attempts of many clients: what is near enough to chance.
double jitter(std::int64_t now_ns, const void* who) {
  std::minstd_rand random(static_cast<std::uint32_t>(static_cast<std::uint64_t>(now_ns) ^
                                                     reinterpret_cast<std::uintptr_t>(who)));
  random.discard(2);
  return std::uniform_real_distribution<double>(0.0, 1.0)(random);
}

}  // namespace
}  // namespace terrane::core

using namespace terrane;
using core::streamed;

terrane_code terrane_explorer_create(uint32_t abi_version, const terrane_explore_options* options,
                                     terrane_explorer** explorer, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    TERRANE_RETURN_IF_ERROR(core::check_abi(abi_version));
    if (explorer == nullptr) return fail(ErrorCode::kInvalidArgument, "explorer is NULL");
    TERRANE_ASSIGN_OR_RETURN(auto wanted, core::options_of(options));
    TERRANE_RETURN_IF_ERROR(client::check(wanted));
    *explorer = new terrane_explorer(std::in_place_type<core::StreamedViewer>, std::move(wanted));
    return {};
  });
}

terrane_code terrane_explorer_create_local(uint32_t abi_version, const terrane_world* world,
                                           const terrane_explore_options* options,
                                           terrane_explorer** explorer, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    TERRANE_RETURN_IF_ERROR(core::check_abi(abi_version));
    if (world == nullptr || explorer == nullptr)
      return fail(ErrorCode::kInvalidArgument, "world or explorer is NULL");
    TERRANE_ASSIGN_OR_RETURN(auto wanted, core::options_of(options));
    wanted.world.name = "local";
    wanted.world.realm.clear();
    TERRANE_RETURN_IF_ERROR(core::check(wanted, *world->generated));
    *explorer = new terrane_explorer(std::in_place_type<core::LocalViewer>, world->generated,
                                     std::move(wanted));
    return {};
  });
}

terrane_code terrane_explorer_create_judged(uint32_t abi_version, const terrane_world* world,
                                            const terrane_explore_options* options,
                                            terrane_explorer** explorer, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    TERRANE_RETURN_IF_ERROR(core::check_abi(abi_version));
    if (world == nullptr || explorer == nullptr)
      return fail(ErrorCode::kInvalidArgument, "world or explorer is NULL");
    TERRANE_ASSIGN_OR_RETURN(auto wanted, core::options_of(options));
    TERRANE_RETURN_IF_ERROR(core::check(wanted, *world->generated));
    *explorer = new terrane_explorer(std::in_place_type<core::JudgedViewer>, world->generated,
                                     std::move(wanted));
    return {};
  });
}

void terrane_explorer_destroy(terrane_explorer* explorer) { delete explorer; }

terrane_code terrane_explorer_move(terrane_explorer* explorer, const terrane_pose* pose,
                                   int64_t now_ns, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    if (explorer == nullptr || pose == nullptr)
      return fail(ErrorCode::kInvalidArgument, "explorer or pose is NULL");
    const Pose to{pose->x,          pose->y,           pose->velocity_x,
                  pose->velocity_y, pose->direction_x, pose->direction_y};
    return std::visit([&](auto& viewer) { return viewer.move(to, core::at(now_ns)); },
                      explorer->viewer);
  });
}

size_t terrane_explorer_poll(terrane_explorer* explorer, terrane_event* events, size_t capacity) {
  try {
    if (!explorer->events.has_some()) {
      explorer->events.add(
          std::visit([](auto& viewer) { return viewer.take_news(); }, explorer->viewer));
    }
    return explorer->events.give(events, capacity, explorer->land);
  } catch (...) {  // no memory: the news wait
    return 0;
  }
}

terrane_land* terrane_explorer_land(terrane_explorer* explorer) { return &explorer->land; }

terrane_code terrane_explorer_get_error(const terrane_explorer* explorer, terrane_error* error) {
  const auto& told = explorer->events.error();
  return told ? core::tell(error, *told) : static_cast<terrane_code>(TERRANE_OK);
}

int32_t terrane_explorer_work(terrane_explorer* explorer) {
  try {
    if (auto* viewer = std::get_if<core::LocalViewer>(&explorer->viewer))
      return viewer->work() ? 1 : 0;
    auto* viewer = std::get_if<core::JudgedViewer>(&explorer->viewer);
    return viewer != nullptr && viewer->work() ? 1 : 0;
  } catch (...) {  // no memory even to say so
    return 0;
  }
}

int32_t terrane_explorer_wants_stream(const terrane_explorer* explorer, int64_t now_ns) {
  const auto* viewer = streamed(explorer);
  return viewer != nullptr && viewer->wants_stream(core::at(now_ns)) ? 1 : 0;
}

terrane_code terrane_explorer_set_token(terrane_explorer* explorer, const char* token,
                                        terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    auto* viewer = streamed(explorer);
    if (viewer == nullptr) return core::no_stream();
    viewer->set_token(token == nullptr ? "" : token);
    return {};
  });
}

terrane_code terrane_explorer_opened(terrane_explorer* explorer, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    auto* viewer = streamed(explorer);
    if (viewer == nullptr) return core::no_stream();
    viewer->opened();
    return {};
  });
}

size_t terrane_explorer_next_message(terrane_explorer* explorer, int64_t now_ns, void* buffer,
                                     size_t capacity) {
  auto* viewer = streamed(explorer);
  try {
    return viewer == nullptr ? 0 : viewer->next_message(core::at(now_ns), buffer, capacity);
  } catch (...) {
    return 0;
  }
}

terrane_code terrane_explorer_receive(terrane_explorer* explorer, const void* bytes, size_t size,
                                      int64_t now_ns, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    if (explorer == nullptr || (bytes == nullptr && size > 0))
      return fail(ErrorCode::kInvalidArgument, "explorer or bytes is NULL");
    auto* viewer = streamed(explorer);
    if (viewer == nullptr) return core::no_stream();
    return viewer->receive({static_cast<const char*>(bytes), size}, core::at(now_ns));
  });
}

void terrane_explorer_closed(terrane_explorer* explorer, terrane_code code, const char* text,
                             int64_t retry_after_ms, int64_t now_ns) {
  auto* viewer = streamed(explorer);
  if (viewer == nullptr) return;
  (void)core::guarded(nullptr, [&]() -> Result<void> {
    const auto pushback =
        retry_after_ms > 0
            ? std::optional(core::milliseconds(std::min(retry_after_ms, core::kLongestPause)))
            : std::nullopt;
    viewer->closed(core::ending(code, text), pushback, core::at(now_ns),
                   core::jitter(now_ns, explorer));
    return {};
  });
}

int64_t terrane_explorer_next_look(const terrane_explorer* explorer) {
  const auto* viewer = streamed(explorer);
  const auto look = viewer == nullptr ? std::nullopt : viewer->next_look();
  if (!look) return std::numeric_limits<int64_t>::max();
  return std::max<int64_t>(0, core::nanoseconds(look->time_since_epoch()).count());
}

int32_t terrane_explorer_is_overdue(const terrane_explorer* explorer, int64_t now_ns) {
  const auto* viewer = streamed(explorer);
  return viewer != nullptr && viewer->is_overdue(core::at(now_ns)) ? 1 : 0;
}
