/* Land that a server streams over a WebSocket, in C99: a walk of some seconds.
 *
 *   streamed ws://127.0.0.1:4151 [WORLD [SEED]]
 *
 * The server knows a client by TERRANE_TOKEN. A game would draw the meshes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrane/connection.h"

static terrane_error error = {sizeof error, 0, ""};

static int failed(const char* what) {
  fprintf(stderr, "streamed: %s: %s\n", what, error.message);
  return 1;
}

/* Takes in what has come; builds the meshes of what is to be drawn anew, and counts their triangles.
 * Returns 0 once the explorer has ended. */
static int frame(terrane_explorer* explorer, terrane_mesh* mesh, size_t* triangles) {
  terrane_land* land = terrane_explorer_land(explorer);
  terrane_event events[32];
  terrane_change changes[32];
  size_t count, k;
  do {
    count = terrane_explorer_poll(explorer, events, 32);
    for (k = 0; k < count; ++k) {
      if (events[k].kind == TERRANE_STATE && events[k].state == TERRANE_ENDED) return 0;
    }
  } while (count == 32);
  do {
    count = terrane_land_take_changes(land, changes, 32);
    for (k = 0; k < count; ++k) {
      terrane_mesh_info info;
      memset(&info, 0, sizeof info);
      info.struct_size = sizeof info;
      if (changes[k].kind != TERRANE_DRAW) continue;
      if (terrane_land_mesh(land, &changes[k].tile, mesh, NULL) != TERRANE_OK) continue;
      terrane_mesh_get_info(mesh, &info);
      *triangles += info.index_count / 3;
    }
  } while (count == 32);
  return 1;
}

int main(int argc, char** argv) {
  terrane_connection_options server;
  terrane_explore_options options;
  terrane_explorer* explorer = NULL;
  terrane_connection* connection = NULL;
  terrane_mesh* mesh = NULL;
  terrane_pose pose;
  terrane_ground ground;
  int64_t start, now;
  size_t triangles = 0;
  int streams = 1;
  if (argc < 2) {
    fprintf(stderr, "usage: streamed ws://HOST:PORT [WORLD [SEED]]\n");
    return 2;
  }
  memset(&server, 0, sizeof server);
  server.struct_size = sizeof server;
  server.urls = argv[1];
  server.token = getenv("TERRANE_TOKEN");
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.world = argc > 2 ? argv[2] : "continents";
  options.seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 7;
  options.view_distances[0] = 6;
  options.view_distances[1] = 6;
  if (terrane_explorer_create(TERRANE_ABI_VERSION, &options, &explorer, &error) != TERRANE_OK)
    return failed("the explorer");
  if (terrane_mesh_create(TERRANE_ABI_VERSION, &mesh, &error) != TERRANE_OK)
    return failed("the mesh");
  if (terrane_connection_open(TERRANE_ABI_VERSION, &server, explorer, &connection, &error) !=
      TERRANE_OK)
    return failed("the connection");

  memset(&pose, 0, sizeof pose);
  pose.velocity_x = 100;
  start = terrane_connection_now();
  do {
    now = terrane_connection_now();
    pose.x = 100 * ((double)(now - start) * 1e-9);
    terrane_explorer_move(explorer, &pose, now, NULL);
    streams = frame(explorer, mesh, &triangles);
    terrane_connection_flush(connection);
    terrane_connection_wait(connection, 16); /* where a game would draw */
  } while (streams && now - start < INT64_C(3000000000));

  if (terrane_explorer_get_error(explorer, &error) != TERRANE_OK) {
    failed(streams ? "still connecting" : "ended");
  } else {
    const double place[2] = {pose.x, pose.y};
    terrane_land_ground(terrane_explorer_land(explorer), place, 1, &ground);
    printf("at %.0f, %.0f the ground is at %.2f; %zu chunks at hand, %zu triangles drawn\n", pose.x,
           pose.y, ground.height, terrane_land_count(terrane_explorer_land(explorer)), triangles);
  }
  terrane_connection_close(connection);
  terrane_mesh_destroy(mesh);
  terrane_explorer_destroy(explorer);
  return error.code == TERRANE_OK ? 0 : 1;
}
