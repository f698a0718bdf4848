#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worldgen/samples.h"

namespace terrane::worldgen {

/// Boxes of blocks that can be asked which of them meet another: a packed tree, each of whose nodes
/// bounds up to 16 that follow each other in the order of G. M. Morton, "A computer oriented
/// geodetic data base" (1966). Immutable; threads: any.
class BoxIndex {
 public:
  BoxIndex() = default;
  /// @param boxes  none of them empty
  explicit BoxIndex(std::span<const BlockArea> boxes);

  /// The indices of all boxes that meet an area, ascending. Takes no memory where there are none.
  [[nodiscard]] std::vector<std::uint32_t> meeting(const BlockArea& area) const;

 private:
  void visit(std::size_t level, std::size_t node, const BlockArea& area,
             std::vector<std::uint32_t>& found) const;

  std::vector<std::uint32_t> order_;            // of the boxes
  std::vector<std::vector<BlockArea>> levels_;  // the boxes in that order, those bounding them, ...
};

}  // namespace terrane::worldgen
