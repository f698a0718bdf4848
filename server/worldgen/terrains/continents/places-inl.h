// Where the samples look for water: each on the bent ground. In the order of where that is, so that
// what a watercourse reaches lies in few runs, at any level of detail.

#include "hwy/highway.h"
#include "worldgen/terrains/continents/hydrology.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// How far the samples are moved before they look for water.
struct Bend {
  noise::Displacement displaced;
  noise::Displacement meander;  // the rivers' own part of it
};

/// The bend of the ground at the samples, and the rivers' own.
/// @param warp  fill_warp's, at the samples; added to
Bend fill_bend(const Drainage& drainage, const GridContext& context, const Warp& warp) {
  float* HWY_RESTRICT meander_x = context.noise(drainage.meander, "continents.meander_x");
  float* HWY_RESTRICT meander_y = context.noise(drainage.meander, "continents.meander_y");
  float *HWY_RESTRICT x = warp.x, *HWY_RESTRICT y = warp.y;
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    meander_x[i] *= drainage.meander_amplitude;
    meander_y[i] *= drainage.meander_amplitude;
    x[i] += meander_x[i];
    y[i] += meander_y[i];
  }
  return {{x, y, warp.reach + drainage.meander_amplitude},
          {meander_x, meander_y, drainage.meander_amplitude}};
}

/// Runs of places begin and end at multiples of this.
constexpr int kRun = 8;

/// The samples' places, sorted into square cells. Blocks from the grid's first sample.
struct Places {
  int samples = 0;         // the grid's
  int count = 0;           // whole runs: some more places at the end, of no sample
  float *x, *y;            // of the sample ...
  float *bend_x, *bend_y;  // ... and how far from it it looks for water
  std::int32_t* at;        // where the sample is in a field
  PlaceBounds bounds;      // of all x + bend_x, y + bend_y
  float inverse_cell = 0;  // 1 / a cell's side
  int columns = 0, rows = 0;
  std::int32_t* begins;  // the first place of each cell, row after row, and of none behind all

  /// Memory for a value of each place.
  [[nodiscard]] float* values(const GridContext& context) const {
    context.stop_if_abandoned();
    return context.scratch->take<float>(static_cast<std::size_t>(count));
  }
};

/// Cells are so many blocks wide at least; then as wide as samples are apart.
constexpr std::int64_t kNarrowestCell = 512;

/// Which of the cells along an axis a place lies in.
HWY_INLINE int cell_of(float place, float first, float inverse_cell, int cells) {
  const int cell = static_cast<int>(larger((place - first) * inverse_cell, 0.0f));
  return cell < cells ? cell : cells - 1;
}

Places places_of(const GridContext& context, const Bend& bend) {
  const noise::SampleGrid& grid = context.grid;
  const int pitch = noise::row_pitch(grid.width);
  const auto stride = static_cast<std::int32_t>(grid.stride);
  const float *bend_x = bend.displaced.x, *bend_y = bend.displaced.y;
  PlaceBounds bounds{bend_x[0], bend_x[0], bend_y[0], bend_y[0]};
  for (int j = 0; j < grid.height; ++j) {
    for (int i = 0; i < grid.width; ++i) {
      const float x = static_cast<float>(i * stride) + bend_x[j * pitch + i];
      const float y = static_cast<float>(j * stride) + bend_y[j * pitch + i];
      bounds.min_x = smaller(bounds.min_x, x), bounds.max_x = larger(bounds.max_x, x);
      bounds.min_y = smaller(bounds.min_y, y), bounds.max_y = larger(bounds.max_y, y);
    }
  }
  Places out;
  out.bounds = bounds;
  out.samples = static_cast<int>(context.samples());
  out.count = (out.samples + kRun - 1) / kRun * kRun;
  const auto cell = static_cast<float>(grid.stride > kNarrowestCell ? grid.stride : kNarrowestCell);
  out.inverse_cell = 1.0f / cell;
  out.columns = static_cast<int>((bounds.max_x - bounds.min_x) * out.inverse_cell) + 1;
  out.rows = static_cast<int>((bounds.max_y - bounds.min_y) * out.inverse_cell) + 1;
  out.x = out.values(context), out.y = out.values(context);
  out.bend_x = out.values(context), out.bend_y = out.values(context);
  out.at = context.scratch->take<std::int32_t>(static_cast<std::size_t>(out.count));
  const int cells = out.columns * out.rows;
  out.begins = context.scratch->take<std::int32_t>(static_cast<std::size_t>(cells) + 1);
  std::int32_t* const cell_at =
      context.scratch->take<std::int32_t>(static_cast<std::size_t>(context.count()));
  for (int c = 0; c <= cells; ++c) out.begins[c] = 0;
  for (int j = 0; j < grid.height; ++j) {
    for (int i = 0; i < grid.width; ++i) {
      const int k = j * pitch + i;
      const float x = static_cast<float>(i * stride) + bend_x[k];
      const float y = static_cast<float>(j * stride) + bend_y[k];
      cell_at[k] = cell_of(y, bounds.min_y, out.inverse_cell, out.rows) * out.columns +
                   cell_of(x, bounds.min_x, out.inverse_cell, out.columns);
      ++out.begins[cell_at[k]];
    }
  }
  // from how many there are to where they end; placing them, from the last on, makes it where they
  // begin
  for (int c = 1; c <= cells; ++c) out.begins[c] += out.begins[c - 1];
  for (int j = grid.height - 1; j >= 0; --j) {
    for (int i = grid.width - 1; i >= 0; --i) {
      const int k = j * pitch + i, to = --out.begins[cell_at[k]];
      out.x[to] = static_cast<float>(i * stride);
      out.y[to] = static_cast<float>(j * stride);
      out.bend_x[to] = bend_x[k];
      out.bend_y[to] = bend_y[k];
      out.at[to] = k;
    }
  }
  for (int k = out.samples; k < out.count; ++k) {
    out.x[k] = out.x[0], out.y[k] = out.y[0];
    out.bend_x[k] = out.bend_x[0], out.bend_y[k] = out.bend_y[0];
  }
  return out;
}

/// From (x, y) to (x + dx, y + dy).
struct Extent {
  float x, y, dx = 0, dy = 0;
};

/// Calls visit(begin, end) for runs of places: all that lie within `margin` of the rectangle
/// around an extent, each once, and others.
template <typename Visit>
HWY_INLINE void for_runs(const Places& places, const Extent& box, float margin,
                         const Visit& visit) {
  const float beyond = margin + 1.0f;
  const PlaceBounds& bounds = places.bounds;
  const float left = smaller(box.x, box.x + box.dx) - beyond;
  const float right = larger(box.x, box.x + box.dx) + beyond;
  const float top = smaller(box.y, box.y + box.dy) - beyond;
  const float bottom = larger(box.y, box.y + box.dy) + beyond;
  if (right < bounds.min_x || left > bounds.max_x || bottom < bounds.min_y || top > bounds.max_y)
    return;
  const int from = cell_of(left, bounds.min_x, places.inverse_cell, places.columns);
  const int to = cell_of(right, bounds.min_x, places.inverse_cell, places.columns);
  const int last = cell_of(bottom, bounds.min_y, places.inverse_cell, places.rows);
  int done = 0;
  for (int row = cell_of(top, bounds.min_y, places.inverse_cell, places.rows); row <= last; ++row) {
    const std::int32_t* const begins = places.begins + row * places.columns;
    if (begins[from] == begins[to + 1]) continue;
    const int begin = begins[from] / kRun * kRun > done ? begins[from] / kRun * kRun : done;
    const int end = (begins[to + 1] + kRun - 1) / kRun * kRun;
    if (begin < end) visit(begin, end);
    done = end;
  }
}

/// From values of places to a field; nothing where there is no sample.
float* field_of(const GridContext& context, const Places& places, const float* values) {
  float* const out = context.field();
  const int pitch = noise::row_pitch(context.grid.width);
  for (int j = 0; j < context.grid.height; ++j)
    for (int k = j * pitch + context.grid.width; k < (j + 1) * pitch; ++k) out[k] = 0;
  for (int k = 0; k < places.samples; ++k) out[places.at[k]] = values[k];
  return out;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
