#pragma once

#include "drawing/map_grid.h"
#include "terrane/chunk.h"

namespace terrane::http {

/// What a tile shows: a map, or heights for programs that draw themselves.
struct TileLayer {
  drawing::MapStyle style = drawing::MapStyle::kRelief;
  bool is_terrarium = false;
  LayerMask layers = 0;  // that it needs of chunks
};

}  // namespace terrane::http
