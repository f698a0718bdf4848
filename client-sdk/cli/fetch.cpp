#include "cli/fetch.h"

#include <algorithm>
#include <deque>
#include <string>

#include "cli/terminal/progress.h"
#include "terrane/layers_at.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

constexpr std::uint64_t kMaxChunks = std::uint64_t{1} << 40;
constexpr std::uint64_t kMaxPerRequest = 1024;
// the server works on the next part while this one is being read
constexpr std::size_t kRequestsUnderWay = 2;

std::uint64_t width_of(const ChunkRectangle& area) {
  return static_cast<std::uint64_t>(area.last.x - area.first.x) + 1;
}
std::uint64_t height_of(const ChunkRectangle& area) {
  return static_cast<std::uint64_t>(area.last.y - area.first.y) + 1;
}

Result<void> drain(ChunkStream& stream, Progress& progress,
                   const std::function<void(const Chunk&)>& use) {
  for (;;) {
    TERRANE_ASSIGN_OR_RETURN(auto item, stream.next());
    if (!item) return {};
    const ChunkOrFailure& answer = *item;
    if (!answer) {
      const auto& [coord, error] = answer.error();
      return fail(error.code, "chunk " + std::to_string(coord.x) + "," + std::to_string(coord.y) +
                                  ": " + error.message);
    }
    use(*answer);
    progress.step();
  }
}

}  // namespace

Result<std::uint64_t> count_chunks(const ChunkRectangle& area) {
  const std::int64_t limit = max_chunk_coord(0);
  for (const std::int64_t value : {area.first.x, area.first.y, area.last.x, area.last.y}) {
    if (value < -limit || value > limit) {
      return fail(ErrorCode::kInvalidArgument, "chunk coordinate " + std::to_string(value) +
                                                   " is outside of the world, which " + "ends at " +
                                                   std::to_string(limit) + " either way");
    }
  }
  if (area.last.x < area.first.x || area.last.y < area.first.y) {
    return fail(ErrorCode::kInvalidArgument, "--from must not exceed --to, in x and in y");
  }
  if (width_of(area) > kMaxChunks / height_of(area)) {
    return fail(ErrorCode::kInvalidArgument, "the rectangle has more than " +
                                                 std::to_string(kMaxChunks) +
                                                 " chunks: ask for less, or use a larger --lod");
  }
  return width_of(area) * height_of(area);
}

ChunkRectangle part_of(const ChunkRectangle& area, std::uint64_t first, std::uint64_t max_chunks) {
  const std::uint64_t width = width_of(area);
  const ChunkCoord from{area.first.x + static_cast<std::int64_t>(first % width),
                        area.first.y + static_cast<std::int64_t>(first / width)};
  if (width > max_chunks)
    return {from,
            {std::min(area.last.x, from.x + static_cast<std::int64_t>(max_chunks) - 1), from.y}};
  return {from,
          {area.last.x,
           std::min(area.last.y, from.y + static_cast<std::int64_t>(max_chunks / width) - 1)}};
}

Result<void> fetch(const Session& session, const ChunkRectangle& area, Lod lod, LayerMask layers,
                   const std::function<void(const Chunk&)>& use) {
  TERRANE_ASSIGN_OR_RETURN(const auto count, count_chunks(area));
  TERRANE_ASSIGN_OR_RETURN(const auto limits, session.client.limits());
  const std::uint64_t max_chunks =
      std::clamp<std::uint64_t>(limits.max_chunks_per_request, 1, kMaxPerRequest);

  Progress progress(count);
  std::deque<ChunkStream> under_way;
  std::uint64_t asked = 0;
  while (asked < count || !under_way.empty()) {
    while (asked < count && under_way.size() < kRequestsUnderWay) {
      const ChunkRectangle part = part_of(area, asked, max_chunks);
      under_way.push_back(session.client.chunks(
          {.world = session.ref, .area = part, .lod = lod, .layers = layers_at(lod, layers)}));
      asked += *count_chunks(part);
    }
    TERRANE_RETURN_IF_ERROR(drain(under_way.front(), progress, use));
    under_way.pop_front();
  }
  return {};
}

}  // namespace terrane::cli
