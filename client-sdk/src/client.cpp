#include "terrane/client.h"

#include <algorithm>
#include <atomic>
#include <span>

#include "call.h"
#include "chunk_stream_impl.h"
#include "explore_checks.h"
#include "grpc_explorer.h"
#include "pending_samples_impl.h"
#include "terrane/result_macros.h"
#include "terrane_version.h"
#include "wire.h"

namespace terrane {

using client::Attempts;
using client::Connection;
using client::ReadCall;
using client::Stub;
using client::unary;

class Client::Impl {
 public:
  explicit Impl(std::shared_ptr<const Connection> shared) : connection(std::move(shared)) {}

  [[nodiscard]] Result<v1::ListWorldsResponse> list(Attempts& attempts) const {
    return unary(*connection, *connection->stub, attempts, &Stub::AsyncListWorlds,
                 v1::ListWorldsRequest());
  }

  [[nodiscard]] Result<v1::GetWorldResponse> get_world(std::string_view name, bool compiled) const {
    v1::GetWorldRequest request;
    request.set_name(std::string(name));
    request.set_with_compiled_world(compiled);
    Attempts attempts(connection->options);
    return unary(*connection, *connection->stub, attempts, &Stub::AsyncGetWorld, request);
  }

  /// How many points go in one request; asks the server the first time.
  [[nodiscard]] Result<std::size_t> points_per_request(Attempts& attempts) const {
    if (points_limit == 0) {
      TERRANE_ASSIGN_OR_RETURN(const v1::ListWorldsResponse listed, list(attempts));
      points_limit = std::max(1u, listed.limits().max_points_per_request());
    }
    return points_limit.load();
  }

  std::shared_ptr<const Connection> connection;
  mutable std::atomic<std::size_t> points_limit{0};  // 0: not known yet
};

namespace {

// any server takes these at once: no need to ask for its limit
constexpr std::size_t kFewPoints = 256;

std::vector<std::byte> to_bytes(const std::string& bytes) {
  const auto all = std::as_bytes(std::span(bytes));
  return {all.begin(), all.end()};
}

/// One attempt at a search. @return nullopt if gRPC has not let go of it
std::optional<grpc::Status> search(const Connection& connection, const Attempts& attempts,
                                   const v1::LocateRequest& request, const LocateProgress& progress,
                                   const std::stop_token& stop, ReadCall<v1::LocateResponse>& call,
                                   v1::LocateResponse& last) {
  attempts.begin(call.context());
  call.start(attempts.deadline(), [&](auto* context, auto* queue, void* tag) {
    return connection.stub->AsyncLocate(context, request, queue, tag);
  });
  const std::stop_callback cancel(stop, [&call] { call.cancel(); });
  for (v1::LocateResponse response; call.read(response); last = std::move(response)) {
    if (response.has_progress() && progress) progress(response.progress().searched());
  }
  return call.finish();
}

/// What a search that ended well has found.
Result<std::optional<Located>> to_answer(const v1::LocateResponse& last,
                                         const LocateRequest& request,
                                         const LocateProgress& progress) {
  if (last.has_nothing()) {
    if (progress) progress(last.nothing().radius());
    return std::nullopt;
  }
  if (!last.has_found())
    return fail(ErrorCode::kDataLoss, "the server ended the search without an answer");
  return client::to_located(last.found(), request).map([](const Located& found) {
    return std::optional(found);
  });
}

}  // namespace

Client::Client(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Result<Client> Client::connect(ClientOptions options) {
  TERRANE_ASSIGN_OR_RETURN(auto connection, client::open_connection(std::move(options)));
  return Client(std::make_shared<Impl>(std::move(connection)));
}

Result<std::vector<World>> Client::worlds() const {
  Attempts attempts(impl_->connection->options);
  TERRANE_ASSIGN_OR_RETURN(const v1::ListWorldsResponse listed, impl_->list(attempts));
  std::vector<World> worlds;
  for (const auto& message : listed.worlds()) {
    TERRANE_ASSIGN_OR_RETURN(World world, client::to_world(message));
    worlds.push_back(std::move(world));
  }
  std::sort(worlds.begin(), worlds.end(),
            [](const World& a, const World& b) { return a.name < b.name; });
  return worlds;
}

Result<std::vector<Realm>> Client::realms() const {
  Attempts attempts(impl_->connection->options);
  TERRANE_ASSIGN_OR_RETURN(const v1::ListWorldsResponse listed, impl_->list(attempts));
  std::vector<Realm> realms;
  for (const v1::Realm& realm : listed.realms()) realms.push_back({realm.name(), realm.world()});
  return realms;
}

Result<World> Client::world(std::string_view name) const {
  TERRANE_ASSIGN_OR_RETURN(const auto response, impl_->get_world(name, false));
  return client::to_world(response.world()).map([&](World world) {
    for (const auto& place : response.places()) world.places.push_back(client::to_place(place));
    return world;
  });
}

Result<std::vector<std::byte>> Client::compiled_world(std::string_view name) const {
  return impl_->get_world(name, true).map([](const v1::GetWorldResponse& response) {
    return to_bytes(response.compiled_world());
  });
}

Result<std::vector<std::byte>> Client::world_file(std::string_view name) const {
  return impl_->get_world(name, true).map([](v1::GetWorldResponse response) {
    response.clear_limits();  // the server's, and no part of the world
    return to_bytes(response.SerializeAsString());
  });
}

Result<Limits> Client::limits() const {
  Attempts attempts(impl_->connection->options);
  TERRANE_ASSIGN_OR_RETURN(const v1::ListWorldsResponse listed, impl_->list(attempts));
  return client::to_limits(listed.limits());
}

Result<Chunk> Client::chunk(const WorldRef& world, ChunkCoord coord, Lod lod,
                            LayerMask layers) const {
  v1::GetChunkRequest request;
  *request.mutable_world() = client::to_message(world);
  *request.mutable_coord() = client::to_message(coord);
  request.set_lod(lod);
  TERRANE_RETURN_IF_ERROR(client::add_layers(layers, request.mutable_layers()));
  client::add_formats(request.mutable_formats());
  Attempts attempts(impl_->connection->options);
  TERRANE_ASSIGN_OR_RETURN(
      v1::GetChunkResponse response,
      unary(*impl_->connection, *impl_->connection->stub, attempts, &Stub::AsyncGetChunk, request));
  if (const ChunkCoord answered = client::to_coord(response.chunk().coord()); answered != coord) {
    return fail(ErrorCode::kDataLoss, "asked for chunk " + client::describe(coord) +
                                          ", the server answered chunk " +
                                          client::describe(answered));
  }
  auto chunk = client::to_chunk(client::to_encoded(*response.mutable_chunk()), lod, layers);
  if (!chunk)
    return fail(chunk.error().code,
                "chunk " + client::describe(coord) + ": " + chunk.error().message);
  return chunk;
}

ChunkStream Client::chunks(ChunksRequest request) const {
  return ChunkStream(std::make_unique<ChunkStream::Impl>(impl_->connection, std::move(request)));
}

Result<Explorer> Client::explore(ExploreOptions options) const {
  TERRANE_RETURN_IF_ERROR(client::check(options));
  return Explorer(std::make_unique<client::GrpcExplorer>(impl_->connection, std::move(options)));
}

Result<std::vector<PointSample>> Client::sample(const WorldRef& world,
                                                std::span<const BlockPos> points) const {
  Attempts attempts(impl_->connection->options);
  std::size_t step = kFewPoints;
  if (points.size() > kFewPoints) {
    TERRANE_ASSIGN_OR_RETURN(step, impl_->points_per_request(attempts));
  }
  std::vector<PointSample> samples;
  samples.reserve(points.size());
  for (; !points.empty(); points = points.subspan(std::min(step, points.size()))) {
    const auto request = client::to_message(world, points.first(std::min(step, points.size())));
    TERRANE_ASSIGN_OR_RETURN(const v1::SamplePointsResponse response,
                             unary(*impl_->connection, *impl_->connection->stub, attempts,
                                   &Stub::AsyncSamplePoints, request));
    attempts.progressed();
    TERRANE_RETURN_IF_ERROR(client::append_samples(response, request.points_size(), samples));
  }
  return samples;
}

PendingSamples Client::sample_async(WorldRef world, std::vector<BlockPos> points) const {
  const std::size_t limit = impl_->points_limit;
  return PendingSamples(std::make_unique<PendingSamples::Impl>(
      impl_->connection, std::move(world), std::move(points), limit > 0 ? limit : kFewPoints));
}

Result<std::optional<Located>> Client::locate(const LocateRequest& request,
                                              const LocateProgress& progress,
                                              const std::stop_token& stop) const {
  const v1::LocateRequest message = client::to_message(request);
  Attempts attempts(impl_->connection->options);
  for (;;) {
    TERRANE_RETURN_IF_ERROR(impl_->connection->check_process());
    auto call = std::make_unique<ReadCall<v1::LocateResponse>>(impl_->connection->watch());
    v1::LocateResponse last;
    TERRANE_RETURN_IF_ERROR(
        impl_->connection->introduce(call->context(), client::region_of(message)));
    const auto status = search(*impl_->connection, attempts, message, progress, stop, *call, last);
    if (stop.stop_requested() && status)
      return fail(ErrorCode::kCancelled, "the search was stopped");
    if (status && status->ok()) return to_answer(last, request, progress);
    auto failure =
        status ? impl_->connection->failure_of(*status, call->context()) : client::lost_call();
    if (!status) impl_->connection->leave_behind(std::move(call));
    const auto wait = attempts.after(failure);
    if (!wait) return tl::unexpected(attempts.final_error(std::move(failure.error)));
    impl_->connection->wait(*wait, [&stop] { return stop.stop_requested(); });
  }
}

Result<StructurePlan> Client::structure(const WorldRef& world, BlockPos anchor) const {
  v1::GetStructureRequest request;
  *request.mutable_world() = client::to_message(world);
  request.mutable_anchor()->set_x(anchor.x);
  request.mutable_anchor()->set_y(anchor.y);
  Attempts attempts(impl_->connection->options);
  TERRANE_ASSIGN_OR_RETURN(const v1::GetStructureResponse response,
                           unary(*impl_->connection, *impl_->connection->stub, attempts,
                                 &Stub::AsyncGetStructure, request));
  return client::to_plan(response, anchor);
}

std::string_view client_version() { return TERRANE_VERSION; }

}  // namespace terrane
