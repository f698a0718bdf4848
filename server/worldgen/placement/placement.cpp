#include "worldgen/placement/placement.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "worldgen/noise/hash.h"

namespace terrane::worldgen {

namespace {

/// A block where something could stand. Of two that are too near to each other, that with the
/// higher hash stays: a hard-core process after B. Matern, "Spatial variation" (1960), his second
/// kind.
struct Candidate {
  std::uint64_t hash = 0;
  std::int32_t x = 0, y = 0;  // blocks from the chunk's origin
};

/// Cells along one axis that matter to a chunk: those that it touches, and one more at both ends.
struct CellRange {
  std::int64_t first = 0;
  int count = 0;
};

CellRange cells_along(std::int64_t origin, int size, int cell) {
  const std::int64_t first = floor_div(origin, cell) - 1;
  return {first, static_cast<int>(floor_div(origin + size - 1, cell) + 2 - first)};
}

constexpr int kMaxCells = kMaxChunkSize / 2 + 3;  // along one axis

/// The candidates of the cells around a chunk, row after row.
class Candidates {
 public:
  Candidates(const PlacementRules& rules, std::uint64_t key, BlockPos origin, int size)
      : x_(cells_along(origin.x, size, rules.cell)),
        y_(cells_along(origin.y, size, rules.cell)),
        distance_(rules.distance) {
    std::array<std::uint64_t, kMaxCells> columns;
    const std::uint64_t column_key = noise::combine(key, 1), row_key = noise::combine(key, 2);
    for (int i = 0; i < x_.count; ++i)
      columns[static_cast<std::size_t>(i)] = noise::line_hash(column_key, x_.first + i);
    all_.resize(static_cast<std::size_t>(x_.count) * static_cast<std::size_t>(y_.count));
    const auto within = [&](std::uint64_t bits) {
      return static_cast<std::int32_t>((bits & 0xffff) * static_cast<std::uint64_t>(rules.cell) >>
                                       16);
    };
    Candidate* to = all_.data();
    for (int j = 0; j < y_.count; ++j) {
      const std::uint64_t row = noise::line_hash(row_key, y_.first + j);
      const auto y = static_cast<std::int32_t>((y_.first + j) * rules.cell - origin.y);
      for (int i = 0; i < x_.count; ++i, ++to) {
        const std::uint64_t hash = noise::mix64(columns[static_cast<std::size_t>(i)] + row);
        const auto x = static_cast<std::int32_t>((x_.first + i) * rules.cell - origin.x);
        *to = {hash, x + within(hash), y + within(hash >> 16)};
      }
    }
  }

  /// Calls `visit` with every candidate that stays, ring of outer cells apart.
  template <typename Visit>
  void visit(Visit visit) const {
    for (int j = 1; j + 1 < y_.count; ++j) {
      for (int i = 1; i + 1 < x_.count; ++i) {
        if (stays(i, j)) visit(at(i, j));
      }
    }
  }

 private:
  [[nodiscard]] const Candidate& at(int i, int j) const {
    return all_[static_cast<std::size_t>(j * x_.count + i)];
  }

  /// The distance is no longer than a cell, so none but the eight cells around can hold a rival.
  [[nodiscard]] bool stays(int i, int j) const {
    const Candidate& own = at(i, j);
    for (int dj = -1; dj <= 1; ++dj) {
      for (int di = -1; di <= 1; ++di) {
        const Candidate& other = at(i + di, j + dj);
        const std::int32_t dx = other.x - own.x, dy = other.y - own.y;
        if (dx * dx + dy * dy >= distance_ * distance_) continue;
        // Position decides between equal hashes, so that just one of the two stays.
        if (std::tie(other.hash, other.y, other.x) > std::tie(own.hash, own.y, own.x)) return false;
      }
    }
    return true;
  }

  CellRange x_, y_;
  int distance_;
  std::vector<Candidate> all_;
};

/// How much the ground rises within the square of 4 blocks around a block, 1/16 block. The square
/// is anchored at the world's origin, so every chunk that holds the block holds all of it.
std::int32_t unevenness_at(const Chunk& chunk, std::int32_t x, std::int32_t y) {
  const std::int32_t* corner = chunk.height_q4.data() + (y & ~3) * chunk.size + (x & ~3);
  std::int32_t low = *corner, high = *corner;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      low = std::min(low, corner[j * chunk.size + i]);
      high = std::max(high, corner[j * chunk.size + i]);
    }
  }
  return high - low;
}

/// Three blocks along the steepest direction of such a square.
bool is_too_steep(const DensityRule& rule, std::int32_t unevenness_q4) {
  return unevenness_q4 * 100 > 3 * 16 * rule.steep_p;
}

std::uint8_t choose_kind(const std::vector<KindShare>& shares, std::uint64_t bits) {
  const auto chosen = static_cast<std::uint32_t>(bits % shares.back().up_to);
  for (const KindShare& share : shares) {
    if (chosen < share.up_to) return share.kind;
  }
  return shares.back().kind;
}

}  // namespace

void fill_placements(const PlacementRules& rules, std::uint64_t seed, Chunk& chunk) {
  const BlockPos origin = chunk_origin(chunk.coord, chunk.size, 0);
  const Candidates candidates(rules, noise::stream_key(seed, "placements"), origin, chunk.size);
  candidates.visit([&](const Candidate& candidate) {
    if (candidate.x < 0 || candidate.y < 0 || candidate.x >= chunk.size ||
        candidate.y >= chunk.size)
      return;
    const auto at = static_cast<std::size_t>(candidate.y * chunk.size + candidate.x);
    const std::int32_t forest = chunk.forest_p[at], rocks = chunk.rocks_p[at];
    if (forest + rocks == 0) return;
    // the hash itself is biased: it has won
    std::uint64_t bits = noise::mix64(candidate.hash ^ 0x6a09e667f3bcc909u);
    const auto percent = static_cast<std::int32_t>((bits & 0xffff) * 100 >> 16);
    const bool is_tree = percent < forest;
    if (!is_tree && 99 - percent >= rocks) return;
    const auto& shares = (is_tree ? rules.trees : rules.boulders)[chunk.biome[at]];
    if (shares.empty()) return;
    if (is_too_steep(is_tree ? rules.forest : rules.rocks,
                     unevenness_at(chunk, candidate.x, candidate.y)))
      return;
    const std::uint8_t kind = choose_kind(shares, bits >> 32);
    bits = noise::mix64(bits);
    const ScaleRange scale = rules.scales[kind];
    chunk.placements.push_back(
        {{origin.x + candidate.x, origin.y + candidate.y},
         kind,
         static_cast<std::uint8_t>(bits),
         static_cast<std::uint8_t>(scale.low + (bits >> 32) % (scale.high - scale.low + 1u))});
  });
  std::sort(chunk.placements.begin(), chunk.placements.end(),
            [](const Placement& a, const Placement& b) {
              return std::tie(a.anchor.y, a.anchor.x) < std::tie(b.anchor.y, b.anchor.x);
            });
}

}  // namespace terrane::worldgen
