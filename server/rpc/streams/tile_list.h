#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "rpc/checks/explore_check.h"

namespace terrane::rpc {

/// A list of tiles that a client has sent and that is dealt with in slices: it may name all that
/// can be in range of any viewer, and nobody else is to wait for that. Viewer::take_slice goes
/// through it.
struct TileList {
  enum class Kind : std::uint8_t { kHave, kForget };

  TileList(Kind of, TileBlocks list) : kind(of), blocks(std::move(list)) {}

  [[nodiscard]] bool is_done() const { return next == blocks.size(); }
  [[nodiscard]] const char* field() const {
    return kind == Kind::kHave ? "move.have" : "forget.tiles";
  }

  Kind kind;
  TileBlocks blocks;
  int next = 0;           // block
  std::uint32_t row = 0;  // of that block
  std::size_t tiles = 0;  // named by the blocks up to there
};

}  // namespace terrane::rpc
