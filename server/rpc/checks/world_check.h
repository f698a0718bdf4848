#pragma once

#include <google/protobuf/repeated_field.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/v1/chunk.pb.h"
#include "worlds/world_catalog.h"

/// What all requests have: a world, layers of it, and versions of the encoded chunk. Pure
/// functions. `path` is what the field is called in the request, "hello.world" in a Hello.
namespace terrane::rpc {

using worlds::WorldPtr;

/// Errors: kInvalidArgument (empty name), kNotFound, which names no world that the caller may not
/// know.
[[nodiscard]] Result<WorldPtr> find_world(const std::string& name,
                                          const worlds::WorldCatalog& worlds,
                                          std::string_view path = "name");

/// Errors: those of find_world; kInvalidArgument (`given` is false: the request names none),
/// kFailedPrecondition (pinned fingerprint).
[[nodiscard]] Result<WorldPtr> check_world(bool given, const v1::WorldRef& ref,
                                           const worlds::WorldCatalog& worlds,
                                           std::string_view path = "world");

/// kAllLayers for all of them, however they are asked for.
/// @param lod  where it is one level of detail that is asked for
/// Errors: kInvalidArgument for one that the world does not have, or not at this level.
[[nodiscard]] Result<LayerMask> check_layers(const google::protobuf::RepeatedField<int>& layers,
                                             const worldgen::World& world,
                                             std::optional<Lod> lod = std::nullopt,
                                             std::string_view path = "layers");

/// Whether the client reads the version of the encoded chunk that this server writes; none: it
/// reads any. Errors: kFailedPrecondition.
[[nodiscard]] Result<void> check_formats(
    const google::protobuf::RepeatedField<std::uint32_t>& formats,
    std::string_view path = "formats");

}  // namespace terrane::rpc
