#include "http/routes.h"

#include <utility>

#include "http/target.h"
#include "http/viewer.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

constexpr std::string_view kExplorePath = "/v1/explore";

/// To who asks for it as for a page.
Page upgrade_required() {
  constexpr unsigned kUpgradeRequired = 426;
  Page page =
      text_page(kUpgradeRequired, "this is a WebSocket: see Explore in the API's reference");
  page.fields.emplace_back("Upgrade", "websocket");
  return page;
}

Page readiness(Phase phase) {
  switch (phase) {
    case Phase::kStarting: return text_page(503, "starting");
    case Phase::kServing: return text_page(200, "serving");
    case Phase::kServingUncached:
      return text_page(200, "serving without a cache: --data can't be used, and the log says why");
    case Phase::kLeaving: return text_page(503, "about to drain: no further calls are asked for");
    case Phase::kDraining: return text_page(503, "draining: no new calls are taken");
  }
  return text_page(500, "unknown phase");
}

/// Of a server that would serve, if only it could be reached; empty when it can.
std::string trouble(const char* port, net::Accepting accepting) {
  switch (accepting) {
    case net::Accepting::kYes: return "";
    case net::Accepting::kFull:
      return std::string("the ") + port + " port holds as many connections as it may";
    case net::Accepting::kNoDescriptors:
      return std::string("the ") + port +
             " port can't accept connections: no more files can be opened (ulimit -n)";
  }
  return "unknown state";
}

Error not_serving() {
  return {.code = ErrorCode::kUnavailable,
          .message = "the server is starting or draining: ask again, perhaps another one",
          .reason = ErrorReason::kDraining,
          .retry_after = std::chrono::seconds(1)};
}

}  // namespace

bool is_probe(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  return path == "/healthz" || path == "/readyz";
}

void Routes::answer(const Request& request, Reply reply) const {
  const std::string_view target = request.target;
  auto path = path_of(target);
  // what is below /v1 and no path is refused there, as JSON
  if (!path && (target.starts_with("/v1/") || target.starts_with("/v1?"))) path = {"v1"};
  const bool is_of_worlds = worlds_ != nullptr && path && path->front() == "v1";
  if (is_of_worlds) reply = worlds_->cors().allowing(request.from_origin, std::move(reply));
  const bool is_call = is_of_worlds && !request.is_preflight && target != kExplorePath;
  if (is_call && is_serving(phase_)) {
    path->erase(path->begin());
    return worlds_->answer(*std::move(path), request, std::move(reply));
  }
  const auto get_it = [this, request, reply, is_of_worlds] {
    reply(is_of_worlds ? refuse(request) : get(request));
  };
  // Who asks takes its turn, with what costs next to nothing as well. Whoever looks whether the
  // server is well does not, but for one that does nothing else.
  constexpr unsigned kProbes = 16;
  const bool has_turns = worlds_ != nullptr && (!is_probe(target) || request.number > kProbes);
  return has_turns ? worlds_->explore()->in_turn(request, get_it) : get_it();
}

void Routes::charge(const std::string& peer, const std::string& forwarded_for,
                    std::chrono::nanoseconds spent) const {
  if (worlds_ != nullptr) worlds_->explore()->charge(peer, forwarded_for, spent);
}

/// What is below /v1, and not asked as a page or not now.
Page Routes::refuse(const Request& request) const {
  if (request.is_preflight) return worlds_->cors().preflight();
  if (!is_serving(phase_)) return error_page(not_serving());
  return upgrade_required();
}

Result<const ExploreDoor*> Routes::explore(const Request& request) const {
  const ExploreDoor* const door = worlds_ == nullptr ? nullptr : worlds_->explore();
  if (door == nullptr || request.target != kExplorePath) {
    return tl::unexpected(Error{.code = ErrorCode::kNotFound,
                                .message = "there is no WebSocket at this path; there is one at " +
                                           std::string(kExplorePath),
                                .reason = ErrorReason::kFieldMalformed,
                                .field = "path"});
  }
  if (!is_serving(phase_)) return tl::unexpected(not_serving());
  TERRANE_RETURN_IF_ERROR(door->check_origin(request));
  return door;
}

/// What is not below /v1. A query is ignored.
Page Routes::get(const Request& request) const {
  if (request.is_preflight) return only_reading();
  const auto path = std::string_view(request.target).substr(0, request.target.find('?'));
  if (path == "/metrics") {
    return {.content_type = "text/plain; version=0.0.4; charset=utf-8",
            .body = std::make_shared<const std::string>(metrics_.text())};
  }
  if (path == "/healthz") return text_page(200, "alive");
  if (path == "/readyz") {
    ports_.asked.note();
    for (const std::string& problem : {trouble("gRPC", ports_.grpc), trouble("HTTP", ports_.http)})
      if (is_ready(phase_) && !problem.empty()) return text_page(503, problem);
    const Phase phase = phase_;
    const bool is_uncached =
        phase == Phase::kServing && worlds_ != nullptr && worlds_->lacks_cache();
    return readiness(is_uncached ? Phase::kServingUncached : phase);
  }
  if (auto page = worlds_ == nullptr ? std::nullopt : viewer_page(path, request)) return *page;
  return text_page(404,
                   "there is nothing at this path; there are / (the viewer), /metrics, /healthz, "
                   "/readyz and /v1/worlds");
}

}  // namespace terrane::http
