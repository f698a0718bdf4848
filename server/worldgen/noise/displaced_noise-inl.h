// Compiled once per instruction set by displaced_noise.cpp; see gradient-inl.h for what keeps all
// targets alike.

#include "hwy/highway.h"
#include "worldgen/noise/displaced_axis.h"
#include "worldgen/noise/displaced_noise.h"
#include "worldgen/noise/gradient-inl.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::noise::HWY_NAMESPACE {

/// One axis of a vector of points: lattice cells' hashes on both sides, and the offset within the
/// cell.
struct Side {
  VU near1, near2, far1, far2;
  VF offset;
};

/// @param at  the samples' offsets within their cells, plus the displacement in cells
HWY_INLINE Side side_of(const DisplacedAxis& axis, hn::VFromD<I> cell, VF at) {
  const I di;
  const U du;
  const VF whole = hn::Floor(at);
  auto index = hn::Add(cell, hn::ConvertTo(di, whole));
  index = hn::Min(hn::Max(index, hn::Zero(di)), hn::Set(di, axis.last));
  const auto next = hn::Add(index, hn::Set(di, 1));
  return {hn::GatherIndex(du, axis.hash1.data(), index),
          hn::GatherIndex(du, axis.hash2.data(), index),
          hn::GatherIndex(du, axis.hash1.data(), next),
          hn::GatherIndex(du, axis.hash2.data(), next), hn::Sub(at, whole)};
}

/// 30 t^2 (t - 1)^2, the derivative of fade(t).
HWY_INLINE VF fade_slope(VF t) {
  const F d;
  const VF bump = hn::Mul(t, hn::Sub(t, hn::Set(d, 1.0f)));
  return hn::Mul(hn::Set(d, 30.0f), hn::Mul(bump, bump));
}

/// a + u (b - a) + v (c - a) + u v (a - b - c + d)
HWY_INLINE VF blend(VF a, VF b, VF c, VF d, VF u, VF v) {
  const VF low = hn::Add(a, hn::Mul(u, hn::Sub(b, a)));
  const VF high = hn::Add(c, hn::Mul(u, hn::Sub(d, c)));
  return hn::Add(low, hn::Mul(v, hn::Sub(high, low)));
}

template <bool kAdd, bool kSlopes>
HWY_INLINE void fill_points(const Side& x, const Side& y, VF amplitude, VF frequency,
                            const NoiseOut& out, std::size_t i) {
  const F d;
  VF gx00, gy00, gx10, gy10, gx01, gy01, gx11, gy11;
  gradient(x.near1, x.near2, y.near1, y.near2, gx00, gy00);
  gradient(x.far1, x.far2, y.near1, y.near2, gx10, gy10);
  gradient(x.near1, x.near2, y.far1, y.far2, gx01, gy01);
  gradient(x.far1, x.far2, y.far1, y.far2, gx11, gy11);
  const VF one = hn::Set(d, 1.0f);
  const VF fx = x.offset, fy = y.offset, bx = hn::Sub(fx, one), by = hn::Sub(fy, one);
  const VF n00 = hn::Add(hn::Mul(gx00, fx), hn::Mul(gy00, fy)),
           n10 = hn::Add(hn::Mul(gx10, bx), hn::Mul(gy10, fy));
  const VF n01 = hn::Add(hn::Mul(gx01, fx), hn::Mul(gy01, by)),
           n11 = hn::Add(hn::Mul(gx11, bx), hn::Mul(gy11, by));
  const VF u = fade(fx), v = fade(fy);
  const VF value = hn::Mul(amplitude, blend(n00, n10, n01, n11, u, v));
  hn::Store(kAdd ? hn::Add(hn::Load(d, out.value + i), value) : value, d, out.value + i);
  if constexpr (kSlopes) {
    const VF steep = hn::Mul(amplitude, frequency);
    const VF twist = hn::Sub(hn::Sub(n11, n01), hn::Sub(n10, n00));
    const VF along_x = hn::Mul(fade_slope(fx), hn::Add(hn::Sub(n10, n00), hn::Mul(v, twist)));
    const VF along_y = hn::Mul(fade_slope(fy), hn::Add(hn::Sub(n01, n00), hn::Mul(u, twist)));
    hn::Store(hn::Mul(steep, hn::Add(blend(gx00, gx10, gx01, gx11, u, v), along_x)), d,
              out.slope_x + i);
    hn::Store(hn::Mul(steep, hn::Add(blend(gy00, gy10, gy01, gy11, u, v), along_y)), d,
              out.slope_y + i);
  }
}

template <bool kAdd, bool kSlopes>
void fill_displaced(const Octave& octave, const DisplacedAxes& axes, const SampleGrid& grid,
                    const Displacement& displacement, int pitch, const NoiseOut& out) {
  const F d;
  const I di;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const auto& [columns, rows] = axes;
  const VF amplitude = hn::Set(d, octave.amplitude), frequency = hn::Set(d, frequency_of(octave));
  for (int j = 0; j < grid.height; ++j) {
    const auto row_cell = hn::Set(di, rows.cell[j]);
    const VF row_offset = hn::Set(d, rows.offset[j]);
    for (int i = 0; i < grid.width; i += lanes) {
      const auto at = static_cast<std::size_t>(j * pitch + i);
      const VF px = hn::Add(hn::Load(d, columns.offset + i),
                            hn::Mul(frequency, hn::Load(d, displacement.x + at)));
      const VF py = hn::Add(row_offset, hn::Mul(frequency, hn::Load(d, displacement.y + at)));
      fill_points<kAdd, kSlopes>(side_of(columns, hn::Load(di, columns.cell + i), px),
                                 side_of(rows, row_cell, py), amplitude, frequency, out, at);
    }
  }
}

/// @param add    to what is there; never with slopes
/// @param pitch  floats from one row of displacements and results to the next
void fill_displaced_any(const Octave& octave, const DisplacedAxes& axes, const SampleGrid& grid,
                        const Displacement& displacement, bool add, int pitch,
                        const NoiseOut& out) {
  if (out.slope_x != nullptr)
    return fill_displaced<false, true>(octave, axes, grid, displacement, pitch, out);
  add ? fill_displaced<true, false>(octave, axes, grid, displacement, pitch, out)
      : fill_displaced<false, false>(octave, axes, grid, displacement, pitch, out);
}

}  // namespace terrane::worldgen::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
