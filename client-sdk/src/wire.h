#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "status_code.h"
#include "terrane/chunk_stream.h"
#include "terrane/client.h"
#include "terrane/v1/world_service.pb.h"

/// Messages of terrane.v1 <-> the SDK's values, checked on the way in. Pure functions; threads:
/// any; they block on nothing.
namespace terrane::client {

[[nodiscard]] v1::WorldRef to_message(const WorldRef& world);
[[nodiscard]] v1::ChunkCoord to_message(ChunkCoord coord);
[[nodiscard]] ChunkCoord to_coord(const v1::ChunkCoord& coord);

/// Adds what a request's `layers` needs for `mask`; nothing for kAllLayers. Errors:
/// kInvalidArgument for a mask without a layer.
[[nodiscard]] Result<void> add_layers(LayerMask mask, google::protobuf::RepeatedField<int>* layers);

/// Adds the versions of encoded chunks that this library reads to a request's `formats`.
void add_formats(google::protobuf::RepeatedField<std::uint32_t>* formats);

/// Errors: kDataLoss when a field is not what any Terrane server sends.
[[nodiscard]] Result<World> to_world(const v1::World& message);
[[nodiscard]] NamedPlace to_place(const v1::NamedPlace& message);
[[nodiscard]] Limits to_limits(const v1::Limits& message);

/// Decodes a chunk. Errors: kDataLoss when the bytes are damaged or hold another lod or fewer
/// layers than asked for; the message leaves out which chunk it was.
[[nodiscard]] Result<Chunk> to_chunk(const EncodedChunk& encoded, Lod lod, LayerMask layers);

/// Takes the bytes out of a message.
[[nodiscard]] EncodedChunk to_encoded(v1::Chunk& message);

[[nodiscard]] v1::SamplePointsRequest to_message(const WorldRef& world,
                                                 std::span<const BlockPos> points);
/// Appends the samples of one answer to `out`. Errors: kDataLoss when they are not `expected` in
/// number.
[[nodiscard]] Result<void> append_samples(const v1::SamplePointsResponse& message, int expected,
                                          std::vector<PointSample>& out);

[[nodiscard]] v1::LocateRequest to_message(const LocateRequest& request);

/// Errors: kDataLoss when a field is not what any Terrane server sends, or not what was asked for.
[[nodiscard]] Result<Located> to_located(const v1::LocateFound& message,
                                         const LocateRequest& request);
[[nodiscard]] Result<StructurePlan> to_plan(const v1::GetStructureResponse& message,
                                            BlockPos anchor);

/// "(3, -4)"
[[nodiscard]] std::string describe(ChunkCoord coord);

}  // namespace terrane::client
