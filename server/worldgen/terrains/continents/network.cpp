#include "worldgen/terrains/continents/network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "worldgen/terrains/continents/network_courses.h"
#include "worldgen/terrains/continents/network_nodes.h"
#include "worldgen/terrains/continents/network_swings.h"

namespace terrane::worldgen::continents {

namespace {

/// Cells around a rectangle whose nodes decide about it: whose courses may cross its own, where
/// those drain, and what flows to them.
int deciding_rings(const NetworkKey& key) {
  return kCrossing + meeting_rings(key) + kDrainRings + kAreaSteps;
}
/// Cells around it for which it is asked how steep the land is: where courses that may cross its
/// own drain to, and where those go on to that they are led aside to.
constexpr int kSteep = kCrossing + 3;
/// Cells of the coarser level around those in which courses may begin that such nodes know.
constexpr int kCoarserRings = 3;

CellRect grown(const CellRect& cells, int rings) {
  return {cells.x - rings, cells.y - rings, cells.width + 2 * rings, cells.height + 2 * rings};
}

/// The cells of the level before that hold these, in whole groups, so that neighbours share them.
CellRect coarser_cells(const CellRect& cells) {
  constexpr int kGroup = 2;
  const auto group = [](std::int64_t cell) {
    return floor_div(floor_div(cell, kRefinement), kGroup) * kGroup;
  };
  const std::int64_t left = group(cells.x - kRefinement * kCoarserRings);
  const std::int64_t top = group(cells.y - kRefinement * kCoarserRings);
  const std::int64_t right = group(cells.x + cells.width + kRefinement * kCoarserRings);
  const std::int64_t bottom = group(cells.y + cells.height + kRefinement * kCoarserRings);
  return {left, top, static_cast<int>(right - left) + kGroup,
          static_cast<int>(bottom - top) + kGroup};
}

/// The node of the cell that a block lies in, if that is one of the nodes.
std::optional<std::size_t> node_at(const LevelNodes& nodes, std::int64_t x, std::int64_t y) {
  const std::int64_t i = floor_div(x, nodes.spacing) - nodes.cells.x;
  const std::int64_t j = floor_div(y, nodes.spacing) - nodes.cells.y;
  if (i < 0 || j < 0 || i >= nodes.cells.width || j >= nodes.cells.height) return std::nullopt;
  return static_cast<std::size_t>(nodes.at(static_cast<int>(i), static_cast<int>(j)));
}

bool holds(const CellRect& cells, std::int64_t spacing, std::int64_t x, std::int64_t y) {
  const std::int64_t i = floor_div(x, spacing) - cells.x, j = floor_div(y, spacing) - cells.y;
  return i >= 0 && j >= 0 && i < cells.width && j < cells.height;
}

/// The network before in pieces, which swing as they may: right for what courses of the key's cells
/// join and meet.
Coarser in_pieces(const NetworkKey& key, Network network) {
  Coarser out;
  out.pieces.reserve(network.courses.size() * kRefinement);
  for (const Course& course : network.courses)
    for (int k = 0; k < kRefinement; ++k) out.pieces.push_back(piece_of(course, k));
  for (const Course& course : network.courses)
    out.ends.push_back({course.x + course.dx, course.y + course.dy, course.is_last ? 2 : 1});
  std::sort(out.ends.begin(), out.ends.end(),
            [](const Coarser::End& a, const Coarser::End& b) { return a.x < b.x; });
  out.network = std::move(network);
  if (key.level + 1 != key.drainage.levels || key.rivers.width <= 0) return out;
  // Cells around: courses that may cross the key's, or that these end in, come to pieces, which
  // begin as far away as they are long, and so do those that these meet.
  const std::int64_t spacing = key.drainage.spacing;
  const float meeting = furthest_meeting(key.rivers) / static_cast<float>(spacing);
  const CellRect around =
      grown(key.cells, kCrossing + meeting_rings(key) +
                           static_cast<int>(std::ceil(3.0f * kLongestCourse + 2.0f * meeting)));
  std::vector<std::size_t> which;
  std::vector<Course> nearby;
  for (std::size_t k = 0; k < out.pieces.size(); ++k) {
    const Course& piece = out.pieces[k];
    if (!holds(around, spacing, piece.x, piece.y) &&
        !holds(around, spacing, piece.x + piece.dx, piece.y + piece.dy))
      continue;
    which.push_back(k);
    nearby.push_back(piece);
  }
  calm_pairs(key, nearby);
  for (std::size_t k = 0; k < which.size(); ++k) out.pieces[which[k]] = nearby[k];
  return out;
}

void add_pieces(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                Network& out) {
  for (std::size_t c = 0; c < coarser.network.courses.size(); ++c) {
    const Course& course = coarser.network.courses[c];
    for (int k = 0; k < kRefinement; ++k) {
      Course piece = coarser.pieces_of(static_cast<std::int32_t>(c))[static_cast<std::size_t>(k)];
      if (!holds(key.cells, nodes.spacing, piece.x, piece.y)) continue;
      const auto from = node_at(nodes, piece.x, piece.y);
      if (nodes.inland[*from] <= 0 || piece.level <= 0 || (piece.dx == 0 && piece.dy == 0))
        continue;
      const auto to = node_at(nodes, piece.x + piece.dx, piece.y + piece.dy);
      if (to && nodes.inland[*to] <= 0)  // its mouth
        piece.fall = std::min(nodes.level[*to], piece.level) - piece.level;
      if (course.is_head && k == 0) {
        const int width = nodes.cells.width, at = static_cast<int>(*from);
        const float area = area_into_head(nodes, static_cast<int>(c), at % width, at / width);
        if (course.missing <= 0) {
          piece.missing = piece.found = std::max(piece.area - area, 0.0f);
        } else {
          const float here = std::min(area, piece.found);
          piece.missing -= here, piece.found -= here;
        }
        piece.is_head = piece.missing > 0;
      }
      out.courses.push_back(piece);
    }
  }
  for (const LakeSite& lake : coarser.network.lakes)
    if (holds(key.cells, nodes.spacing, lake.x, lake.y)) out.lakes.push_back(lake);
}

Network make_network(const NetworkKey& key, const GridContext& context) {
  const int rings = deciding_rings(key) + sea_rings(key);
  Coarser coarser;
  if (key.level > 0) {
    NetworkKey before = key;
    before.level = key.level - 1;
    before.cells = coarser_cells(grown(key.cells, deciding_rings(key)));
    coarser = in_pieces(key, network_in(before, context));
  }
  context.stop_if_abandoned();
  LevelNodes nodes = place_level(key, grown(key.cells, rings), grown(key.cells, kSteep), context);
  context.stop_if_abandoned();
  drain_level(key, coarser.network, nodes);
  Network out;
  add_courses(key, coarser, nodes, context, out.courses);
  for (int j = 0; j < key.cells.height; ++j) {
    for (int i = 0; i < key.cells.width; ++i) {
      const auto k = static_cast<std::size_t>(nodes.at(i + rings, j + rings));
      if (nodes.lake[k] > 0)
        out.lakes.push_back({nodes.x[k], nodes.y[k], nodes.lake[k], nodes.level[k]});
    }
  }
  if (key.level > 0) add_pieces(key, coarser, nodes, out);
  return out;
}

/// A key with its network; keeps parameters by value, as a world may go and another come at its
/// address.
struct Entry {
  Land land;
  Drainage drainage;
  Rivers rivers;
  Relief relief;
  std::uint64_t seed = 0;
  int level = 0;
  CellRect cells;  // of no width: empty
  Network network;

  [[nodiscard]] bool is_of(const NetworkKey& key, std::uint64_t its_seed) const {
    return level == key.level && seed == its_seed && rivers == key.rivers &&
           drainage == key.drainage && relief == key.relief && land == key.land;
  }
  [[nodiscard]] bool is_for(const NetworkKey& key, std::uint64_t its_seed) const {
    return cells == key.cells && is_of(key, its_seed);
  }
  [[nodiscard]] bool covers(const CellRect& part) const {
    return part.x >= cells.x && part.y >= cells.y && part.x + part.width <= cells.x + cells.width &&
           part.y + part.height <= cells.y + cells.height;
  }
};

/// What of a network lies in a part of its cells.
Network part_of(const Entry& whole, const CellRect& cells) {
  const std::int64_t spacing = spacing_of(whole.drainage, whole.level);
  const auto lies_within = [&](const auto& item) { return holds(cells, spacing, item.x, item.y); };
  Network out;
  std::copy_if(whole.network.courses.begin(), whole.network.courses.end(),
               std::back_inserter(out.courses), lies_within);
  std::copy_if(whole.network.lakes.begin(), whole.network.lakes.end(),
               std::back_inserter(out.lakes), lies_within);
  return out;
}

// of a level: as much as the chunks around a few dozen players need
constexpr std::size_t kEntries = 32;
// cells: rectangles of coarse levels of detail are wider, and seldom asked for twice
constexpr int kWidestKept = 28;

/// The networks of a level that a thread remembers.
struct Shelf {
  std::array<std::unique_ptr<Entry>, kEntries> entries;
  std::array<std::uint64_t, kEntries> used{};  // when each was asked for last
  std::unique_ptr<Entry> wide;                 // the last one
  std::uint64_t now = 0;

  /// The network of exactly these cells. Null: none.
  [[nodiscard]] const Entry* find(const NetworkKey& key, std::uint64_t seed) {
    for (std::size_t k = 0; k < kEntries; ++k) {
      if (!entries[k] || !entries[k]->is_for(key, seed)) continue;
      used[k] = ++now;
      return entries[k].get();
    }
    return wide && wide->is_for(key, seed) ? wide.get() : nullptr;
  }
  /// The network of cells around those asked for: that of a chunk, while it is asked what stands
  /// on its land. Null: none.
  [[nodiscard]] const Entry* around(const NetworkKey& key, std::uint64_t seed) const {
    const auto holds_it = [&](const std::unique_ptr<Entry>& entry) {
      return entry && entry->covers(key.cells) && entry->is_of(key, seed);
    };
    if (holds_it(wide)) return wide.get();
    const auto found = std::find_if(entries.begin(), entries.end(), holds_it);
    return found != entries.end() ? found->get() : nullptr;
  }
  /// In the place of the one that nobody has asked for for longest.
  const Entry& keep(std::unique_ptr<Entry> made) {
    if (made->cells.width > kWidestKept || made->cells.height > kWidestKept)
      return *(wide = std::move(made));
    const auto oldest =
        static_cast<std::size_t>(std::min_element(used.begin(), used.end()) - used.begin());
    used[oldest] = ++now;
    return *(entries[oldest] = std::move(made));
  }
};

}  // namespace

const Network& network_in(const NetworkKey& key, const GridContext& context) {
  thread_local std::vector<Shelf> shelves;  // of each level
  const auto level = static_cast<std::size_t>(key.level);
  if (shelves.size() <= level) shelves.resize(level + 1);
  if (const Entry* const found = shelves[level].find(key, context.seed)) return found->network;
  const Entry* const around = shelves[level].around(key, context.seed);
  Network network = around ? part_of(*around, key.cells) : make_network(key, context);
  return shelves[level]
      .keep(std::make_unique<Entry>(Entry{key.land, key.drainage, key.rivers, key.relief,
                                          context.seed, key.level, key.cells, std::move(network)}))
      .network;
}

}  // namespace terrane::worldgen::continents
