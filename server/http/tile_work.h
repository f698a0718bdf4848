#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "drawing/map_grid.h"
#include "http/chunk_answers.h"
#include "http/page.h"
#include "http/tile_layer.h"
#include "schedule/source.h"
#include "schedule/worker_pool.h"
#include "worldgen/world.h"

namespace terrane::http {

/// A tile to be drawn.
struct TileTask {
  std::shared_ptr<const worldgen::World> world;
  TileLayer layer;
  drawing::SampleRectangle area;  // with its apron
  int apron = 0;                  // samples around it that decide how it looks
  Lod lod = 0;
  std::vector<ChunkCoord> coords;  // of the chunks that it is drawn from
  schedule::Source source;         // at whose turns
  std::stop_token gone;            // nobody waits for it any more
  Heading heading;
  Reply reply;
};

/// Draws a tile and answers with it: jobs of the workers of a millisecond or so, one after another,
/// so that nobody's chunk waits long behind one. Threads: any; does not block.
/// @param chunks  at task.coords
void draw_tile(schedule::WorkerPool& workers, TileTask task, Chunks chunks);

}  // namespace terrane::http
