#include "worldgen/terrains/skyline/skyline.h"

#include <algorithm>
#include <array>

#include "worldgen/noise/hash.h"
#include "worldgen/shared_fields.h"

// Heights are integers throughout, so that walks keep their rules exactly: 1/65,536 block.

namespace terrane::worldgen {

namespace {

/// A hashed integer between two limits, both included; limits are less than 2^31 apart.
std::int64_t hashed_between(std::uint64_t hash, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(
                   ((hash >> 32) * static_cast<std::uint64_t>(high - low + 1)) >> 32);
}

HeightQ16 random_height(const SkylineTerrain& t, std::uint64_t key, std::int64_t index) {
  return hashed_between(noise::line_hash(key, index), -t.amplitude, t.amplitude);
}

// ---- Joining ------------------------------------------------------------------------------------

constexpr int kWeightBits = 30;

/// (1 - cos(pi mu)) / 2 for mu = part / whole: 1/2 + sin(pi (mu - 1/2)) / 2. The sine's Taylor
/// series, whose last term is scaled so that it is exactly 1 at a quarter turn; off by less than
/// 4e-6.
std::int64_t cosine_weight(std::int64_t part, std::int64_t whole) {
  const double s = static_cast<double>(part) / static_cast<double>(whole) - 0.5;  // in half turns
  const double s2 = s * s;
  constexpr double k1 = 3.14159265358979312, k3 = -5.16771278004997003, k5 = 2.55016403987734545,
                   k7 = -0.59926452932079208;
  constexpr double k9 = 512 * (1 - k1 / 2 - k3 / 8 - k5 / 32 - k7 / 128);
  const double sine = s * (k1 + s2 * (k3 + s2 * (k5 + s2 * (k7 + s2 * k9))));
  constexpr double kOne = 1 << kWeightBits;
  return static_cast<std::int64_t>((0.5 + 0.5 * sine) * kOne + 0.5);
}

HeightQ16 join(SkylineInterpolation how, HeightQ16 a, HeightQ16 b, std::int64_t part,
               std::int64_t whole) {
  if (how == SkylineInterpolation::kLinear) return a + floor_div((b - a) * part, whole);
  return a + (((b - a) * cosine_weight(part, whole)) >> kWeightBits);
}

// ---- Random heights -----------------------------------------------------------------------------

/// Octave z takes every 2^z-th random height. Where lattices begin is hashed: all octaves meet
/// there.
HeightQ16 superpose(const SkylineTerrain& t, std::uint64_t key, std::int64_t x, int first_octave,
                    int last_octave) {
  HeightQ16 sum = 0, weights = 0;
  for (int z = first_octave; z <= last_octave; ++z) {
    const std::int64_t spacing = t.step << z;
    const std::int64_t k = floor_div(x, spacing);
    const HeightQ16 a = random_height(t, key, k << z), b = random_height(t, key, (k + 1) << z);
    sum += join(t.interpolation, a, b, x - k * spacing, spacing) << z;
    weights += HeightQ16{1} << z;
  }
  return floor_div(sum, weights);
}

// ---- Walks --------------------------------------------------------------------------------------

/// floor(65,536 sqrt((r - 1) / r)): what share of its randomness a step keeps that is r steps away
/// from the next anchor.
constexpr auto kFreedom = [] {
  std::array<std::int64_t, SkylineTerrain::kMaxAnchorSteps + 1> table{};
  for (std::int64_t r = 1; r <= SkylineTerrain::kMaxAnchorSteps; ++r) {
    const std::int64_t square = ((r - 1) << 32) / r;
    std::int64_t root = 0;
    for (std::int64_t bit = 1 << 16; bit > 0; bit >>= 1) {
      if ((root + bit) * (root + bit) <= square) root += bit;
    }
    table[static_cast<std::size_t>(r)] = root;
  }
  return table;
}();

/// What a method makes of a step from a height that lies `away` from the baseline, on the side that
/// the step leads to.
HeightQ16 shrunk(const SkylineTerrain& t, HeightQ16 step, HeightQ16 away) {
  if (t.method == SkylineMethod::kRandomOffsets || away <= 0) return step;
  return step * std::max<HeightQ16>(t.cap - away, 0) / t.cap;
}

/// Steps that a walk can be sure of wherever it lies between baseline and anchors.
HeightQ16 sure(const SkylineTerrain& t, HeightQ16 largest) {
  return t.method == SkylineMethod::kRandomOffsets ? largest : largest / 2;
}

/// A walk from anchor to anchor, step by step. Relative to the baseline.
class Walk {
 public:
  Walk(const SkylineTerrain& terrain, std::uint64_t seed)
      : t_(terrain),
        anchors_(noise::stream_key(seed, "skyline.anchors")),
        offsets_(noise::stream_key(seed, "skyline.offsets")) {}

  /// Height after `index` steps; indices that grow cost the steps between them.
  HeightQ16 at(std::int64_t index) {
    const std::int64_t segment = floor_div(index, t_.anchor_steps);
    if (!begun_ || segment != segment_ || index < index_) begin(segment);
    while (index_ < index) advance();
    return height_;
  }

 private:
  void begin(std::int64_t segment) {
    begun_ = true;
    segment_ = segment;
    index_ = segment * t_.anchor_steps;
    height_ = random_height(t_, anchors_, segment);
    goal_ = random_height(t_, anchors_, segment + 1);
  }

  /// A random offset, drawn towards the next anchor as in a Brownian bridge, within what the method
  /// allows, and no further away than from where the anchor can be reached.
  void advance() {
    const std::int64_t left = (segment_ + 1) * t_.anchor_steps - index_;
    const std::int64_t middle = (t_.up - t_.down) / 2;
    const std::int64_t offset =
        hashed_between(noise::line_hash(offsets_, index_), -t_.down, t_.up) - middle;
    const HeightQ16 wanted =
        (goal_ - height_) / left + ((offset * kFreedom[static_cast<std::size_t>(left)]) >> 16);
    const HeightQ16 step = shrunk(t_, wanted, wanted > 0 ? height_ : -height_);
    const HeightQ16 lowest =
        std::max(-shrunk(t_, t_.down, -height_), goal_ - sure(t_, t_.up) * (left - 1) - height_);
    const HeightQ16 highest =
        std::min(shrunk(t_, t_.up, height_), goal_ + sure(t_, t_.down) * (left - 1) - height_);
    height_ += std::min(std::max(step, lowest), highest);
    ++index_;
  }

  const SkylineTerrain& t_;
  std::uint64_t anchors_, offsets_;
  bool begun_ = false;
  std::int64_t segment_ = 0, index_ = 0;
  HeightQ16 height_ = 0, goal_ = 0;
};

// ---- All methods --------------------------------------------------------------------------------

/// Heights of places with growing x.
class Heights {
 public:
  Heights(const SkylineTerrain& terrain, std::uint64_t seed)
      : t_(terrain), walk_(terrain, seed), key_(noise::stream_key(seed, "skyline.heights")) {
    const auto coarsest = static_cast<std::uint64_t>(is_walk() ? t_.step * t_.anchor_steps
                                                               : t_.step << (t_.octaves - 1));
    shift_ = static_cast<std::int64_t>(noise::stream_key(seed, "skyline.shift") % coarsest);
  }

  HeightQ16 at(std::int64_t block) {
    const std::int64_t x = block + shift_;
    if (t_.method == SkylineMethod::kSuperposed)
      return t_.baseline + superpose(t_, key_, x, 0, t_.octaves - 1);
    if (t_.method == SkylineMethod::kInterpolated)
      return t_.baseline + superpose(t_, key_, x, 0, 0);
    const std::int64_t index = floor_div(x, t_.step);
    if (!begun_ || index != index_) {
      before_ = begun_ && index == index_ + 1 ? after_ : walk_.at(index);
      after_ = walk_.at(index + 1);
      index_ = index;
      begun_ = true;
    }
    return t_.baseline +
           join(SkylineInterpolation::kLinear, before_, after_, x - index * t_.step, t_.step);
  }

 private:
  [[nodiscard]] bool is_walk() const {
    return t_.method == SkylineMethod::kRandomOffsets ||
           t_.method == SkylineMethod::kHeightDependentOffsets;
  }

  const SkylineTerrain& t_;
  Walk walk_;
  std::uint64_t key_;
  std::int64_t shift_ = 0;
  bool begun_ = false;
  // of the walk's steps on both sides of the last place, and their heights
  std::int64_t index_ = 0;
  HeightQ16 before_ = 0, after_ = 0;
};

/// To 1/16 block, halves upwards.
std::int32_t to_q4(HeightQ16 height) {
  return static_cast<std::int32_t>((height + (1 << 11)) >> 12);
}

/// Repeats the first row of a grid.
template <typename T>
void repeat_rows(std::span<T> layer, int width) {
  const auto row = layer.first(static_cast<std::size_t>(width));
  for (std::size_t at = row.size(); at < layer.size(); at += row.size())
    std::copy(row.begin(), row.end(), layer.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

bool can_reach_anchors(const SkylineTerrain& t) {
  return 2 * t.amplitude <= sure(t, std::min(t.up, t.down)) * t.anchor_steps;
}

HeightQ16 skyline_height(const SkylineTerrain& terrain, std::uint64_t seed, std::int64_t x) {
  return Heights(terrain, seed).at(x);
}

void fields(FieldArchive& archive, SkylineTerrain& t) {
  constexpr HeightQ16 kBlock = 1 << 16;
  constexpr HeightQ16 kRounding = 1;  // of each value, where a world file has just twice as much
  archive.choice("method", t.method, SkylineMethod::kSuperposed);
  archive.choice("interpolation", t.interpolation, SkylineInterpolation::kCosine);
  archive.number("step", t.step, 1, 4096);
  archive.number("baseline", t.baseline, -10000 * kBlock, 10000 * kBlock);
  archive.number("amplitude", t.amplitude, 0, 5000 * kBlock);
  archive.number("up", t.up, kBlock / 16, 100 * kBlock);
  archive.number("down", t.down, kBlock / 16, 100 * kBlock);
  archive.number("cap", t.cap, kBlock / 16, 20000 * kBlock);
  archive.number("anchor_steps", t.anchor_steps, 2, SkylineTerrain::kMaxAnchorSteps);
  archive.number("octaves", t.octaves, 1, 12);
  archive.group("climate", t.climate);
  archive.require(t.method != SkylineMethod::kHeightDependentOffsets ||
                      t.cap + kRounding >= std::max({2 * t.amplitude, t.up, t.down}),
                  "cap", "is less than twice the amplitude, up or down");
  const bool walks = t.method == SkylineMethod::kRandomOffsets ||
                     t.method == SkylineMethod::kHeightDependentOffsets;
  archive.require(!walks || can_reach_anchors(t), "anchor_steps",
                  "are too few to get from one anchor to the next");
}

std::int64_t widest_tile(const SkylineTerrain&) { return kAnyTile; }

LayerMask layers(const SkylineTerrain&) { return kCoreLayers; }

LayerRanges layer_ranges(const SkylineTerrain& t) {
  HeightQ16 away = t.amplitude;
  // A walk that rises from one anchor as long as it can still fall to the next.
  if (t.method == SkylineMethod::kRandomOffsets)
    away += t.anchor_steps * t.up / (t.up + t.down) * t.down + t.up + t.down;
  if (t.method == SkylineMethod::kHeightDependentOffsets) away = t.cap;
  return layer_ranges(t.climate, {to_q4(t.baseline - away), to_q4(t.baseline + away)});
}

void fill_terrain(const SkylineTerrain& terrain, const GridContext& context, TerrainOutput& out) {
  const noise::SampleGrid& grid = context.grid;
  const auto width = static_cast<std::size_t>(grid.width);
  Heights heights(terrain, context.seed);
  for (std::size_t i = 0; i < width; ++i) {
    out.height_q4[i] =
        to_q4(heights.at(grid.origin.x + static_cast<std::int64_t>(i) * grid.stride));
  }
  const GridContext row = context.over({{grid.origin.x, 0}, grid.stride, grid.width, 1});
  fill_climate(terrain.climate, row, out.height_q4.first(width), out.temperature_d.first(width),
               out.humidity_d.first(width));
  repeat_rows(out.height_q4, grid.width);
  repeat_rows(out.temperature_d, grid.width);
  repeat_rows(out.humidity_d, grid.width);
}

}  // namespace terrane::worldgen
