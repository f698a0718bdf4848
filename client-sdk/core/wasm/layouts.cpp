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

static_assert(sizeof(terrane_ground) == 40);
AT(terrane_ground, water, 8);
AT(terrane_ground, normal, 16);
AT(terrane_ground, depth, 28);
AT(terrane_ground, biome, 32);
AT(terrane_ground, lod, 33);
AT(terrane_ground, known, 34);
