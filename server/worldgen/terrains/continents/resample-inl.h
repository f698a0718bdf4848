// Interpolation from a lattice's nodes to samples: cubic, after E. Catmull and R. Rom, "A class of
// local interpolating splines" (1974), with exact weights, as a sample's place between nodes is a
// small binary fraction.

#include "hwy/highway.h"
#include "worldgen/grid_context.h"
#include "worldgen/terrains/continents/lattice.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

struct CubicWeights {
  float w[4];
};

HWY_INLINE CubicWeights cubic_weights(float t) {
  const float t2 = t * t, t3 = t2 * t;
  return {{0.5f * (2.0f * t2 - t3 - t), 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f),
           0.5f * (4.0f * t2 - 3.0f * t3 + t), 0.5f * (t3 - t2)}};
}

/// Where one sample lies among the nodes of an axis.
struct Between {
  int node = 0;  // the first of four
  CubicWeights weights;
};

HWY_INLINE Between between(std::int64_t sample, std::int64_t first_node, std::int64_t spacing) {
  const std::int64_t from_first = sample - first_node;  // at least one spacing
  const std::int64_t node = from_first / spacing;
  const float t = static_cast<float>(from_first - node * spacing) / static_cast<float>(spacing);
  return {static_cast<int>(node) - 1, cubic_weights(t)};
}

/// One row of nodes, at the samples of a grid that begins on a node; kPer samples between nodes.
template <int kPer>
HWY_INLINE void resample_row(const float* HWY_RESTRICT nodes,
                             const float (&weights)[4][noise::kMaxGridSize], int width,
                             float* HWY_RESTRICT out) {
  for (int i = 0; i < width; i += kPer, ++nodes) {
    for (int p = 0; p < kPer; ++p) {
      out[i + p] = weights[0][p] * nodes[0] + weights[1][p] * nodes[1] + weights[2][p] * nodes[2] +
                   weights[3][p] * nodes[3];
    }
  }
}

/// The same for any samples.
HWY_INLINE void resample_row_any(const float* HWY_RESTRICT nodes,
                                 const float (&weights)[4][noise::kMaxGridSize],
                                 const int* HWY_RESTRICT first, int width,
                                 float* HWY_RESTRICT out) {
  for (int i = 0; i < width; ++i) {
    const float* from = nodes + first[i];
    out[i] = weights[0][i] * from[0] + weights[1][i] * from[1] + weights[2][i] * from[2] +
             weights[3][i] * from[3];
  }
}

/// Values at every sample of the grid, from those at `nodes` = lattice_around(grid, spacing).
void resample(const noise::SampleGrid& nodes, const float* HWY_RESTRICT values,
              const GridContext& samples, std::int64_t spacing, float* HWY_RESTRICT out) {
  const noise::SampleGrid& grid = samples.grid;
  const int node_pitch = noise::row_pitch(nodes.width), pitch = noise::row_pitch(grid.width);
  alignas(64) float weights[4][noise::kMaxGridSize];
  int first[noise::kMaxGridSize];
  for (int i = 0; i < grid.width; ++i) {
    const Between x = between(grid.origin.x + i * grid.stride, nodes.origin.x, spacing);
    first[i] = x.node;
    for (int k = 0; k < 4; ++k) weights[k][i] = x.weights.w[k];
  }
  const auto per = static_cast<int>(spacing / grid.stride);
  const bool regular = grid.origin.x % spacing == 0 && grid.width % per == 0;
  const Scratch::Scope scope(*samples.scratch);
  // the rows of nodes at the samples' columns
  const auto height = static_cast<std::size_t>(nodes.height);
  float* const rows = samples.scratch->take<float>(height * static_cast<std::size_t>(pitch));
  for (int j = 0; j < nodes.height; ++j) {
    const float* from = values + j * node_pitch;
    float* to = rows + j * pitch;
    if (regular && per == 4) {
      resample_row<4>(from, weights, grid.width, to);
    } else if (regular && per == 2) {
      resample_row<2>(from, weights, grid.width, to);
    } else {
      resample_row_any(from, weights, first, grid.width, to);
    }
  }
  for (int j = 0; j < grid.height; ++j) {
    const Between y = between(grid.origin.y + j * grid.stride, nodes.origin.y, spacing);
    const float* a = rows + y.node * pitch;
    const float *b = a + pitch, *c = b + pitch, *d = c + pitch;
    const float w0 = y.weights.w[0], w1 = y.weights.w[1], w2 = y.weights.w[2], w3 = y.weights.w[3];
    float* HWY_RESTRICT to = out + j * pitch;
    for (int i = 0; i < grid.width; ++i) to[i] = w0 * a[i] + w1 * b[i] + w2 * c[i] + w3 * d[i];
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
