#include "cli/fetch.h"

#include <algorithm>
#include <deque>
#include <string>

#include "cli/terminal/progress.h"
#include "terrane/layers_at.h"

namespace terrane::cli {
namespace {

constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostPerRequest = 1024;
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
    auto item = stream.next();
    if (!item) return tl::unexpected(item.error());
    if (!*item) return {};
    const ChunkOrFailure& answer = **item;
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
  if (width_of(area) > kMostChunks / height_of(area)) {
    return fail(ErrorCode::kInvalidArgument, "the rectangle has more than " +
                                                 std::to_string(kMostChunks) +
                                                 " chunks: ask for less, or use a larger --lod");
  }
  return width_of(area) * height_of(area);
}

ChunkRectangle part_of(const ChunkRectangle& area, std::uint64_t first, std::uint64_t most) {
  const std::uint64_t width = width_of(area);
  const ChunkCoord from{area.first.x + static_cast<std::int64_t>(first % width),
                        area.first.y + static_cast<std::int64_t>(first / width)};
  if (width > most)
    return {from, {std::min(area.last.x, from.x + static_cast<std::int64_t>(most) - 1), from.y}};
  return {
      from,
      {area.last.x, std::min(area.last.y, from.y + static_cast<std::int64_t>(most / width) - 1)}};
}

Result<void> fetch(const Session& session, const ChunkRectangle& area, Lod lod, LayerMask layers,
                   const std::function<void(const Chunk&)>& use) {
  const auto count = count_chunks(area);
  if (!count) return tl::unexpected(count.error());
  const auto limits = session.client.limits();
  if (!limits) return tl::unexpected(limits.error());
  const std::uint64_t most =
      std::clamp<std::uint64_t>(limits->max_chunks_per_request, 1, kMostPerRequest);

  Progress progress(*count);
  std::deque<ChunkStream> under_way;
  std::uint64_t asked = 0;
  while (asked < *count || !under_way.empty()) {
    while (asked < *count && under_way.size() < kRequestsUnderWay) {
      const ChunkRectangle part = part_of(area, asked, most);
      under_way.push_back(session.client.chunks(
          {.world = session.ref, .area = part, .lod = lod, .layers = layers_at(lod, layers)}));
      asked += *count_chunks(part);
    }
    if (auto drained = drain(under_way.front(), progress, use); !drained) return drained;
    under_way.pop_front();
  }
  return {};
}

}  // namespace terrane::cli
