/* Land without a server, in C99: a walk through a world that this process makes by itself.
 *
 *   terrane worlds continents --save continents.world     (once, where there is a server)
 *   local continents.world [SEED]
 *
 * A game would call terrane_explorer_work on threads of its own, and draw the meshes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrane/terrane.h"

static terrane_error error = {sizeof error, 0, ""};

static void* read_file(const char* name, size_t* size) {
  FILE* file = fopen(name, "rb");
  long length = 0;
  char* bytes = NULL;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0) {
    bytes = malloc((size_t)length);
    rewind(file);
    if (bytes != NULL) *size = fread(bytes, 1, (size_t)length, file);
  }
  fclose(file);
  return bytes;
}

/* What a game does with a tile's mesh: here it is only counted. */
static size_t draw(terrane_land* land, const terrane_tile* tile, terrane_mesh* mesh) {
  terrane_mesh_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  if (terrane_land_mesh(land, tile, mesh, &error) != TERRANE_OK) return 0;
  terrane_mesh_get_info(mesh, &info);
  return info.index_count / 3;
}

/* One frame: where the walker is, what has come into view, what has to be drawn anew. */
static size_t frame(terrane_explorer* explorer, terrane_mesh* mesh, double x) {
  terrane_land* land = terrane_explorer_land(explorer);
  terrane_pose pose = {0};
  terrane_event events[64];
  terrane_change changes[64];
  size_t i, count, triangles = 0;
  pose.x = x;
  pose.velocity_x = 6;
  pose.direction_x = 1;
  if (terrane_explorer_move(explorer, &pose, 0, &error) != TERRANE_OK) return 0;
  while (terrane_explorer_work(explorer)) { /* all there is to be made, on this thread */
  }
  while (terrane_explorer_poll(explorer, events, 64) == 64) {
  }
  while ((count = terrane_land_take_changes(land, changes, 64)) > 0) {
    for (i = 0; i < count; ++i) {
      if (changes[i].kind == TERRANE_DRAW) triangles += draw(land, &changes[i].tile, mesh);
    }
  }
  return triangles;
}

int main(int argc, char** argv) {
  size_t size = 0, triangles = 0;
  void* bytes = argc > 1 ? read_file(argv[1], &size) : NULL;
  terrane_world* world = NULL;
  terrane_explorer* explorer = NULL;
  terrane_mesh* mesh = NULL;
  terrane_world_info info;
  terrane_explore_options options;
  terrane_ground ground;
  int step;
  if (argc > 1 && bytes == NULL) {
    fprintf(stderr, "local: can't read %s\n", argv[1]);
    return 1;
  }
  if (bytes == NULL) {
    fprintf(stderr, "usage: local FILE [SEED]; terrane worlds NAME --save FILE writes one\n");
    return 2;
  }
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.view_distances[0] = 3; /* chunks far in full detail, and two coarser levels */
  options.view_distances[1] = 3;
  options.view_distances[2] = 3;
  options.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 7;
  if (terrane_world_open(TERRANE_ABI_VERSION, bytes, size, &world, &error) != TERRANE_OK ||
      terrane_explorer_create_local(TERRANE_ABI_VERSION, world, &options, &explorer, &error) !=
          TERRANE_OK ||
      terrane_mesh_create(TERRANE_ABI_VERSION, &mesh, &error) != TERRANE_OK) {
    fprintf(stderr, "local: %s\n", error.message);
    return 1;
  }
  free(bytes); /* the world has what it needs */
  terrane_world_get_info(world, &info);
  printf("world '%s', seed %llu\n", info.name, (unsigned long long)options.seed);
  for (step = 0; step <= 10; ++step) {
    const double place[2] = {100.0 * step + 0.5, 0.5};
    triangles += frame(explorer, mesh, place[0]);
    terrane_land_ground(terrane_explorer_land(explorer), place, 1, &ground);
    printf("x %4.0f: ground %6.1f%s\n", place[0], ground.height, ground.depth > 0 ? ", water" : "");
  }
  printf("%zu chunks at hand, %zu triangles drawn\n",
         terrane_land_count(terrane_explorer_land(explorer)), triangles);
  terrane_mesh_destroy(mesh);
  terrane_explorer_destroy(explorer);
  terrane_world_close(world);
  return 0;
}
