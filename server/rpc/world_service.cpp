#include "rpc/world_service.h"

#include <google/protobuf/descriptor.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "rpc/checks/access_check.h"
#include "rpc/checks/parse.h"
#include "rpc/checks/request_check.h"
#include "rpc/status.h"
#include "rpc/streams/chunk_stream.h"
#include "rpc/streams/wire_batch.h"
#include "rpc/turn.h"
#include "rpc/unary/chunk_call.h"
#include "rpc/unary/locate_call.h"
#include "rpc/unary/point_call.h"
#include "rpc/unary/structure_call.h"
#include "rpc/world_messages.h"
#include "schedule/processor_time.h"
#include "terrane/result_macros.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {
namespace {

constexpr std::array kWorldMethods{Method::kListWorlds, Method::kGetWorld,    Method::kGetChunk,
                                   Method::kGetChunks,  Method::kExplore,     Method::kSamplePoints,
                                   Method::kLocate,     Method::kGetStructure};
constexpr std::array kAdminMethods{Method::kGetServerStats, Method::kGetCacheStats,
                                   Method::kPurgeCache,     Method::kPregenerate,
                                   Method::kDrain,          Method::kSetLogLevel};
constexpr std::array kHealthMethods{Method::kHealthCheck, Method::kHealthWatch};

// What a client may hold however much others do: a few small calls, a balancer's health checks.
constexpr std::size_t kAlwaysOfClient = std::size_t{64} << 10;

// Of the system's memory, at most, where a connection is held (net::ConnectionReads).
constexpr std::size_t kBytesPerHeld = std::size_t{2} << 20;

RequestReads::Bounds bounds_of_reads(const Limits& limits, const Backend& backend) {
  // as much again as calls may hold
  const std::size_t reads = limits.max_call_memory / limits.max_message_bytes;
  return {.reads = std::max<std::size_t>(reads, 2),
          .held = limits.max_call_memory / kBytesPerHeld / 4,
          .processors = backend.processors,
          .workers = backend.workers.workers()};
}

void send_who_hung_up(const HangUps::SentAway& sent, const MemoryWatch::SendAway& send_away) {
  const auto address = client_address(sent.client);
  if (!address) return;
  send_away(*address, sent.time,
            fmt::format("{} of its calls within seconds were in vain (hung up on, refused for "
                        "memory, or of no method), of which each costs all others a tenth of a "
                        "millisecond",
                        sent.calls));
}

}  // namespace

WorldService::WorldService(Backend backend, Limits limits, StreamPace pace,
                           const ExplorePace& explore_pace, CallTracker& calls,
                           const MemoryWatch::SendAway& send_away)
    : backend_(std::move(backend)),
      origins_(backend_),
      limits_(limits),
      pace_(pace),
      calls_(calls),
      metrics_(std::make_shared<const CallMetrics>(backend_.metrics)),
      call_memory_(MemoryAccounts::create(limits.max_call_memory, kAlwaysOfClient)),
      charged_(std::make_shared<std::atomic<std::int64_t>>(0)),
      hang_ups_(std::make_shared<HangUps>(
          backend_.processors,
          [send_away](const HangUps::SentAway& sent) { send_who_hung_up(sent, send_away); })),
      message_cost_(
          std::make_shared<MessageCost>([&workers = backend_.workers, charged = charged_] {
            return schedule::processor_time_of_process() - workers.worked() -
                   std::chrono::nanoseconds(charged->load(std::memory_order_relaxed));
          })),
      reads_(
          bounds_of_reads(limits, backend_), alarms_, metrics_->waiting_calls,
          [this] { return work(); },
          [&workers = backend_.workers](const auto& source, std::chrono::nanoseconds patience) {
            return workers.is_behind(schedule::Priority::kPlayerWaits, source, patience);
          },
          [this](const net::ProxiedClients::Endpoint& peer, bool held) {
            return hold(peer, held);
          }),
      received_(
          backend_.connections, alarms_,
          [this](const auto& address, auto cost, bool waits) {
            return charge_received(address, cost, waits);
          },
          [this] { return reads_.holds_back(); },
          MemoryWatch(backend_.memory, send_away,
                      [&clients = backend_.clients](const net::AddressBytes& client) {
                        return clients.source_of(client).weight;
                      })),
      viewers_{backend_.worlds, backend_.pipeline,     backend_.workers,
               alarms_,         explore_pace,          limits.max_chunks_request_bytes,
               message_cost_,   backend_.access.get(), origins_},
      admin_(backend_, origins_),
      world_(full_name(), kWorldMethods,
             [this](Method method, auto& context) { return begin(method, context); }),
      admin_methods_(AdminService::full_name(), kAdminMethods,
                     [this](Method method, auto& context) { return begin(method, context); }),
      health_methods_(HealthService::kFullName, kHealthMethods,
                      [this](Method method, auto& context) { return begin(method, context); }) {
  backend_.metrics.at_scrape([memory = call_memory_](ops::Scrape& scrape) {
    scrape.gauge("terrane_call_memory_bytes",
                 "Bytes of memory that all calls but Explore hold, as reckoned.",
                 static_cast<double>(memory->bytes()));
  });
  if (const auto connections = backend_.connections)
    backend_.metrics.at_scrape([connections](ops::Scrape& scrape) {
      scrape.gauge("terrane_paused_clients",
                   "Clients that have to send again later what comes on their connections to the "
                   "gRPC port: it has taken more than a quarter of their part of the processors.",
                   static_cast<double>(connections->paused()));
    });
  received_.start();
}

RequestReads::Work WorldService::work() const {
  return {.used = schedule::processor_time_of_process(),
          .call_cost = message_cost_->of_call(),
          .waiting = backend_.workers.waiting_clients(),
          .streaming = viewers_.clients()};
}

bool WorldService::hold(const net::ProxiedClients::Endpoint& peer, bool held) noexcept {
  const bool done = backend_.connections && backend_.connections->hold(peer, held);
  if (done || !held) metrics_->held_connections.add(held ? 1 : -1);
  return done;
}

const std::string& WorldService::full_name() {
  return v1::GetWorldRequest::descriptor()->file()->service(0)->full_name();
}

void WorldService::note_in_vain(const grpc::CallbackServerContext& context) noexcept {
  try {
    hang_ups_->note(origins_.by_address(context).address, HangUps::Clock::now());
  } catch (const std::bad_alloc&) {
    return;  // it does not count, then
  }
}

/// What there is no memory for is refused: an exception would become a call of a method that nobody
/// has.
ByteReactor* WorldService::begin(Method method, grpc::CallbackServerContext& context) {
  const CallRecord record(metrics_, method);
  try {
    return take_in(method, context, record);
  } catch (const std::bad_alloc&) {
    Error error = schedule::out_of_memory();
    error.retry_after = some_pushback();
    const grpc::Status status = to_status(error);
    record.end(status.error_code());
    add_pushback(context, *error.retry_after);
    return new RefusedCall<ByteReactor>(status);
  }
}

/// Throws std::bad_alloc, and has then done nothing.
ByteReactor* WorldService::take_in(Method method, grpc::CallbackServerContext& context,
                                   const CallRecord& record) {
  message_cost_->note(MessageCost::kMessagesOfCall);
  const Origin address = origins_.by_address(context);
  const auto call = GrpcCall::create(context, record, address, hang_ups_);
  if (!call->end_if_too_late()) {
    const auto checked = Origins::check_headers(context, limits_.max_metadata_bytes);
    auto origin = checked ? origins_.identify(method, context, address)
                          : Result<Origin>(tl::unexpected(checked.error()));
    if (!origin) {
      call->refuse_at_once(origin.error());
    } else {
      call->came_from(*std::move(origin));
      read_and_serve(method, *call);
    }
  }
  call->keep_until_done();
  return call.get();
}

void WorldService::take_in(const std::shared_ptr<Call>& call) {
  message_cost_->note(MessageCost::kMessagesOfCall);
  call->keep_until_done();
  try {
    read_and_serve(call->record().method(), *call);
  } catch (const std::bad_alloc&) {
    call->refuse_at_once(schedule::out_of_memory());
  }
}

void WorldService::in_turn(const schedule::Source& source, std::function<void()> then) {
  message_cost_->note(MessageCost::kMessagesOfCall);
  Turn::take(reads_, source, [this, source, then = std::move(then)] { do_charged(source, then); });
}

void WorldService::do_charged(const schedule::Source& source, const std::function<void()>& work) {
  const auto begun = schedule::processor_time_of_thread();
  work();
  const auto besides = schedule::processor_time_of_thread() - begun - message_cost_->of_call();
  if (besides > std::chrono::nanoseconds(0)) charge(source, besides);
}

void WorldService::charge(const schedule::Source& source, std::chrono::nanoseconds cost) {
  charged_->fetch_add(cost.count(), std::memory_order_relaxed);
  reads_.charge(source.client, cost);
}

bool WorldService::charge_connection(const net::AddressBytes& address,
                                     std::chrono::nanoseconds cost) {
  if (backend_.clients.is_trusted(address)) return false;  // a proxy: it is many clients'
  const bool owes = reads_.charge_connection(backend_.clients.source_of(address), cost);
  // at least: who closes it at once has cost no more, and calls must not seem cheaper than they are
  charged_->fetch_add((cost / 4).count(), std::memory_order_relaxed);
  return owes;
}

std::chrono::nanoseconds WorldService::charge_received(const net::AddressBytes& address,
                                                       std::chrono::nanoseconds cost, bool waits) {
  charged_->fetch_add((cost / 8).count(), std::memory_order_relaxed);  // at least, as above
  return reads_.charge_received(backend_.clients.source_of(address), cost, waits);
}

/// In the client's turn.
void WorldService::read_and_serve(Method method, Call& call) {
  received_.keep_looking();
  auto memory = take_memory(call.source().client, kBytesPerCall);
  if (!memory) {
    reads_.note_refused(call.source(), call);
    return call.refuse_at_once(memory.error());
  }
  call.read_request(reads_, *std::move(memory),
                    [this, method](Call& its, const grpc::ByteBuffer& request) {
                      const auto started = serve(method, its, request);
                      if (started) return;
                      if (method == Method::kExplore) return its.refuse_at_once(started.error());
                      its.finish(refuse(its, started.error()));
                    });
}

Result<MemoryAccounts::Hold> WorldService::take_memory(std::uint64_t client, std::size_t bytes) {
  auto memory = call_memory_->take(client, bytes, "calls");
  if (!memory) {
    const bool is_client = memory.error().reason == ErrorReason::kClientMemoryFull;
    (is_client ? metrics_->refused_for_client_memory : metrics_->refused_for_call_memory).add();
  }
  return memory;
}

Result<IncomingCall> WorldService::let_in(Call& call) {
  auto pass = calls_.enter();
  if (!pass) return tl::unexpected(draining());
  return IncomingCall{std::move(pass), call};
}

Result<void> WorldService::serve(Method method, Call& call, const grpc::ByteBuffer& request) {
  switch (method) {
    case Method::kListWorlds: return list_worlds(call);
    case Method::kGetWorld: return get_world(call, request);
    case Method::kGetChunk: return get_chunk(call, request);
    case Method::kGetChunks: return get_chunks(call, request);
    case Method::kSamplePoints: return sample_points(call, request);
    case Method::kLocate: return locate(call, request);
    case Method::kGetStructure: return get_structure(call, request);
    case Method::kHealthCheck: return health_.check(call, request);
    case Method::kHealthWatch: return health_.watch(call, request);
    case Method::kExplore: return explore(call);
    case Method::kGetServerStats:
    case Method::kGetCacheStats:
    case Method::kPurgeCache:
    case Method::kPregenerate:
    case Method::kDrain:
    case Method::kSetLogLevel: return administer(method, call, request);
  }
  return {};
}

template <typename Request>
Result<void> WorldService::resolve(const Call& call, Request& request) const {
  if (!request.has_world()) return {};  // which is refused anyway
  return rpc::resolve(backend_.access.get(), call.caller(), *request.mutable_world());
}

Result<void> WorldService::list_worlds(Call& call) {
  const auto response =
      describe(*backend_.worlds.now(), limits_, backend_.access.get(), call.caller());
  call.answer(to_buffer(response.SerializeAsString()));
  return {};
}

Result<void> WorldService::get_world(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(const auto parsed,
                           parse<v1::GetWorldRequest>(request, limits_.max_message_bytes));
  TERRANE_RETURN_IF_ERROR(check_may_know(backend_.access.get(), call.caller(), parsed.name()));
  TERRANE_ASSIGN_OR_RETURN(const auto world, find_world(parsed.name(), *backend_.worlds.now()));
  v1::GetWorldResponse response = describe(*world, limits_);
  if (parsed.with_compiled_world())
    response.set_compiled_world(world->compiled.data(), world->compiled.size());
  call.answer(to_buffer(response.SerializeAsString()));
  return {};
}

Result<void> WorldService::get_chunk(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(IncomingCall incoming, let_in(call));
  TERRANE_ASSIGN_OR_RETURN(auto parsed,
                           parse<v1::GetChunkRequest>(request, limits_.max_chunks_request_bytes));
  TERRANE_RETURN_IF_ERROR(resolve(call, parsed));
  TERRANE_ASSIGN_OR_RETURN(ChunkQuery query, check(parsed, *backend_.worlds.now()));
  ChunkCall::start(std::move(incoming), backend_.pipeline, backend_.workers, std::move(query),
                   message_cost_);
  return {};
}

Result<void> WorldService::get_chunks(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(IncomingCall incoming, let_in(call));
  TERRANE_ASSIGN_OR_RETURN(auto parsed,
                           parse<v1::GetChunksRequest>(request, limits_.max_chunks_request_bytes));
  TERRANE_RETURN_IF_ERROR(resolve(call, parsed));
  TERRANE_ASSIGN_OR_RETURN(AreaQuery query, check(parsed, *backend_.worlds.now(), limits_));
  ChunkStream::start(std::move(incoming), backend_.pipeline, pace_, std::move(query),
                     message_cost_);
  return {};
}

Result<void> WorldService::sample_points(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(IncomingCall incoming, let_in(call));
  // Before it is parsed, which takes milliseconds of a thread that serves everybody. Few points
  // take less than this; more than that are refused for their number.
  constexpr std::size_t kShortPoint = 6;
  const std::size_t bytes = request.Length();
  const std::size_t most = std::min(bytes / kShortPoint, limits_.max_points_per_request);
  TERRANE_ASSIGN_OR_RETURN(
      MemoryAccounts::Hold memory,
      take_memory(call.source().client, bytes + most * PointCall::kBytesPerPoint));
  TERRANE_ASSIGN_OR_RETURN(auto parsed,
                           parse<v1::SamplePointsRequest>(request, limits_.max_message_bytes));
  TERRANE_RETURN_IF_ERROR(resolve(call, parsed));
  TERRANE_ASSIGN_OR_RETURN(PointQuery query, check(parsed, *backend_.worlds.now(), limits_));
  const std::size_t needed = bytes + query.points.size() * PointCall::kBytesPerPoint;
  memory.change(static_cast<std::ptrdiff_t>(needed) - static_cast<std::ptrdiff_t>(memory.bytes()));
  PointCall::start(std::move(incoming), backend_.workers, backend_.terrain.sample, std::move(query),
                   std::move(memory));
  return {};
}

Result<void> WorldService::locate(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(IncomingCall incoming, let_in(call));
  TERRANE_ASSIGN_OR_RETURN(auto parsed,
                           parse<v1::LocateRequest>(request, limits_.max_message_bytes));
  TERRANE_RETURN_IF_ERROR(resolve(call, parsed));
  TERRANE_ASSIGN_OR_RETURN(const LocateQuery query, check(parsed, *backend_.worlds.now(), limits_));
  LocateCall::start(std::move(incoming), backend_.workers, backend_.terrain, query);
  return {};
}

Result<void> WorldService::get_structure(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(IncomingCall incoming, let_in(call));
  TERRANE_ASSIGN_OR_RETURN(auto parsed,
                           parse<v1::GetStructureRequest>(request, limits_.max_message_bytes));
  TERRANE_RETURN_IF_ERROR(resolve(call, parsed));
  TERRANE_ASSIGN_OR_RETURN(StructureQuery query, check(parsed, *backend_.worlds.now()));
  StructureCall::start(std::move(incoming), backend_.workers, backend_.terrain, std::move(query));
  return {};
}

Result<void> WorldService::explore(Call& call) {
  TERRANE_ASSIGN_OR_RETURN(IncomingCall incoming, let_in(call));
  const std::uint64_t client = call.source().client;
  TERRANE_RETURN_IF_ERROR(check_viewers(call.caller(), viewers_.streams_of(client) + 1));
  TERRANE_RETURN_IF_ERROR(viewers_.check_room(client));
  ExploreStream::start(std::move(incoming), viewers_);
  return {};
}

Result<void> WorldService::administer(Method method, Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(IncomingCall incoming, let_in(call));
  const auto viewers = static_cast<std::uint64_t>(
      std::max<std::int64_t>(metrics_->of(Method::kExplore).open.value(), 0));
  return admin_.serve(method, std::move(incoming), request, viewers);
}

void WorldService::send_viewers_away() { viewers_.send_away(); }

}  // namespace terrane::rpc
