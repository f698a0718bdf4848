#include "terrane/admin.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "call.h"
#include "terrane/result_macros.h"
#include "terrane/v1/admin.grpc.pb.h"
#include "wire.h"

namespace terrane {
namespace {

using client::Attempts;
using client::Connection;
using client::ReadCall;
using AdminStub = v1::AdminService::Stub;

// However long it takes: a server that is gone without a word is noticed by gRPC's pings.
constexpr std::chrono::hours kForEver{24 * 365};

ServerStats to_stats(const v1::GetServerStatsResponse& message) {
  ServerStats stats{.version = message.version(),
                    .uptime_s = message.uptime_seconds(),
                    .workers = message.workers(),
                    .processor_s = message.processor_seconds(),
                    .memory_bytes = message.memory_bytes(),
                    .memory_limit_bytes = message.memory_limit_bytes(),
                    .requests = message.chunk_requests(),
                    .from_memory = message.chunks_from_memory(),
                    .from_disk = message.chunks_from_disk(),
                    .joined = message.chunks_joined(),
                    .refused = message.chunks_refused(),
                    .cancelled = message.chunks_cancelled(),
                    .generated = message.chunks_generated(),
                    .failed = message.chunks_failed(),
                    .queued = message.queued_jobs(),
                    .viewers = message.viewers(),
                    .memory_cache_chunks = message.memory_cache_chunks(),
                    .memory_cache_bytes = message.memory_cache_bytes(),
                    .cache = std::nullopt,
                    .bounds_s = {message.bounds().begin(), message.bounds().end()},
                    .waits = {},
                    .costliest = {},
                    .clients = message.clients()};
  if (message.has_cache()) {
    stats.cache = CacheUsage{.chunks = message.cache_chunks(),
                             .bytes = message.cache_bytes(),
                             .max_bytes = message.cache_max_bytes(),
                             .evictions = message.cache_evictions(),
                             .dropped = message.cache_dropped(),
                             .damaged = message.cache_damaged()};
  }
  for (const v1::WaitTimes& waits : message.waits())
    stats.waits.push_back({waits.kind(), {waits.counts().begin(), waits.counts().end()}});
  for (const v1::ClientCost& client : message.costliest_clients())
    stats.costliest.push_back({client.name(), client.processors(), client.weight()});
  return stats;
}

v1::PurgeCacheRequest to_message(const PurgeRequest& request) {
  v1::PurgeCacheRequest message;
  if (const auto* const variant = std::get_if<WorldRef>(&request)) {
    *message.mutable_variant() = client::to_message(*variant);
  } else if (const auto* const all = std::get_if<AllSeedsOf>(&request)) {
    message.set_world(all->world);
  } else if (const auto* const fingerprint = std::get_if<WorldFingerprint>(&request)) {
    message.set_fingerprint(*fingerprint);
  } else {
    message.set_stale(true);
  }
  return message;
}

v1::PregenerateRequest to_message(const PregenerateRequest& request) {
  v1::PregenerateRequest message;
  *message.mutable_world() = client::to_message(request.world);
  *message.mutable_rectangle()->mutable_first() = client::to_message(request.area.first);
  *message.mutable_rectangle()->mutable_last() = client::to_message(request.area.last);
  for (const Lod lod : request.lods) message.add_lods(lod);
  message.set_max_rate(request.max_rate);
  message.set_cursor(request.cursor);
  return message;
}

ClientOptions without_deadline(ClientOptions options) {
  options.deadline = kForEver;
  return options;
}

}  // namespace

class Admin::Impl {
 public:
  explicit Impl(std::shared_ptr<const Connection> shared)
      : connection(std::move(shared)), stub(v1::AdminService::NewStub(connection->channel)) {}

  template <typename Response, typename Request>
  [[nodiscard]] Result<Response> call(client::UnaryMethod<AdminStub, Request, Response> method,
                                      const Request& request) const {
    Attempts attempts(connection->options);
    return client::unary(*connection, *stub, attempts, method, request);
  }

  const std::shared_ptr<const Connection> connection;
  const std::unique_ptr<AdminStub> stub;
};

Admin::Admin(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Admin::Admin(Admin&&) noexcept = default;
Admin& Admin::operator=(Admin&&) noexcept = default;
Admin::~Admin() = default;

Result<Admin> Admin::connect(ClientOptions options) {
  TERRANE_ASSIGN_OR_RETURN(auto connection, client::open_connection(std::move(options)));
  return Admin(std::make_shared<Impl>(std::move(connection)));
}

Result<ServerStats> Admin::stats() const {
  return impl_->call(&AdminStub::AsyncGetServerStats, v1::GetServerStatsRequest()).map(to_stats);
}

Result<std::vector<CachedWorld>> Admin::cache() const {
  TERRANE_ASSIGN_OR_RETURN(const auto response,
                           impl_->call(&AdminStub::AsyncGetCacheStats, v1::GetCacheStatsRequest()));
  std::vector<CachedWorld> worlds;
  for (const v1::CachedWorld& world : response.worlds()) {
    worlds.push_back(
        {world.fingerprint(), world.world(), world.chunks(), world.bytes(), world.seeds()});
  }
  return worlds;
}

Result<PurgeResult> Admin::purge(const PurgeRequest& request) const {
  TERRANE_ASSIGN_OR_RETURN(const auto response,
                           impl_->call(&AdminStub::AsyncPurgeCache, to_message(request)));
  return PurgeResult{response.chunks(), response.bytes()};
}

Result<void> Admin::drain() const {
  return impl_->call(&AdminStub::AsyncDrain, v1::DrainRequest()).map([](const auto&) {});
}

Result<std::string> Admin::set_log_level(std::string_view level) const {
  v1::SetLogLevelRequest request;
  request.set_level(std::string(level));
  return impl_->call(&AdminStub::AsyncSetLogLevel, request).map([](const auto& response) {
    return response.before();
  });
}

Result<PregenerateProgress> Admin::pregenerate(
    PregenerateRequest request, const std::function<void(const PregenerateProgress&)>& progress,
    const std::stop_token& stop) const {
  const Connection& connection = *impl_->connection;
  Attempts attempts(without_deadline(connection.options));
  PregenerateProgress before, last;  // of earlier attempts together; of all
  for (;;) {
    TERRANE_RETURN_IF_ERROR(connection.check_process());
    auto call = std::make_unique<ReadCall<v1::PregenerateResponse>>(connection.watch());
    attempts.begin(call->context());
    TERRANE_RETURN_IF_ERROR(connection.introduce(call->context(), {}));
    const v1::PregenerateRequest message = to_message(request);
    call->start(attempts.deadline(), [&](auto* context, auto* queue, void* tag) {
      return impl_->stub->AsyncPregenerate(context, message, queue, tag);
    });
    const std::stop_callback cancel(stop, [&call] { call->cancel(); });
    for (v1::PregenerateResponse response; call->read(response);) {
      attempts.progressed();
      last = {.cursor = response.cursor(),
              .total = response.total(),
              .generated = before.generated + response.generated(),
              .found = before.found + response.found(),
              .failed = before.failed + response.failed(),
              .seconds_left = response.seconds_left(),
              .yields = response.yields()};
      request.cursor = last.cursor;
      if (progress) progress(last);
    }
    const auto status = call->finish();
    if (status && status->ok()) return last;
    if (stop.stop_requested() && status) {
      return fail(ErrorCode::kCancelled, "stopped at cursor " + std::to_string(request.cursor));
    }
    before = last;
    auto failure = status ? connection.failure_of(*status, call->context()) : client::lost_call();
    if (!status) connection.leave_behind(std::move(call));
    const auto wait = attempts.after(failure);
    if (!wait) return tl::unexpected(attempts.final_error(std::move(failure.error)));
    connection.wait(*wait, [&stop] { return stop.stop_requested(); });
  }
}

}  // namespace terrane
