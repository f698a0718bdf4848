/* Terrane for games, from C: land that a server streams, or that the game's own process makes.
 *
 * C99. No network, no files and no thread of its own in here: the game brings bytes, the time, and
 * the threads that work. What is inside never calls back.
 *
 *   terrane_world     what a server tells about a world, or a file holds: names, and what to
 *                     generate it from
 *   terrane_chunk     samples of one tile, and what stands there; never changes
 *   terrane_explorer  keeps the land around one viewer at hand, streamed or made here
 *   terrane_land      the chunks at hand: heights, rays, meshes
 *   terrane_mesh      a tile as triangles
 *
 * Rules
 *   Structures begin with struct_size: set it to sizeof(the structure) before every call that
 *   takes or fills one, and zero the rest. A library that is newer or older than the header then
 *   reads and writes only what both know.
 *   What creates an object takes TERRANE_ABI_VERSION, and refuses one that it does not have.
 *   Functions that can fail return a terrane_code, TERRANE_OK or not, and take a terrane_error for
 *   its text, which may be NULL. After a failure outputs are as they were.
 *   Objects are destroyed by the function named for it, which takes NULL, too. Elsewhere objects
 *   and outputs must not be NULL, unless something is said of it.
 *   Texts are UTF-8 and end with 0. Pointers to what an object holds live as long as it does,
 *   unless something else is said.
 *   Threads: functions on the same terrane_explorer may be called from several at once, but for
 *   poll and get_error, which belong to one thread, and so does its terrane_land. Functions on the
 *   same terrane_land or terrane_mesh: one at a time. Worlds and chunks do not change, so any
 *   thread may read them.
 *   Memory is taken from the program's operator new, and nowhere else: what a C++ program puts in
 *   its place serves the library too, but for a DLL of Windows, which has its own. What is
 *   remembered for a thread goes when that ends.
 *   x and y lie flat and grow to the east and to the south; heights grow upwards. All in blocks,
 *   stored heights in 1/16 of one ("q4"). */
#ifndef TERRANE_TERRANE_H
#define TERRANE_TERRANE_H

#include <stddef.h>
#include <stdint.h>

#if defined(TERRANE_CORE_STATIC)
#define TERRANE_API
#elif defined(_WIN32)
#if defined(TERRANE_CORE_BUILDING)
#define TERRANE_API __declspec(dllexport)
#else
#define TERRANE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TERRANE_API __attribute__((visibility("default")))
#else
#define TERRANE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The library ---- */

#define TERRANE_ABI_VERSION 1u

/* The ABI version of the library that is loaded, and its release, "0.1.0". */
TERRANE_API uint32_t terrane_abi_version(void);
TERRANE_API const char* terrane_release(void);

/* 0: done. The others have the numbers of gRPC's status codes. */
typedef int32_t terrane_code;
enum {
  TERRANE_OK = 0,
  TERRANE_CANCELLED = 1,
  TERRANE_INVALID_ARGUMENT = 3,
  TERRANE_DEADLINE_EXCEEDED = 4,
  TERRANE_NOT_FOUND = 5,
  TERRANE_PERMISSION_DENIED = 7,
  TERRANE_RESOURCE_EXHAUSTED = 8, /* no memory, or the server has too much to do */
  TERRANE_FAILED_PRECONDITION = 9,
  TERRANE_OUT_OF_RANGE = 11,
  TERRANE_INTERNAL = 13,
  TERRANE_UNAVAILABLE = 14,
  TERRANE_DATA_LOSS = 15, /* bytes that are damaged, or are not what they should be */
  TERRANE_UNAUTHENTICATED = 16
};

typedef struct terrane_error {
  uint32_t struct_size;
  terrane_code code;
  char message[504]; /* which input, which value, which limit; cut off where it is longer */
} terrane_error;

/* ---- Places ---- */

typedef struct terrane_block {
  int64_t x, y;
} terrane_block;

/* The chunk (x, y) of a level of detail: samples are 2^lod blocks apart, and the first of S x S
 * lies at the block (x * S * 2^lod, y * S * 2^lod). */
typedef struct terrane_tile {
  int64_t x, y;
  uint32_t lod;
  uint32_t reserved; /* 0 */
} terrane_tile;

/* ---- Worlds ---- */

typedef struct terrane_world terrane_world;

/* Reads a world: a terrane.v1.GetWorldResponse with its compiled world, as `terrane worlds NAME
 * --save FILE` writes it and servers answer GetWorld; or a compiled world alone, which has no
 * names. Any bytes are safe.
 * Errors: INVALID_ARGUMENT for another ABI or what is no world; FAILED_PRECONDITION for one that
 * another version of the generator made. Takes up to some tenths of a second. */
TERRANE_API terrane_code terrane_world_open(uint32_t abi_version, const void* bytes, size_t size,
                                            terrane_world** world, terrane_error* error);
/* Explorers that were made of it go on. */
TERRANE_API void terrane_world_close(terrane_world* world);

typedef struct terrane_world_info {
  uint32_t struct_size;
  uint32_t chunk_size;  /* S: samples along one edge of a chunk */
  uint64_t fingerprint; /* worlds with the same one have the same land for the same seed */
  const char* name;     /* "" where a compiled world is all there is */
  const char* title;
  const char* description;
  uint32_t max_lod;
  int32_t sea_level_q4;
  uint32_t layers; /* TERRANE_LAYER_… that its chunks hold */
  /* How many there are of each; 0 where a compiled world is all there is. Chunks that a server
   * sends may hold others, should it have another world: look before an index is used. */
  uint32_t biomes;
  uint32_t placement_kinds;
  uint32_t structure_kinds;
  uint32_t places;
} terrane_world_info;
TERRANE_API void terrane_world_get_info(const terrane_world* world, terrane_world_info* info);

/* What samples of the biome layer (index: the sample), placements and structures (index: their
 * kind) are called, and what colour, 0xRRGGBB, they have on maps. radius and height are those of a
 * placement at scale 100, height of a structure that of a storey. */
typedef struct terrane_kind_info {
  uint32_t struct_size;
  uint32_t color;
  const char* name;
  int32_t radius_q4;
  int32_t height_q4;
  uint32_t pieces; /* of a structure's kind */
  /* Of a placement's: what of it is in the way, see terrane_land_obstacles. */
  uint32_t solid;     /* TERRANE_OBSTACLE_TRUNK or TERRANE_OBSTACLE_ROCK; 0: nothing */
  float solid_radius; /* blocks, at scale 100; as high as `height_q4` */
} terrane_kind_info;
/* Errors: OUT_OF_RANGE past the last, whose number `info` of the world has. */
TERRANE_API terrane_code terrane_world_biome(const terrane_world* world, uint32_t index,
                                             terrane_kind_info* info);
TERRANE_API terrane_code terrane_world_placement_kind(const terrane_world* world, uint32_t index,
                                                      terrane_kind_info* info);
TERRANE_API terrane_code terrane_world_structure_kind(const terrane_world* world, uint32_t index,
                                                      terrane_kind_info* info);

/* A room as it is drawn, before it is turned: a piece of a structure's kind. */
typedef struct terrane_door {
  uint8_t side;  /* of the piece: 0 smallest y, 1 largest x, 2 largest y, 3 smallest x */
  uint8_t at;    /* blocks along the side from its end of smaller x or y */
  uint8_t level; /* storeys above the piece's lowest floor */
  uint8_t reserved;
} terrane_door;
typedef struct terrane_piece_info {
  uint32_t struct_size;
  uint8_t width;  /* blocks along x */
  uint8_t depth;  /* blocks along y */
  uint8_t levels; /* storeys */
  uint8_t door_count;
  const char* name;
  terrane_door doors[8];
} terrane_piece_info;
TERRANE_API terrane_code terrane_world_piece(const terrane_world* world, uint32_t structure_kind,
                                             uint32_t index, terrane_piece_info* info);

/* A place that the world's designer has named. */
typedef struct terrane_place_info {
  uint32_t struct_size;
  uint32_t spawn; /* 1: players may begin there */
  const char* name;
  terrane_block block;
} terrane_place_info;
TERRANE_API terrane_code terrane_world_place(const terrane_world* world, uint32_t index,
                                             terrane_place_info* info);

/* ---- Chunks ---- */

enum { /* sets of layers */
       TERRANE_LAYER_HEIGHT = 1 << 1,
       TERRANE_LAYER_TEMPERATURE = 1 << 2,
       TERRANE_LAYER_HUMIDITY = 1 << 3,
       TERRANE_LAYER_BIOME = 1 << 4,
       TERRANE_LAYER_WATER = 1 << 5,
       TERRANE_LAYER_FOREST = 1 << 6,
       TERRANE_LAYER_ROCKS = 1 << 7,
       TERRANE_LAYER_PLACEMENTS = 1 << 8, /* at lod 0 */
       TERRANE_LAYER_STRUCTURES = 1 << 9  /* up to lod 4; rooms at lod 0 */
};
#define TERRANE_ALL_LAYERS 0xffffffffu

#define TERRANE_NO_WATER (-524288) /* where the water layer has none */

typedef struct terrane_chunk terrane_chunk;

/* A tree, a boulder, … Its block is also its id. */
typedef struct terrane_placement {
  terrane_block anchor;
  uint8_t kind;
  uint8_t turn;  /* 1/256 of a full turn */
  uint8_t scale; /* percent of the kind's height and radius */
} terrane_placement;

/* A building, a ruin, a dungeon: the block before its door is its id. */
typedef struct terrane_structure {
  terrane_block anchor;
  uint8_t kind;
  uint16_t rooms;
  terrane_block from, to; /* its rooms lie between these blocks, both included */
} terrane_structure;

/* One room of a structure; (structure, index) is its id. */
typedef struct terrane_room {
  terrane_block corner; /* of smallest x and y */
  int32_t floor_q4;
  terrane_block structure;
  uint16_t index; /* 0: the entrance */
  uint8_t kind;
  uint8_t piece;
  uint8_t turn;       /* quarter turns, from +x towards +y */
  uint8_t open_doors; /* bit k: the piece's door k leads somewhere */
} terrane_room;

/* What a chunk holds. Layers are S * S samples, rows of growing x, the first row at the smallest y:
 * sample (i, j) is at [j * S + i]. NULL: it has no such layer. */
typedef struct terrane_chunk_info {
  uint32_t struct_size;
  uint32_t size; /* S */
  terrane_tile tile;
  const int32_t* height_q4;
  const int16_t* temperature_d; /* 1/10 degree Celsius */
  const int16_t* humidity_d;    /* 1/10 percent */
  const uint8_t* biome;
  const int32_t* water_q4; /* the water's surface, or TERRANE_NO_WATER */
  const uint8_t* forest_p; /* percent */
  const uint8_t* rocks_p;  /* percent */
  const terrane_placement* placements;
  size_t placement_count;
  const terrane_structure* structures;
  size_t structure_count;
  const terrane_room* rooms;
  size_t room_count;
} terrane_chunk_info;
TERRANE_API void terrane_chunk_get_info(const terrane_chunk* chunk, terrane_chunk_info* info);

/* Makes a chunk here: the same samples as every server's with the world's fingerprint. Whoever
 * calls it owns a reference. Takes a tenth of a millisecond, of coarse levels some.
 * @param layers  those that are wanted, 0: all; what the world does not have is left out
 * Errors: OUT_OF_RANGE for a tile that the world does not have. */
TERRANE_API terrane_code terrane_chunk_generate(const terrane_world* world, uint64_t seed,
                                                const terrane_tile* tile, uint32_t layers,
                                                terrane_chunk** chunk, terrane_error* error);

/* Decodes one that a server has sent (proto/FORMAT.md). Any bytes are safe.
 * Errors: DATA_LOSS with what is wrong, for another level of detail than the tile's, too. */
TERRANE_API terrane_code terrane_chunk_decode(uint32_t abi_version, const void* bytes, size_t size,
                                              const terrane_tile* tile, uint32_t layers,
                                              terrane_chunk** chunk, terrane_error* error);

/* Encodes it as servers do: writes to `buffer` if that is large enough.
 * @return how many bytes it takes */
TERRANE_API size_t terrane_chunk_encode(const terrane_chunk* chunk, void* buffer, size_t capacity);

TERRANE_API void terrane_chunk_retain(terrane_chunk* chunk);
TERRANE_API void terrane_chunk_release(terrane_chunk* chunk);

/* The layers at single blocks, whatever chunks are at hand. */
typedef struct terrane_sample {
  int32_t height_q4;
  int32_t water_q4; /* or TERRANE_NO_WATER */
  int16_t temperature_d;
  int16_t humidity_d;
  uint8_t biome;
  uint8_t forest_p;
  uint8_t rocks_p;
} terrane_sample;
/* Errors: OUT_OF_RANGE for blocks outside of the world. Blocks side by side take half a microsecond
 * each, those 64 blocks apart a hundred: for an overview make chunks of a coarse lod. */
TERRANE_API terrane_code terrane_world_sample(const terrane_world* world, uint64_t seed,
                                              const terrane_block* blocks, size_t count,
                                              terrane_sample* samples, terrane_error* error);

/* ---- Rooms ---- */

enum {
  TERRANE_BOX_FLOOR = 1,
  TERRANE_BOX_WALL = 2,
  TERRANE_BOX_LINTEL = 3, /* the wall over a door */
  TERRANE_BOX_ROOF = 4
};

/* A part of a room that is in the way: to be drawn, and to stand on. */
typedef struct terrane_box {
  terrane_block from, to; /* from <= x < to, in blocks */
  float bottom, top;      /* heights */
  uint8_t part;           /* TERRANE_BOX_… */
  uint8_t level;          /* storey: 0 is the lowest */
  uint16_t reserved;
} terrane_box;

/* A room as boxes: a floor for each storey, walls one block thick with gaps for the open doors, and
 * a roof. They do not overlap. @return how many there are; those that fit are written */
TERRANE_API size_t terrane_room_boxes(const terrane_world* world, const terrane_room* room,
                                      terrane_box* boxes, size_t capacity);

/* ---- Land: the chunks at hand ---- */

typedef struct terrane_land terrane_land;

TERRANE_API terrane_code terrane_land_create(uint32_t abi_version, terrane_land** land,
                                             terrane_error* error);
TERRANE_API void terrane_land_destroy(terrane_land* land);

/* Takes a chunk in, for one that it had of that tile; keeps a reference.
 * Errors: INVALID_ARGUMENT for one without heights, of another size than the others, or for the
 * land of an explorer. */
TERRANE_API terrane_code terrane_land_put(terrane_land* land, terrane_chunk* chunk,
                                          terrane_error* error);
/* Does nothing where it is not there, or for the land of an explorer. */
TERRANE_API void terrane_land_remove(terrane_land* land, const terrane_tile* tile);
TERRANE_API size_t terrane_land_count(const terrane_land* land);

/* What the game has done to the land, which neither generators nor servers know of: players dig. */
enum {
  TERRANE_PATCH_HEIGHT = 1,      /* the sample at `block` has `height_q4` */
  TERRANE_PATCH_HOLE = 2,        /* no ground from `block` to one further in x and y, at lod 0 */
  TERRANE_PATCH_NO_PLACEMENT = 4 /* what stands at the anchor `block` is gone */
};
typedef struct terrane_patch {
  terrane_block block;
  int32_t height_q4;
  uint32_t what; /* a sum of TERRANE_PATCH_…; 0: as it was made */
} terrane_patch;
/* Patches blocks, each in the place of what was patched there before: the land keeps that for
 * chunks that come later, or again. Meshes, the ground, rays and placements follow at once, and
 * changes tell which tiles are to be drawn anew; coarser tiles follow where they have the block as
 * a sample. The explorer's events hand chunks out as they were made.
 * Errors: INVALID_ARGUMENT for another `what`, OUT_OF_RANGE for a block outside of every world or a
 * height beyond 32,767 blocks: nothing is patched then; RESOURCE_EXHAUSTED: some are, call it
 * again. */
TERRANE_API terrane_code terrane_land_patch(terrane_land* land, const terrane_patch* patches,
                                            size_t count, terrane_error* error);

/* The holes, for terrane_land_patch, where the ground would lie inside of a room: dungeons are
 * entered through them, and no hill is in a house. Looks at chunks of lod 0 at hand: ask once those
 * around have come, too. @return how many there are; those that fit are written */
TERRANE_API size_t terrane_room_holes(const terrane_world* world, const terrane_room* room,
                                      const terrane_land* land, terrane_patch* patches,
                                      size_t capacity);

/* The ground at a place, by the finest chunk at hand, as the triangles of its mesh have it: the
 * place's triangle gives height and normal, the nearest sample the biome. Places that are no number
 * or outside of the world are not known. */
typedef struct terrane_ground {
  double height;
  double water;    /* the water's surface; where there is none, the height */
  float normal[3]; /* x, y, up; of length 1 */
  float depth;     /* of the water over the ground; 0: dry */
  uint8_t biome;
  uint8_t lod;
  uint8_t known; /* 0: no chunk at hand has it, and the rest is 0 */
  uint8_t hole;  /* 1: the game has patched the ground away; height is where it would be */
} terrane_ground;
/* @param places  x and y of each, one after the other */
TERRANE_API void terrane_land_ground(const terrane_land* land, const double* places, size_t count,
                                     terrane_ground* grounds);

typedef struct terrane_hit {
  uint32_t struct_size;
  uint32_t hit; /* 0: nothing within `distance`, or nothing at hand where it leads */
  double distance;
  double x, y, height;
  float normal[3];
} terrane_hit;
/* Where a ray meets the ground. One that begins below it meets it at once, and one that comes from
 * where nothing is at hand to where it is below it meets it there.
 * @param from, direction  x, y, height; of any length but 0
 * Errors: INVALID_ARGUMENT for what is no number, a direction of length 0, or a distance that is
 * not 0 to 1,000,000. */
TERRANE_API terrane_code terrane_land_ray(const terrane_land* land, const double from[3],
                                          const double direction[3], double distance,
                                          terrane_hit* hit, terrane_error* error);

/* What stands within `radius` blocks of a place, by its anchor, the nearest first: as many as
 * `capacity` lets in.
 * @return how many there are */
TERRANE_API size_t terrane_land_placements(const terrane_land* land, double x, double y,
                                           double radius, terrane_placement* placements,
                                           size_t capacity);

/* Somebody, or something, that moves: an upright cylinder. */
typedef struct terrane_body {
  double x, y, bottom; /* its axis, and the height of its feet */
  float radius;        /* blocks, at most 64; doors are one block wide */
  float height;
  float step;  /* what is no higher above its feet is stepped upon, rather than in the way */
  float reach; /* blocks, at most 64: nearer things are told of, too; 0: what it is in alone */
} terrane_body;

enum {                             /* and TERRANE_BOX_… of a room, 1 to 4 */
       TERRANE_OBSTACLE_TRUNK = 8, /* of a tree: an upright cylinder, and so is the next */
       TERRANE_OBSTACLE_ROCK = 9   /* a boulder, or whatever else stands at a block */
};
typedef struct terrane_obstacle {
  double x, y;          /* its middle */
  float half_x, half_y; /* from there to its sides along x and y; of a cylinder its radius */
  float bottom, top;    /* heights */
  /* The shortest way out of it for the body; 0 where that is not in it. Either level, or along the
   * height alone, which leads upwards where the body may step upon it. */
  float push_x, push_y, push_up;
  float distance;   /* from the body; below 0: as long as the way out */
  terrane_block of; /* the placement's anchor, or the structure's */
  uint16_t room;    /* of the structure */
  uint8_t part;     /* TERRANE_OBSTACLE_… or TERRANE_BOX_… */
  uint8_t kind;     /* of placements or of structures */
  uint32_t reserved;
} terrane_obstacle;
/* What is solid around bodies: trunks, boulders, and the floors, walls and roofs of rooms, by the
 * chunks of lod 0 at hand; the ground is not. As many as `capacity` lets in are written for each
 * body, at obstacles[k * capacity]: first what it is in, that with a level way out before the rest,
 * the deepest first, then the nearest. To keep a body out of everything move it by the first one's
 * way out, and ask again, as long as there is one: two or three times in a corner. What overlaps by
 * no more than 1/1024 block touches.
 *   Sizes: `solid` and `solid_radius` of a placement's kind, at its scale, on the ground at its
 * anchor and one block below that. Of a tree the trunk is solid, an eighth of its crown's radius
 * thick and a quarter of a block at least, but no thicker than the crown; of trees lower than two
 * blocks, bushes, nothing. All else is solid as a whole. Which kinds are trees, and sizes, are the
 * world's; a compiled world alone has no sizes: all have radius 2 and height 8 then.
 *   Bodies that are no number, or outside of the world, meet nothing. Allocates nothing;
 * a tenth of a microsecond a body, near rooms two.
 * @param world   that the chunks are of
 * @param counts  how many there are of each body, written or not */
TERRANE_API void terrane_land_obstacles(const terrane_land* land, const terrane_world* world,
                                        const terrane_body* bodies, size_t count,
                                        terrane_obstacle* obstacles, size_t capacity,
                                        uint32_t* counts);

/* ---- Meshes ---- */

/* Coarse tiles lie under finer ones. What is to be drawn: each tile that finer ones at hand do not
 * cover, without the quarters that they do cover. */
enum {
  TERRANE_DRAW = 1, /* build the tile's mesh, or build it anew */
  TERRANE_HIDE = 2  /* it is not drawn any more */
};
typedef struct terrane_change {
  terrane_tile tile;
  uint32_t kind; /* TERRANE_DRAW or TERRANE_HIDE */
  uint32_t reserved;
} terrane_change;
/* Takes the changes since the last call, at most `capacity` of them: what is to be drawn first, the
 * finest first, then what is to be hidden. Take as many as there is time for in a frame, and act on
 * all of them, in that order, before chunks come or go again (poll, put, remove): then there is
 * never a hole, be it that the rest takes many frames. A tile whose mesh would be as it was is not
 * told again.
 * @return how many were taken; fewer than `capacity`: there are no more */
TERRANE_API size_t terrane_land_take_changes(terrane_land* land, terrane_change* changes,
                                             size_t capacity);

typedef struct terrane_vertex {
  float x, y, z; /* blocks from the mesh's origin; z is the height */
  float normal[3];
  uint8_t biomes[4];  /* up to four of those around, the weightiest first */
  uint8_t weights[4]; /* theirs; 255 together */
} terrane_vertex;

typedef struct terrane_water_vertex {
  float x, y, z;
  float depth; /* over the ground; below 0 on the shore's dry side */
} terrane_water_vertex;

typedef struct terrane_mesh terrane_mesh;
typedef struct terrane_mesh_info {
  uint32_t struct_size;
  uint32_t exact; /* 1: land is at hand all around, so no edge is a guess */
  terrane_tile tile;
  terrane_block origin; /* of the positions, at height 0 */
  const terrane_vertex* vertices;
  size_t vertex_count;
  /* Three a triangle, a, b, c: (b - a) x (c - a), reckoned in x, y and z, points up, and of skirts
   * outwards. As y grows to the south, that is clockwise on a map, north above. */
  const uint32_t* indices;
  size_t index_count;        /* of ground and skirts */
  size_t ground_index_count; /* of the ground alone, which comes first */
  const terrane_water_vertex* water_vertices;
  size_t water_vertex_count;
  const uint32_t* water_indices;
  size_t water_index_count;
  float min_z, max_z; /* of all of it */
  /* The quarters that finer tiles cover, bit 2 * b + a, east for a, south for b. Meshes of the same
   * S and left_out have the same indices of ground and skirts, but for those with holes. */
  uint32_t left_out;
  uint32_t holes; /* cells that the game has patched away: they have no triangles */
} terrane_mesh_info;

/* Holds one mesh, and its memory from one to the next. */
TERRANE_API terrane_code terrane_mesh_create(uint32_t abi_version, terrane_mesh** mesh,
                                             terrane_error* error);
TERRANE_API void terrane_mesh_destroy(terrane_mesh* mesh);

/* Builds a tile's mesh: (S + 1)^2 vertices, vertex (i, j) at [j * (S + 1) + i], that meet its
 * neighbours' exactly, be they of another level of detail, and after them those of skirts below the
 * edges of what is drawn, for neighbours that are not there yet. Every cell is cut from (i, j) to
 * (i + 1, j + 1). It leaves out the quarters that finer tiles cover; while the game takes changes,
 * those alone that it has been told are covered. After a failure the mesh is as it was.
 * Errors: NOT_FOUND for a tile that is not at hand. Some tens of microseconds. */
TERRANE_API terrane_code terrane_land_mesh(const terrane_land* land, const terrane_tile* tile,
                                           terrane_mesh* mesh, terrane_error* error);
/* Until the next mesh is built in it. */
TERRANE_API void terrane_mesh_get_info(const terrane_mesh* mesh, terrane_mesh_info* info);

/* A tree far away, or several of its kind that are drawn as one. */
typedef struct terrane_far_tree {
  float x, y, z;        /* where it stands, as the tile's mesh has its vertices */
  float radius, height; /* of one of them */
  float trees;  /* how many it stands for; their crowns together have sqrt(trees) * radius */
  uint8_t kind; /* of placements */
  uint8_t turn; /* 1/256 of a full turn */
  uint16_t reserved;
} terrane_far_tree;
/* Forests of a coarse tile, which has no placements, only how much of the ground they take
 * (TERRANE_LAYER_FOREST): trees scattered over what its mesh draws, for whenever that is built. The
 * tile is cut into squares, as many as `capacity` allows, with one tree each at most, so a forest
 * gets thinner by the level of detail, and its trees stand for more. The same tile has the same
 * trees, and one in four stays in its place when the next level of detail comes, if both have the
 * same capacity. They are not the trees of lod 0, and bushes are not among them.
 * @param world     that the chunk is of
 * @param capacity  at least 4; as many squares as the greatest power of 4 within it
 * @return how many were written; 0 for tiles of lod 0, and those that are not at hand or have no
 *   forests or no biomes. Some tens of microseconds */
TERRANE_API size_t terrane_land_far_trees(const terrane_land* land, const terrane_world* world,
                                          const terrane_tile* tile, terrane_far_tree* trees,
                                          size_t capacity);

/* ---- Explorers: the land around a viewer ---- */

typedef struct terrane_explorer terrane_explorer;

#define TERRANE_MAX_LEVELS 17

typedef struct terrane_explore_options {
  uint32_t struct_size;
  /* How far to see each level of detail, from lod 0: the radius in tiles of it, at most 64; 0:
   * nothing of that level. {8, 8, 8, 8} reaches 64 chunks far. All 0: 16 of lod 0. A chunk of 64
   * samples an edge takes 61 kB with all layers: 60 MB for that view, and as much again for what is
   * kept. */
  uint8_t view_distances[TERRANE_MAX_LEVELS];
  uint32_t layers;      /* 0: all */
  uint32_t kept_chunks; /* out of range, kept should the viewer come back; 0: 1,024 */
  uint32_t max_waiting; /* chunks that wait for terrane_explorer_poll; 0: 1,024 */
  /* What the server calls the world: name and seed, or a realm. Not for local ones. */
  const char* world;
  const char* realm; /* when set, world and seed count for nothing */
  uint64_t seed;
  uint64_t fingerprint; /* not 0: fail unless the world is this one */
} terrane_explore_options;

/* One whose land a server streams. The host carries the bytes (proto/EXPLORE.md): over a WebSocket
 * each message is one of its binary messages.
 * Errors: INVALID_ARGUMENT names the option, its value and the limit. */
TERRANE_API terrane_code terrane_explorer_create(uint32_t abi_version,
                                                 const terrane_explore_options* options,
                                                 terrane_explorer** explorer, terrane_error* error);
/* One whose land is made here, by whoever calls terrane_explorer_work.
 * Errors: as above; FAILED_PRECONDITION when `fingerprint` is another world's. */
TERRANE_API terrane_code terrane_explorer_create_local(uint32_t abi_version,
                                                       const terrane_world* world,
                                                       const terrane_explore_options* options,
                                                       terrane_explorer** explorer,
                                                       terrane_error* error);
/* One whose land is made here, as a local one's, and judged by a server: about once a second that
 * is told of one chunk, the one underfoot where there is a new one, in 13 bytes or so, and answers
 * with its own where that is another. From then on (TERRANE_DIFFERS) the land is streamed; what was
 * made here stays until it is replaced. It needs a connection as streamed ones do, and goes on
 * while there is none. `world` and `seed` are what the server calls it; not for realms.
 * Errors: as above, for both. */
TERRANE_API terrane_code terrane_explorer_create_judged(uint32_t abi_version,
                                                        const terrane_world* world,
                                                        const terrane_explore_options* options,
                                                        terrane_explorer** explorer,
                                                        terrane_error* error);
/* No other thread may be in one of its functions, or call one. Its land goes with it. */
TERRANE_API void terrane_explorer_destroy(terrane_explorer* explorer);

typedef struct terrane_pose {
  double x, y;                     /* blocks */
  double velocity_x, velocity_y;   /* blocks a second */
  double direction_x, direction_y; /* where it looks, of any length; both 0: nowhere */
} terrane_pose;
/* Says where the viewer is: once a frame. Returns at once: of local ones terrane_explorer_work
 * follows, and polls tell of what is out of range after that. @param now_ns  of a clock that never
 * goes back, here and below; local explorers do not look at it
 * Errors: INVALID_ARGUMENT for what is no number, OUT_OF_RANGE outside of the world. */
TERRANE_API terrane_code terrane_explorer_move(terrane_explorer* explorer, const terrane_pose* pose,
                                               int64_t now_ns, terrane_error* error);

enum {
  TERRANE_ARRIVED = 1,          /* a tile has come into view, with its chunk */
  TERRANE_OUT_OF_RANGE_NOW = 2, /* a tile that may be dropped: it is announced again */
  TERRANE_FAILED = 3,           /* a tile that could not be had: `code` */
  TERRANE_STATE = 4,            /* `state` is another than at the last poll: `code` says why */
  TERRANE_WORLD_CHANGED = 5,    /* the server has another world of this name now */
  TERRANE_DIFFERS = 6           /* a tile that was made here is not the server's: `tile` */
};
enum {
  TERRANE_CONNECTING = 0, /* no answer yet, or none since the connection was lost */
  TERRANE_STREAMING = 1,
  TERRANE_ENDED = 2 /* for good */
};
typedef struct terrane_event {
  uint32_t kind;
  terrane_code code;
  terrane_tile tile;
  terrane_chunk* chunk; /* lives until the next poll: retain it to keep it longer */
  uint32_t state;
  uint32_t reserved;
} terrane_event;
/* What has happened, and what the explorer's land takes in: at most `capacity` events, in order.
 * Returns at once. @return how many there are; as many as `capacity`: there may be more */
TERRANE_API size_t terrane_explorer_poll(terrane_explorer* explorer, terrane_event* events,
                                         size_t capacity);
/* The chunks of all tiles that polls have told of and that are in range; none where heights are not
 * among the layers. */
TERRANE_API terrane_land* terrane_explorer_land(terrane_explorer* explorer);
/* Why it has ended, or what the last attempt to connect met, as the last poll found it; on the
 * thread that polls. @return its code; TERRANE_OK, and error as it was, where there is nothing to
 * tell */
TERRANE_API terrane_code terrane_explorer_get_error(const terrane_explorer* explorer,
                                                    terrane_error* error);

/* Local and judged ones: follows the viewer, so that polls tell of what is out of range, and makes
 * the chunk that is needed most, on the calling thread; as many threads may do so at once as the
 * game likes, best of a lower priority. To be called once a frame, at least.
 * @return 1; 0: there is nothing to be made until the next move or poll: wait for one of them */
TERRANE_API int32_t terrane_explorer_work(terrane_explorer* explorer);

/* For the calling thread, for good: the game's frames come first. Without it a frame that wakes
 * a thread to make land may wait for it, for some 4 ms on Linux. There it takes the policy
 * SCHED_BATCH and 5 nice levels, on Windows a priority below normal, on macOS the quality of
 * service "utility", else nothing; where the system refuses, nothing either. */
TERRANE_API void terrane_lower_thread_priority(void);

/* Streamed and judged ones: what the host does for the connection.
 *   When terrane_explorer_wants_stream says 1, and none is open or being opened, begin to open one.
 *   It is open (the WebSocket's handshake is done): terrane_explorer_opened. It could not be:
 *   terrane_explorer_closed, and there is a pause before the next.
 *   After every call of opened, move, poll or receive, send each message that
 *   terrane_explorer_next_message gives, in order, and give each that comes to
 *   terrane_explorer_receive, in order.
 *   When it has gone, or a receive has failed: close it, and call terrane_explorer_closed, after
 *   which nothing of the old connection may come to receive. */
TERRANE_API int32_t terrane_explorer_wants_stream(const terrane_explorer* explorer, int64_t now_ns);
/* Errors: FAILED_PRECONDITION for local ones; RESOURCE_EXHAUSTED: close it. */
TERRANE_API terrane_code terrane_explorer_opened(terrane_explorer* explorer, terrane_error* error);
/* What the first message of each stream from now on shows the server of who this is, for hosts that
 * can send no `authorization` with their connection: browsers. @param token  NULL: nothing */
TERRANE_API terrane_code terrane_explorer_set_token(terrane_explorer* explorer, const char* token,
                                                    terrane_error* error);
/* Writes the next message to `buffer` if that is large enough, and is done with it then.
 * @return how many bytes it takes; 0: nothing is to be sent now */
TERRANE_API size_t terrane_explorer_next_message(terrane_explorer* explorer, int64_t now_ns,
                                                 void* buffer, size_t capacity);
/* Takes a message in, and decodes the chunks in it; one at a time, others wait. Any bytes are safe.
 * Errors, after which the host is to close the connection: CANCELLED when the server asks for that,
 * and says why as it ends, or when a judged explorer needs another stream; DATA_LOSS,
 * FAILED_PRECONDITION: the explorer has ended, or no stream is open; RESOURCE_EXHAUSTED: no
 * memory. */
TERRANE_API terrane_code terrane_explorer_receive(terrane_explorer* explorer, const void* bytes,
                                                  size_t size, int64_t now_ns,
                                                  terrane_error* error);
/* @param code  how it ended, as the server said: of a WebSocket the close code less 4000 if that is
 *   1 or more, else TERRANE_OK for 1000, TERRANE_UNAVAILABLE for a lost connection or one that
 *   could not be opened. Others than these and RESOURCE_EXHAUSTED may end the explorer for good.
 * @param text  for people; may be NULL
 * @param retry_after_ms  how long the server asks to wait; 0: it does not */
TERRANE_API void terrane_explorer_closed(terrane_explorer* explorer, terrane_code code,
                                         const char* text, int64_t retry_after_ms, int64_t now_ns);
/* When to ask terrane_explorer_wants_stream again (it may be past), and whether the server has been
 * silent for too long (close the connection then, as UNAVAILABLE), though nothing happens.
 * @return a time; INT64_MAX: no need */
TERRANE_API int64_t terrane_explorer_next_look(const terrane_explorer* explorer);
TERRANE_API int32_t terrane_explorer_is_overdue(const terrane_explorer* explorer, int64_t now_ns);

#ifdef __cplusplus
}
#endif

#endif /* TERRANE_TERRANE_H */
