#include "rpc/json_queries.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include "rpc/json_text.h"
#include "rpc/streams/wire_batch.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {
namespace {

/// The fingerprint with the name: what has been found is what is asked, though its file may be
/// exchanged just now.
v1::WorldRef to_ref(const QueriedVariant& of) {
  v1::WorldRef ref;
  if (!of.realm.empty()) {
    ref.set_realm(of.realm);
    return ref;
  }
  ref.set_name(of.found.world->name);
  ref.set_seed(of.found.seed);
  ref.set_fingerprint(of.found.world->fingerprint);
  return ref;
}

void set(v1::BlockPos& to, BlockPos from) {
  to.set_x(from.x);
  to.set_y(from.y);
}

template <typename Message>
std::string json_of(const grpc::ByteBuffer& message) {
  Message parsed;
  grpc::ByteBuffer shared(message);  // deserialising empties the buffer it is given
  if (!grpc::SerializationTraits<Message>::Deserialize(&shared, &parsed).ok()) return "{}";
  return to_json(parsed);
}

}  // namespace

JsonQuery points_query(const QueriedVariant& of, std::span<const BlockPos> points) {
  v1::SamplePointsRequest request;
  *request.mutable_world() = to_ref(of);
  for (const BlockPos point : points) set(*request.add_points(), point);
  return {Method::kSamplePoints, to_buffer(request.SerializeAsString())};
}

JsonQuery locate_query(const QueriedVariant& of, const std::string& target, const std::string& name,
                       BlockPos origin, std::uint32_t radius) {
  v1::LocateRequest request;
  *request.mutable_world() = to_ref(of);
  set(*request.mutable_origin(), origin);
  request.set_radius(radius);
  if (target == "biome") {
    request.set_biome(name);
  } else if (target == "structure") {
    request.set_structure(name);
  } else {
    request.set_place(name);
  }
  return {Method::kLocate, to_buffer(request.SerializeAsString())};
}

JsonQuery structure_query(const QueriedVariant& of, BlockPos anchor) {
  v1::GetStructureRequest request;
  *request.mutable_world() = to_ref(of);
  set(*request.mutable_anchor(), anchor);
  return {Method::kGetStructure, to_buffer(request.SerializeAsString())};
}

std::string response_json(Method method, const grpc::ByteBuffer& message) {
  switch (method) {
    case Method::kSamplePoints: return json_of<v1::SamplePointsResponse>(message);
    case Method::kLocate: return json_of<v1::LocateResponse>(message);
    default: return json_of<v1::GetStructureResponse>(message);
  }
}

}  // namespace terrane::rpc
