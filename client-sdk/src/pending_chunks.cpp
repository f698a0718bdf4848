#include "pending_chunks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::client {
namespace {

// Only bounds this process's memory: what a server takes at once (Limits) is far less, and it says
// so itself.
constexpr std::uint64_t kMaxChunks = 65536;

Result<std::vector<ChunkCoord>> chunks_of(const ChunkRectangle& area) {
  const auto [first, last] = area;
  if (last.x < first.x || last.y < first.y) {
    return fail(ErrorCode::kInvalidArgument, "rectangle: first must not exceed last in x or y");
  }
  const std::uint64_t more_x =
      static_cast<std::uint64_t>(last.x) - static_cast<std::uint64_t>(first.x);
  const std::uint64_t more_y =
      static_cast<std::uint64_t>(last.y) - static_cast<std::uint64_t>(first.y);
  if (more_x >= kMaxChunks || more_y >= kMaxChunks || (more_x + 1) * (more_y + 1) > kMaxChunks) {
    return fail(ErrorCode::kInvalidArgument,
                "rectangle: more than " + std::to_string(kMaxChunks) +
                    " chunks in one request; ask for parts of Limits::max_chunks_per_request");
  }
  std::vector<ChunkCoord> coords;
  coords.reserve((more_x + 1) * (more_y + 1));
  for (std::uint64_t x = 0; x <= more_x; ++x) {
    for (std::uint64_t y = 0; y <= more_y; ++y) {
      coords.push_back(
          {first.x + static_cast<std::int64_t>(x), first.y + static_cast<std::int64_t>(y)});
    }
  }
  return coords;
}

}  // namespace

PendingChunks::PendingChunks(std::vector<ChunkCoord> coords, ChunkCoord focus)
    : coords_(std::move(coords)), focus_(focus) {
  std::sort(coords_.begin(), coords_.end());
  coords_.erase(std::unique(coords_.begin(), coords_.end()), coords_.end());
  waiting_.assign(coords_.size(), true);
  left_ = coords_.size();
}

Result<PendingChunks> PendingChunks::of(
    const std::variant<std::vector<ChunkCoord>, ChunkRectangle>& area) {
  if (const auto* rectangle = std::get_if<ChunkRectangle>(&area)) {
    TERRANE_ASSIGN_OR_RETURN(std::vector<ChunkCoord> coords, chunks_of(*rectangle));
    const auto [first, last] = *rectangle;
    return PendingChunks(std::move(coords),
                         {first.x + (last.x - first.x) / 2, first.y + (last.y - first.y) / 2});
  }
  const auto& list = std::get<std::vector<ChunkCoord>>(area);
  if (list.empty()) return fail(ErrorCode::kInvalidArgument, "the list of chunks is empty");
  if (list.size() > kMaxChunks) {
    return fail(ErrorCode::kInvalidArgument, "the list has " + std::to_string(list.size()) +
                                                 " chunks; at most " + std::to_string(kMaxChunks) +
                                                 " go in one request");
  }
  return PendingChunks(list, list.front());
}

bool PendingChunks::contains(ChunkCoord coord) const {
  const auto at = std::lower_bound(coords_.begin(), coords_.end(), coord);
  return at != coords_.end() && *at == coord &&
         waiting_[static_cast<std::size_t>(at - coords_.begin())];
}

bool PendingChunks::take(ChunkCoord coord) {
  if (!contains(coord)) return false;
  waiting_[static_cast<std::size_t>(std::lower_bound(coords_.begin(), coords_.end(), coord) -
                                    coords_.begin())] = false;
  --left_;
  return true;
}

std::vector<ChunkCoord> PendingChunks::rest() const {
  std::vector<ChunkCoord> rest;
  rest.reserve(left_);
  for (std::size_t i = 0; i < coords_.size(); ++i) {
    if (waiting_[i]) rest.push_back(coords_[i]);
  }
  return rest;
}

}  // namespace terrane::client
