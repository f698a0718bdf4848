// Compiled once per instruction set by fractal_noise.cpp. Every float operation here is an exactly
// rounded +, -, * or / in an order that does not depend on the number of lanes: that is what makes
// all targets agree bit for bit.
//
// Along a row inside one lattice cell, gradient noise is L + fade(fx) * (R - L), where the cell's
// left and right lattice columns contribute L = l0 + lx * fx and R = r0 + rx * (fx - 1), and (l0,
// lx), (r0, rx) are constants of the row and the column:
//     noise = (l0 + lx * fx) + fade(fx) * (d0 + dx * fx),   dx = rx - lx,   d0 = (r0 - rx) - l0
// Octaves with wide cells compute the four constants once per row and cell; the others hold
// gradients per sample.

#include "hwy/highway.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/noise/gradient-inl.h"
#include "worldgen/noise/octave.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::noise::HWY_NAMESPACE {

constexpr int kSize = kMaxNoiseSquare + kRowAlignment;  // room for one vector more than a row
// samples: cells at least as long share their constants
constexpr int kWide = 16;
// lattice columns (and rows) that wide cells can touch
constexpr int kCells = kMaxNoiseSquare / kWide + 3;
constexpr int kCellPitch = 2 * kRowAlignment;

/// The halves of a lattice column's or row's hash.
struct LineHash {
  std::uint32_t a[kSize], b[kSize];
  void set(int i, std::uint64_t key, std::int64_t cell) {
    const std::uint64_t h = line_hash(key, cell);
    a[i] = static_cast<std::uint32_t>(h);
    b[i] = static_cast<std::uint32_t>(h >> 32);
  }
};

/// An axis's samples: lattice cell relative to the first one, and offset within the cell.
struct Axis {
  std::int64_t cell[kSize];
  alignas(64) float offset[kSize];
};

/// offset[i] = (remainder[i] + 1/2) / den.
HWY_INLINE void fill_offsets(const std::int32_t* remainder, std::int64_t den, int count,
                             float* HWY_RESTRICT offset) {
  const F d;
  const I di;
  const VF length = hn::Set(d, static_cast<float>(den));
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
    const VF rest = hn::ConvertTo(d, hn::Load(di, remainder + i));
    hn::Store(hn::Div(hn::Add(rest, hn::Set(d, 0.5f)), length), d, offset + i);
  }
}

HWY_INLINE void fill_fade(const float* offset, int count, float* HWY_RESTRICT out) {
  const F d;
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d)))
    hn::Store(fade(hn::Load(d, offset + i)), d, out + i);
}

HWY_INLINE void fill_axis(const AxisStart& start, std::int64_t den, int count, Axis& axis) {
  alignas(64) std::int32_t remainder[kSize];
  std::int64_t cell = start.cell;
  std::int64_t rest = start.remainder;
  for (int i = 0; i < count; ++i) {
    axis.cell[i] = cell;
    remainder[i] = static_cast<std::int32_t>(rest);
    cell += start.step_cells;
    rest += start.step_remainder;
    const std::int64_t carry = rest >= den ? 1 : 0;
    cell += carry;
    rest -= carry * den;
  }
  fill_offsets(remainder, den, count, axis.offset);
}

/// Weights of a row's lower and upper lattice row: on the gradients' x, and (times the offset) on
/// their y. Amplitude included.
struct RowWeights {
  alignas(64) float x0[kSize], x1[kSize], y0[kSize], y1[kSize];
};

HWY_INLINE void fill_weights(const float* offset, int count, float amplitude, RowWeights& w) {
  const F d;
  const VF amp = hn::Set(d, amplitude);
  const VF one = hn::Set(d, 1.0f);
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
    const VF t = hn::Load(d, offset + i);
    const VF upper = hn::Mul(amp, fade(t));
    const VF lower = hn::Sub(amp, upper);
    hn::Store(lower, d, w.x0 + i);
    hn::Store(upper, d, w.x1 + i);
    hn::Store(hn::Mul(lower, t), d, w.y0 + i);
    hn::Store(hn::Mul(upper, hn::Sub(t, one)), d, w.y1 + i);
  }
}

// ---- Octaves with wide cells --------------------------------------------------------------------

/// An axis's samples where cells are at least kWide samples long: begin[c] is the first sample of
/// cell first_cell + c.
struct WideAxis {
  std::int64_t first_cell = 0;
  int cells = 0;
  int begin[kCells + 1];
  alignas(64) float offset[kSize];
};

HWY_INLINE void fill_wide_axis(const AxisStart& start, std::int64_t den, int count,
                               WideAxis& axis) {
  alignas(64) std::int32_t remainder[kSize];
  const auto step = static_cast<std::int32_t>(start.step_remainder);
  auto rest = static_cast<std::int32_t>(start.remainder);
  axis.first_cell = start.cell;
  axis.cells = 0;
  for (int i = 0; i < count;) {
    axis.begin[axis.cells++] = i;
    const int left_in_cell = (static_cast<std::int32_t>(den) - rest + step - 1) / step;
    const int length = left_in_cell < count - i ? left_in_cell : count - i;
    for (int k = 0; k < length; ++k) remainder[i + k] = rest + k * step;
    i += length;
    rest += length * step - static_cast<std::int32_t>(den);
  }
  axis.begin[axis.cells] = row_pitch(count);
  for (int k = count; k < row_pitch(count); ++k) remainder[k] = 0;  // of samples that nobody reads
  fill_offsets(remainder, den, count, axis.offset);
}

/// The four constants of every cell, for every row of samples.
struct WideCell {
  alignas(64) float l0[kSize], lx[kSize], d0[kSize], dx[kSize];
};

/// A lattice column's share in the constants: `value` (y part) and `slope` (x part) at every row.
struct WideColumn {
  alignas(64) float value[kSize], slope[kSize];
};

/// Vectors run over rows here. One that begins in a lattice row and ends in the next is written
/// again from there on.
HWY_INLINE void fill_column(const RowWeights& weights, const WideAxis& rows, const float* gx,
                            const float* gy, WideColumn& column) {
  const F d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int r = 0; r < rows.cells; ++r) {
    const VF gx0 = hn::Set(d, gx[r]), gx1 = hn::Set(d, gx[r + 1]), gy0 = hn::Set(d, gy[r]),
             gy1 = hn::Set(d, gy[r + 1]);
    for (int j = rows.begin[r]; j < rows.begin[r + 1]; j += lanes) {
      const VF slope = hn::Add(hn::Mul(hn::LoadU(d, weights.x0 + j), gx0),
                               hn::Mul(hn::LoadU(d, weights.x1 + j), gx1));
      const VF value = hn::Add(hn::Mul(hn::LoadU(d, weights.y0 + j), gy0),
                               hn::Mul(hn::LoadU(d, weights.y1 + j), gy1));
      hn::StoreU(slope, d, column.slope + j);
      hn::StoreU(value, d, column.value + j);
    }
  }
}

/// Fills cells[0 … columns.cells - 1].
HWY_INLINE void fill_cells(const Octave& octave, const WideAxis& columns, const WideAxis& rows,
                           int height, WideCell* cells) {
  const F d;
  const U du;
  const int lanes = static_cast<int>(hn::Lanes(d));
  RowWeights weights;
  fill_weights(rows.offset, height, octave.amplitude, weights);
  LineHash row_hash, column_hash;
  for (int r = 0; r < kCellPitch; ++r)
    row_hash.set(r, octave.key_y, rows.first_cell + (r <= rows.cells ? r : 0));
  WideColumn storage[2];
  WideColumn *left = &storage[0], *right = &storage[1];
  for (int k = 0; k <= columns.cells; ++k) {
    column_hash.set(0, octave.key_x, columns.first_cell + k);
    const VU column1 = hn::Set(du, column_hash.a[0]), column2 = hn::Set(du, column_hash.b[0]);
    alignas(64) float gx[kCellPitch], gy[kCellPitch];
    for (int r = 0; r <= rows.cells; r += lanes) {
      VF x, y;
      gradient(column1, column2, hn::LoadU(du, row_hash.a + r), hn::LoadU(du, row_hash.b + r), x,
               y);
      hn::Store(x, d, gx + r);
      hn::Store(y, d, gy + r);
    }
    fill_column(weights, rows, gx, gy, *right);
    if (k > 0) {
      WideCell& cell = cells[k - 1];
      for (int j = 0; j < height; j += lanes) {
        const VF l0 = hn::Load(d, left->value + j), lx = hn::Load(d, left->slope + j);
        const VF r0 = hn::Load(d, right->value + j), rx = hn::Load(d, right->slope + j);
        hn::Store(l0, d, cell.l0 + j);
        hn::Store(lx, d, cell.lx + j);
        hn::Store(hn::Sub(hn::Sub(r0, rx), l0), d, cell.d0 + j);
        hn::Store(hn::Sub(rx, lx), d, cell.dx + j);
      }
    }
    std::swap(left, right);
  }
}

/// A cell's four constants in every lane.
struct Constants {
  VF l0, lx, d0, dx;
};

HWY_INLINE Constants constants_of(const WideCell& cell, int j) {
  const F d;
  return {hn::Set(d, cell.l0[j]), hn::Set(d, cell.lx[j]), hn::Set(d, cell.d0[j]),
          hn::Set(d, cell.dx[j])};
}

HWY_INLINE VF value_at(const Constants& c, VF fx, VF fade_x) {
  return hn::Add(hn::Add(c.l0, hn::Mul(c.lx, fx)),
                 hn::Mul(fade_x, hn::Add(c.d0, hn::Mul(c.dx, fx))));
}

/// Writes (the first octave) or adds a vector of results.
template <bool kFirst>
HWY_INLINE void deposit(VF value, float* HWY_RESTRICT out) {
  const F d;
  hn::Store(kFirst ? value : hn::Add(hn::Load(d, out), value), d, out);
}

template <bool kFirst>
void add_wide(const Octave& octave, const SampleGrid& grid, int pitch, float* HWY_RESTRICT out) {
  const F d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  WideAxis columns, rows;
  fill_wide_axis(axis_start(octave, grid.origin.x, octave.offset_x, grid.stride), octave.den,
                 grid.width, columns);
  fill_wide_axis(axis_start(octave, grid.origin.y, octave.offset_y, grid.stride), octave.den,
                 grid.height, rows);
  WideCell cells[kCells];
  fill_cells(octave, columns, rows, grid.height, cells);
  int k = 0;
  for (int i = 0; i < grid.width; i += lanes) {
    while (columns.begin[k + 1] <= i) ++k;
    const VF fx = hn::Load(d, columns.offset + i);
    const VF fade_x = fade(fx);
    const int in_cell = columns.begin[k + 1] - i;
    if (in_cell >= lanes) {
      for (int j = 0; j < grid.height; ++j) {
        deposit<kFirst>(value_at(constants_of(cells[k], j), fx, fade_x), out + j * pitch + i);
      }
    } else {  // reaches into the next cell; two cells at the most, as lanes <= kWide
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(in_cell));
      for (int j = 0; j < grid.height; ++j) {
        const Constants here = constants_of(cells[k], j), there = constants_of(cells[k + 1], j);
        const Constants both{
            hn::IfThenElse(mask, here.l0, there.l0), hn::IfThenElse(mask, here.lx, there.lx),
            hn::IfThenElse(mask, here.d0, there.d0), hn::IfThenElse(mask, here.dx, there.dx)};
        deposit<kFirst>(value_at(both, fx, fade_x), out + j * pitch + i);
      }
    }
  }
}

// ---- Octaves with narrow cells ------------------------------------------------------------------

/// Gradients of one lattice row at the left and right lattice columns of every sample.
struct NarrowRow {
  alignas(64) float left_x[kSize], left_y[kSize], right_x[kSize], right_y[kSize];
};

HWY_INLINE void fill_narrow_row(const LineHash& left, const LineHash& right, std::uint64_t key,
                                std::int64_t cell, int width, NarrowRow& row) {
  const F d;
  const U du;
  LineHash hash;
  hash.set(0, key, cell);
  const VU row1 = hn::Set(du, hash.a[0]), row2 = hn::Set(du, hash.b[0]);
  for (int i = 0; i < width; i += static_cast<int>(hn::Lanes(d))) {
    VF x, y;
    gradient(hn::LoadU(du, left.a + i), hn::LoadU(du, left.b + i), row1, row2, x, y);
    hn::Store(x, d, row.left_x + i);
    hn::Store(y, d, row.left_y + i);
    gradient(hn::LoadU(du, right.a + i), hn::LoadU(du, right.b + i), row1, row2, x, y);
    hn::Store(x, d, row.right_x + i);
    hn::Store(y, d, row.right_y + i);
  }
}

template <bool kFirst>
void add_narrow(const Octave& octave, const SampleGrid& grid, int pitch, float* HWY_RESTRICT out) {
  const F d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Axis rows, columns;
  RowWeights weights;
  fill_axis(axis_start(octave, grid.origin.y, octave.offset_y, grid.stride), octave.den,
            grid.height, rows);
  fill_weights(rows.offset, grid.height, octave.amplitude, weights);
  fill_axis(axis_start(octave, grid.origin.x, octave.offset_x, grid.stride), octave.den, grid.width,
            columns);
  LineHash left, right;
  for (int i = 0; i < row_pitch(grid.width); ++i) {
    const std::int64_t cell = columns.cell[i < grid.width ? i : grid.width - 1];
    if (i > 0 && i < grid.width && cell == columns.cell[i - 1]) {
      left.a[i] = left.a[i - 1], left.b[i] = left.b[i - 1], right.a[i] = right.a[i - 1],
      right.b[i] = right.b[i - 1];
    } else {
      left.set(i, octave.key_x, cell);
      right.set(i, octave.key_x, cell + 1);
    }
  }
  alignas(64) float fade_x[kSize];
  fill_fade(columns.offset, grid.width, fade_x);

  NarrowRow storage[2];
  NarrowRow *lower = &storage[0], *upper = &storage[1];
  for (int j = 0; j < grid.height; ++j) {
    const std::int64_t cell = rows.cell[j];
    if (j == 0 || cell > rows.cell[j - 1] + 1) {
      fill_narrow_row(left, right, octave.key_y, cell, grid.width, *lower);
      fill_narrow_row(left, right, octave.key_y, cell + 1, grid.width, *upper);
    } else if (cell == rows.cell[j - 1] + 1) {
      std::swap(lower, upper);
      fill_narrow_row(left, right, octave.key_y, cell + 1, grid.width, *upper);
    }
    const VF wx0 = hn::Set(d, weights.x0[j]), wx1 = hn::Set(d, weights.x1[j]);
    const VF wy0 = hn::Set(d, weights.y0[j]), wy1 = hn::Set(d, weights.y1[j]);
    float* HWY_RESTRICT row = out + j * pitch;
    for (int i = 0; i < grid.width; i += lanes) {
      const VF fx = hn::Load(d, columns.offset + i);
      const VF lx = hn::Add(hn::Mul(wx0, hn::Load(d, lower->left_x + i)),
                            hn::Mul(wx1, hn::Load(d, upper->left_x + i)));
      const VF l0 = hn::Add(hn::Mul(wy0, hn::Load(d, lower->left_y + i)),
                            hn::Mul(wy1, hn::Load(d, upper->left_y + i)));
      const VF rx = hn::Add(hn::Mul(wx0, hn::Load(d, lower->right_x + i)),
                            hn::Mul(wx1, hn::Load(d, upper->right_x + i)));
      const VF r0 = hn::Add(hn::Mul(wy0, hn::Load(d, lower->right_y + i)),
                            hn::Mul(wy1, hn::Load(d, upper->right_y + i)));
      const Constants constants{l0, lx, hn::Sub(hn::Sub(r0, rx), l0), hn::Sub(rx, lx)};
      deposit<kFirst>(value_at(constants, fx, hn::Load(d, fade_x + i)), row + i);
    }
  }
}

// ---- The sum ------------------------------------------------------------------------------------

/// @param pitch  floats from one row of `out` to the next
void fill_octaves(const Octave* octaves, int count, const SampleGrid& grid, int pitch,
                  float* HWY_RESTRICT out) {
  for (int o = 0; o < count; ++o) {
    const Octave& octave = octaves[o];
    const bool wide = grid.stride * octave.num * kWide <= octave.den;
    if (wide) {
      o == 0 ? add_wide<true>(octave, grid, pitch, out) : add_wide<false>(octave, grid, pitch, out);
    } else {
      o == 0 ? add_narrow<true>(octave, grid, pitch, out)
             : add_narrow<false>(octave, grid, pitch, out);
    }
  }
}

}  // namespace terrane::worldgen::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
