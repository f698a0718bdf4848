#pragma once

#include "drawing/color.h"
#include "drawing/map_grid.h"
#include "drawing/picture.h"
#include "drawing/png.h"
#include "terrane/chunk_stream.h"
#include "terrane/result.h"
#include "terrane/world.h"

/// What the program draws with: the words of proto/drawing, for worlds as servers tell of them.
namespace terrane::cli {

using drawing::Color, drawing::from_rgb, drawing::mix, drawing::to_rgb;
using drawing::encode_png, drawing::enlarged, drawing::Picture;
using drawing::MapGrid, drawing::MapStyle, drawing::name_of, drawing::parse_map_style,
    drawing::SampleRectangle;

/// @param world  outlives the legend
[[nodiscard]] drawing::Legend legend_of(const World& world);

/// The layers that a style shows, of those that a world has.
/// Errors: kInvalidArgument when the world has not got the layer that the style is about.
[[nodiscard]] Result<LayerMask> layers_for(MapStyle style, const World& world);

/// The samples of a rectangle of chunks side by side.
[[nodiscard]] SampleRectangle samples_of(const ChunkRectangle& area, int chunk_size);

}  // namespace terrane::cli
