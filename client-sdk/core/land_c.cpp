#include <cmath>
#include <string>

#include "boundary.h"
#include "chunk_handle.h"
#include "far_trees.h"
#include "ground.h"
#include "land.h"
#include "mesh.h"
#include "obstacles.h"

namespace {

using namespace terrane;
using namespace terrane::core;

constexpr double kLongestRay = 1'000'000;

Result<void> check_there(const void* pointer, const char* name) {
  if (pointer != nullptr) return {};
  return fail(ErrorCode::kInvalidArgument, std::string(name) + " is NULL");
}

/// A new object for C.
template <typename Object>
terrane_code create(std::uint32_t abi_version, Object** object, terrane_error* error,
                    const char* name) {
  return guarded(error, [&]() -> Result<void> {
    if (Result<void> fits = check_abi(abi_version); !fits) return fits;
    if (Result<void> there = check_there(object, name); !there) return there;
    *object = new Object;
    return {};
  });
}

Result<void> put(terrane_land* land, terrane_chunk* chunk) {
  if (Result<void> there = check_there(land, "land"); !there) return there;
  if (Result<void> there = check_there(chunk, "chunk"); !there) return there;
  if (land->of_explorer)
    return fail(ErrorCode::kInvalidArgument,
                "the land is an explorer's: only that one puts chunks into it");
  return land->land.put(chunk->chunk);
}

Result<void> check_ray(const double from[3], const double direction[3], double distance) {
  double length = 0;
  for (int k = 0; k < 3; ++k) {
    if (!std::isfinite(from[k]) || !std::isfinite(direction[k]))
      return fail(ErrorCode::kInvalidArgument,
                  std::string(std::isfinite(from[k]) ? "direction" : "from") + "[" +
                      std::to_string(k) + "] is no number");
    length += std::abs(direction[k]);
  }
  if (length == 0) return fail(ErrorCode::kInvalidArgument, "the direction has length 0");
  if (!(distance >= 0 && distance <= kLongestRay))
    return fail(ErrorCode::kInvalidArgument,
                "distance is " + std::to_string(distance) + "; it must be 0 to 1,000,000");
  return {};
}

Result<void> find_hit(const terrane_land* land, const double from[3], const double direction[3],
                      double distance, terrane_hit* to) {
  if (Result<void> there = check_there(land, "land"); !there) return there;
  if (Result<void> there = check_there(from, "from"); !there) return there;
  if (Result<void> there = check_there(direction, "direction"); !there) return there;
  if (Result<void> there = check_there(to, "hit"); !there) return there;
  if (Result<void> fits = check_ray(from, direction, distance); !fits) return fits;
  terrane_hit hit{};
  if (const std::optional<Hit> met = ray(land->land, from, direction, distance)) {
    hit.hit = 1;
    hit.distance = met->distance;
    hit.x = met->x;
    hit.y = met->y;
    hit.height = met->height;
    for (int k = 0; k < 3; ++k) hit.normal[k] = met->normal[k];
  }
  give(hit, to);
  return {};
}

Result<void> build(const terrane_land* land, const terrane_tile* tile, terrane_mesh* mesh) {
  if (Result<void> there = check_there(land, "land"); !there) return there;
  if (Result<void> there = check_there(tile, "tile"); !there) return there;
  if (Result<void> there = check_there(mesh, "mesh"); !there) return there;
  const LandNode* const node = land->land.node(from_c(*tile));
  if (node == nullptr || !node->chunk)
    return fail(ErrorCode::kNotFound, "the tile (" + std::to_string(tile->x) + ", " +
                                          std::to_string(tile->y) + ") of lod " +
                                          std::to_string(tile->lod) + " is not at hand");
  mesh->mesh.build(land->land, *node, land->land.cover().quarters_left_out(*node));
  return {};
}

}  // namespace

terrane_code terrane_land_create(uint32_t abi_version, terrane_land** land, terrane_error* error) {
  return create(abi_version, land, error, "land");
}

void terrane_land_destroy(terrane_land* land) {
  if (land != nullptr && !land->of_explorer) delete land;
}

terrane_code terrane_land_put(terrane_land* land, terrane_chunk* chunk, terrane_error* error) {
  return guarded(error, [&] { return put(land, chunk); });
}

void terrane_land_remove(terrane_land* land, const terrane_tile* tile) {
  if (land == nullptr || tile == nullptr || land->of_explorer) return;
  land->land.remove(from_c(*tile));
}

terrane_code terrane_land_patch(terrane_land* land, const terrane_patch* patches, size_t count,
                                terrane_error* error) {
  return guarded(error, [&]() -> Result<void> {
    if (Result<void> there = check_there(land, "land"); !there) return there;
    if (count == 0) return {};
    if (Result<void> there = check_there(patches, "patches"); !there) return there;
    return land->land.patch(patches, count);
  });
}

size_t terrane_land_count(const terrane_land* land) {
  return land != nullptr ? land->land.count() : 0;
}

void terrane_land_ground(const terrane_land* land, const double* places, size_t count,
                         terrane_ground* grounds) {
  if (land == nullptr || places == nullptr || grounds == nullptr) return;
  ground(land->land, places, count, grounds);
}

terrane_code terrane_land_ray(const terrane_land* land, const double from[3],
                              const double direction[3], double distance, terrane_hit* hit,
                              terrane_error* error) {
  return guarded(error, [&] { return find_hit(land, from, direction, distance, hit); });
}

size_t terrane_land_placements(const terrane_land* land, double x, double y, double radius,
                               terrane_placement* to, size_t capacity) {
  if (land == nullptr) return 0;
  return placements(land->land, x, y, radius, to, to != nullptr ? capacity : 0);
}

void terrane_land_obstacles(const terrane_land* land, const terrane_world* world,
                            const terrane_body* bodies, size_t count, terrane_obstacle* to,
                            size_t capacity, uint32_t* counts) {
  if (land == nullptr || world == nullptr || bodies == nullptr || counts == nullptr) return;
  obstacles(land->land, *world, bodies, count, to, to != nullptr ? capacity : 0, counts);
}

size_t terrane_land_take_changes(terrane_land* land, terrane_change* changes, size_t capacity) {
  if (land == nullptr || changes == nullptr) return 0;
  size_t taken = 0;
  const terrane_code code = guarded(nullptr, [&]() -> Result<void> {
    taken = land->land.take_changes(changes, capacity);
    return {};
  });
  return code == TERRANE_OK ? taken : 0;
}

terrane_code terrane_mesh_create(uint32_t abi_version, terrane_mesh** mesh, terrane_error* error) {
  return create(abi_version, mesh, error, "mesh");
}

void terrane_mesh_destroy(terrane_mesh* mesh) { delete mesh; }

terrane_code terrane_land_mesh(const terrane_land* land, const terrane_tile* tile,
                               terrane_mesh* mesh, terrane_error* error) {
  return guarded(error, [&] { return build(land, tile, mesh); });
}

void terrane_mesh_get_info(const terrane_mesh* mesh, terrane_mesh_info* info) {
  if (mesh == nullptr || info == nullptr) return;
  give(mesh->mesh.info(), info);
}

size_t terrane_land_far_trees(const terrane_land* land, const terrane_world* world,
                              const terrane_tile* tile, terrane_far_tree* trees, size_t capacity) {
  if (land == nullptr || world == nullptr || tile == nullptr || trees == nullptr) return 0;
  const LandNode* const node = land->land.node(from_c(*tile));
  if (node == nullptr || !node->chunk) return 0;
  return far_trees(land->land, *world, *node, land->land.cover().quarters_left_out(*node), trees,
                   capacity);
}
