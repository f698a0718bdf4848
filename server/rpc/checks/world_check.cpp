#include "rpc/checks/world_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codec/container.h"
#include "rpc/checks/refused_field.h"
#include "terrane/layers_at.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

constexpr int kMaxListed = 16;  // of the numbers that a client has sent

/// A layer as a request gives it: "8 (LAYER_PLACEMENTS)"; the number alone where it is no layer.
std::string given(int layer) {
  if (layer == 0 || !v1::Layer_IsValid(layer)) return std::to_string(layer);
  return fmt::format("{} ({})", layer, v1::Layer_Name(static_cast<v1::Layer>(layer)));
}

/// "PLACEMENTS (8)"
std::string name_of(int layer) {
  return fmt::format(
      "{} ({})",
      v1::Layer_Name(static_cast<v1::Layer>(layer)).substr(std::string_view("LAYER_").size()),
      layer);
}

std::string layers_of(const worldgen::World& world) {
  std::vector<std::string> names;
  for (int layer = 1; layer < 32; ++layer) {
    if ((world.layers & (LayerMask{1} << layer)) != 0 && v1::Layer_IsValid(layer))
      names.push_back(name_of(layer));
  }
  return listed(names);
}

Result<void> check_layer(int layer, const std::string& field, const worldgen::World& world,
                         std::optional<Lod> lod) {
  if (layer <= 0 || layer > 31 || (world.layers & (LayerMask{1} << layer)) == 0) {
    const std::string layers = layers_of(world);
    return refuse_field({.reason = ErrorReason::kLayerNotInWorld,
                         .field = field,
                         .value = given(layer),
                         .limit = layers},
                        fmt::format("the layers of world '{}' are {}; none asks for all of them",
                                    world.name, layers));
  }
  const Lod coarsest = max_lod_of(static_cast<Layer>(layer));
  if (!lod || *lod <= coarsest) return {};
  return refuse_field(
      {.reason = ErrorReason::kLayerNotAtLod,
       .field = field,
       .value = given(layer),
       .limit = fmt::format("lod {}", coarsest)},
      fmt::format("chunks hold it up to level of detail {}, and not at {}; leave it out", coarsest,
                  *lod));
}

}  // namespace

Result<WorldPtr> find_world(const std::string& name, const worlds::WorldCatalog& worlds,
                            std::string_view path) {
  // without the names: not everybody may know all of them
  constexpr std::string_view kWhere = "ListWorlds says which there are (over HTTP /v1/worlds)";
  if (name.empty()) {
    return tl::unexpected(Error{.code = ErrorCode::kInvalidArgument,
                                .message = fmt::format("{} is empty: {}", path, kWhere),
                                .reason = ErrorReason::kFieldMissing,
                                .field = std::string(path)});
  }
  if (const auto found = worlds.find(name); found != worlds.end()) return found->second;
  return refuse_field({.code = ErrorCode::kNotFound,
                       .reason = ErrorReason::kWorldUnknown,
                       .field = std::string(path),
                       .value = in_quotes(name)},
                      fmt::format("this server offers no such world; {}", kWhere));
}

Result<WorldPtr> check_world(bool given, const v1::WorldRef& ref,
                             const worlds::WorldCatalog& worlds, std::string_view path) {
  if (!given) return refuse_missing(std::string(path), "give a world's name and a seed");
  TERRANE_ASSIGN_OR_RETURN(WorldPtr world,
                           find_world(ref.name(), worlds, fmt::format("{}.name", path)));
  if (!ref.has_fingerprint() || ref.fingerprint() == world->fingerprint) return world;
  const std::string served = fmt::format("{:#018x}", world->fingerprint);
  return refuse_field(
      {.code = ErrorCode::kFailedPrecondition,
       .reason = ErrorReason::kWorldChanged,
       .field = fmt::format("{}.fingerprint", path),
       .value = fmt::format("{:#018x}", ref.fingerprint()),
       .limit = served},
      fmt::format("this server generates world '{}' with fingerprint {}; fetch the world anew and "
                  "drop what was kept of it",
                  world->name, served));
}

Result<LayerMask> check_layers(const google::protobuf::RepeatedField<int>& layers,
                               const worldgen::World& world, std::optional<Lod> lod,
                               std::string_view path) {
  LayerMask mask = 0;
  for (int i = 0; i < layers.size(); ++i) {
    TERRANE_RETURN_IF_ERROR(check_layer(layers[i], fmt::format("{}[{}]", path, i), world, lod));
    mask |= LayerMask{1} << layers[i];
  }
  // Asking for every layer is asking for the chunk as it is stored.
  return mask == 0 || mask == world.layers ? kAllLayers : mask;
}

Result<void> check_formats(const google::protobuf::RepeatedField<std::uint32_t>& formats,
                           std::string_view path) {
  const auto end = formats.end();
  if (formats.empty() || std::find(formats.begin(), end, codec::kFormatVersion) != end) return {};
  const auto shown = formats.begin() + std::min(formats.size(), kMaxListed);
  return refuse_field(
      {.code = ErrorCode::kFailedPrecondition,
       .reason = ErrorReason::kFormatNotServed,
       .field = std::string(path),
       .value = fmt::format("[{}{}]", fmt::join(formats.begin(), shown, ", "),
                            shown == end ? "" : ", …"),
       .limit = std::to_string(codec::kFormatVersion)},
      fmt::format("this server sends chunks in format {}; use a client that reads it",
                  codec::kFormatVersion));
}

}  // namespace terrane::rpc
