// Where client-sdk/web/src/local/layouts.ts says that terrane.h's structures have their members:
// whoever changes one changes the other.
#include <cstddef>

#include "terrane/terrane.h"

#define AT(structure, member, offset) static_assert(offsetof(structure, member) == offset)

static_assert(sizeof(terrane_error) == 512);
AT(terrane_error, code, 4);
AT(terrane_error, message, 8);

static_assert(sizeof(terrane_block) == 16);
AT(terrane_block, y, 8);

static_assert(sizeof(terrane_tile) == 24);
AT(terrane_tile, y, 8);
AT(terrane_tile, lod, 16);

static_assert(sizeof(terrane_world_info) == 56);
AT(terrane_world_info, chunk_size, 4);
AT(terrane_world_info, fingerprint, 8);
AT(terrane_world_info, name, 16);
AT(terrane_world_info, title, 20);
AT(terrane_world_info, description, 24);
AT(terrane_world_info, max_lod, 28);
AT(terrane_world_info, sea_level_q4, 32);
AT(terrane_world_info, layers, 36);
AT(terrane_world_info, biomes, 40);
AT(terrane_world_info, placement_kinds, 44);
AT(terrane_world_info, structure_kinds, 48);
AT(terrane_world_info, places, 52);

static_assert(sizeof(terrane_kind_info) == 32);
AT(terrane_kind_info, color, 4);
AT(terrane_kind_info, name, 8);
AT(terrane_kind_info, radius_q4, 12);
AT(terrane_kind_info, height_q4, 16);
AT(terrane_kind_info, pieces, 20);

static_assert(sizeof(terrane_piece_info) == 44 && sizeof(terrane_door) == 4);
AT(terrane_piece_info, width, 4);
AT(terrane_piece_info, depth, 5);
AT(terrane_piece_info, levels, 6);
AT(terrane_piece_info, door_count, 7);
AT(terrane_piece_info, name, 8);
AT(terrane_piece_info, doors, 12);
AT(terrane_door, at, 1);
AT(terrane_door, level, 2);

static_assert(sizeof(terrane_place_info) == 32);
AT(terrane_place_info, spawn, 4);
AT(terrane_place_info, name, 8);
AT(terrane_place_info, block, 16);

static_assert(sizeof(terrane_chunk_info) == 88);
AT(terrane_chunk_info, size, 4);
AT(terrane_chunk_info, tile, 8);
AT(terrane_chunk_info, height_q4, 32);
AT(terrane_chunk_info, temperature_d, 36);
AT(terrane_chunk_info, humidity_d, 40);
AT(terrane_chunk_info, biome, 44);
AT(terrane_chunk_info, water_q4, 48);
AT(terrane_chunk_info, forest_p, 52);
AT(terrane_chunk_info, rocks_p, 56);
AT(terrane_chunk_info, placements, 60);
AT(terrane_chunk_info, placement_count, 64);
AT(terrane_chunk_info, structures, 68);
AT(terrane_chunk_info, structure_count, 72);
AT(terrane_chunk_info, rooms, 76);
AT(terrane_chunk_info, room_count, 80);

static_assert(sizeof(terrane_placement) == 24);
AT(terrane_placement, kind, 16);
AT(terrane_placement, turn, 17);
AT(terrane_placement, scale, 18);

static_assert(sizeof(terrane_structure) == 56);
AT(terrane_structure, kind, 16);
AT(terrane_structure, rooms, 18);
AT(terrane_structure, from, 24);
AT(terrane_structure, to, 40);

static_assert(sizeof(terrane_room) == 48);
AT(terrane_room, floor_q4, 16);
AT(terrane_room, structure, 24);
AT(terrane_room, index, 40);
AT(terrane_room, kind, 42);
AT(terrane_room, piece, 43);
AT(terrane_room, turn, 44);
AT(terrane_room, open_doors, 45);

static_assert(sizeof(terrane_sample) == 16);
AT(terrane_sample, water_q4, 4);
AT(terrane_sample, temperature_d, 8);
AT(terrane_sample, humidity_d, 10);
AT(terrane_sample, biome, 12);
AT(terrane_sample, forest_p, 13);
AT(terrane_sample, rocks_p, 14);

static_assert(sizeof(terrane_explore_options) == 64);
AT(terrane_explore_options, view_distances, 4);
AT(terrane_explore_options, layers, 24);
AT(terrane_explore_options, kept_chunks, 28);
AT(terrane_explore_options, max_waiting, 32);
AT(terrane_explore_options, world, 36);
AT(terrane_explore_options, seed, 48);

static_assert(sizeof(terrane_pose) == 48);
AT(terrane_pose, y, 8);
AT(terrane_pose, velocity_x, 16);
AT(terrane_pose, velocity_y, 24);
AT(terrane_pose, direction_x, 32);
AT(terrane_pose, direction_y, 40);

static_assert(sizeof(terrane_event) == 48);
AT(terrane_event, code, 4);
AT(terrane_event, tile, 8);
AT(terrane_event, chunk, 32);
AT(terrane_event, state, 36);

static_assert(sizeof(terrane_ground) == 40);
AT(terrane_ground, water, 8);
AT(terrane_ground, normal, 16);
AT(terrane_ground, depth, 28);
AT(terrane_ground, biome, 32);
AT(terrane_ground, lod, 33);
AT(terrane_ground, known, 34);
AT(terrane_ground, hole, 35);

static_assert(sizeof(terrane_hit) == 56);
AT(terrane_hit, hit, 4);
AT(terrane_hit, distance, 8);
AT(terrane_hit, x, 16);
AT(terrane_hit, y, 24);
AT(terrane_hit, height, 32);
AT(terrane_hit, normal, 40);

static_assert(sizeof(terrane_patch) == 24);
AT(terrane_patch, height_q4, 16);
AT(terrane_patch, what, 20);

static_assert(sizeof(terrane_box) == 48);
AT(terrane_box, to, 16);
AT(terrane_box, bottom, 32);
AT(terrane_box, top, 36);
AT(terrane_box, part, 40);
AT(terrane_box, level, 41);

static_assert(sizeof(terrane_body) == 40);
AT(terrane_body, y, 8);
AT(terrane_body, bottom, 16);
AT(terrane_body, radius, 24);
AT(terrane_body, height, 28);
AT(terrane_body, step, 32);
AT(terrane_body, reach, 36);

static_assert(sizeof(terrane_obstacle) == 72);
AT(terrane_obstacle, y, 8);
AT(terrane_obstacle, half_x, 16);
AT(terrane_obstacle, half_y, 20);
AT(terrane_obstacle, bottom, 24);
AT(terrane_obstacle, top, 28);
AT(terrane_obstacle, push_x, 32);
AT(terrane_obstacle, push_y, 36);
AT(terrane_obstacle, push_up, 40);
AT(terrane_obstacle, distance, 44);
AT(terrane_obstacle, of, 48);
AT(terrane_obstacle, room, 64);
AT(terrane_obstacle, part, 66);
AT(terrane_obstacle, kind, 67);

static_assert(sizeof(terrane_change) == 32);
AT(terrane_change, kind, 24);

static_assert(sizeof(terrane_mesh_info) == 104);
AT(terrane_mesh_info, exact, 4);
AT(terrane_mesh_info, tile, 8);
AT(terrane_mesh_info, origin, 32);
AT(terrane_mesh_info, vertices, 48);
AT(terrane_mesh_info, vertex_count, 52);
AT(terrane_mesh_info, indices, 56);
AT(terrane_mesh_info, index_count, 60);
AT(terrane_mesh_info, ground_index_count, 64);
AT(terrane_mesh_info, water_vertices, 68);
AT(terrane_mesh_info, water_vertex_count, 72);
AT(terrane_mesh_info, water_indices, 76);
AT(terrane_mesh_info, water_index_count, 80);
AT(terrane_mesh_info, min_z, 84);
AT(terrane_mesh_info, max_z, 88);
AT(terrane_mesh_info, left_out, 92);
AT(terrane_mesh_info, holes, 96);

static_assert(sizeof(terrane_vertex) == 32 && alignof(terrane_vertex) == 4);
AT(terrane_vertex, normal, 12);
AT(terrane_vertex, biomes, 24);
AT(terrane_vertex, weights, 28);

static_assert(sizeof(terrane_water_vertex) == 16 && alignof(terrane_water_vertex) == 4);
AT(terrane_water_vertex, depth, 12);

static_assert(sizeof(terrane_far_tree) == 28);
AT(terrane_far_tree, y, 4);
AT(terrane_far_tree, z, 8);
AT(terrane_far_tree, radius, 12);
AT(terrane_far_tree, height, 16);
AT(terrane_far_tree, trees, 20);
AT(terrane_far_tree, kind, 24);
AT(terrane_far_tree, turn, 25);
