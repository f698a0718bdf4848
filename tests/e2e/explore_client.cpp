#include "e2e/explore_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace terrane::e2e {
namespace {

bool within(ChunkCoord a, ChunkCoord b, std::uint32_t radius) {
  return std::hypot(static_cast<double>(a.x - b.x), static_cast<double>(a.y - b.y)) <= radius;
}

/// A viewer and what it sees.
struct Viewer {
  const ViewDistances& distances;
  double x, y;
  int chunk_size;

  [[nodiscard]] ChunkCoord at(Lod lod) const { return tile_at(x, y, lod, chunk_size).coord; }

  /// Whether this level or finer ones show all of a tile.
  [[nodiscard]] bool shows(const Tile& tile) const {
    return within(tile.coord, at(tile.lod), distances[tile.lod]) || finer_levels_show(tile);
  }

  [[nodiscard]] bool finer_levels_show(const Tile& tile) const {
    if (tile.lod == 0) return false;
    const auto finer = static_cast<Lod>(tile.lod - 1);
    for (const std::int64_t y_of : {2 * tile.coord.y, 2 * tile.coord.y + 1}) {
      for (const std::int64_t x_of : {2 * tile.coord.x, 2 * tile.coord.x + 1}) {
        if (!shows({finer, {x_of, y_of}})) return false;
      }
    }
    return true;
  }
};

}  // namespace

v1::Hello hello(const ViewDistances& distances, double x, double y) {
  v1::Hello hello;
  *hello.mutable_world() = world_ref();
  for (const std::uint32_t distance : distances) hello.add_view_distances(distance);
  hello.add_formats(2);
  hello.mutable_move()->set_x(x);
  hello.mutable_move()->set_y(y);
  return hello;
}

Tile tile_at(double x, double y, Lod lod, int chunk_size) {
  const auto block = [](double position) {
    return static_cast<std::int64_t>(std::floor(position));
  };
  return {lod, chunk_of({block(x), block(y)}, chunk_size, lod)};
}

std::set<Tile> tiles_in_view(const ViewDistances& distances, double x, double y, int chunk_size) {
  const Viewer viewer{distances, x, y, chunk_size};
  std::set<Tile> tiles;
  for (std::size_t level = 0; level < distances.size(); ++level) {
    const auto lod = static_cast<Lod>(level);
    const auto radius = static_cast<std::int64_t>(distances[level]);
    if (radius == 0) continue;
    const ChunkCoord at = viewer.at(lod);
    for (std::int64_t ty = at.y - radius; ty <= at.y + radius; ++ty) {
      for (std::int64_t tx = at.x - radius; tx <= at.x + radius; ++tx) {
        const Tile tile{lod, {tx, ty}};
        if (within(tile.coord, at, distances[level]) && !viewer.finer_levels_show(tile))
          tiles.insert(tile);
      }
    }
  }
  return tiles;
}

double wanted_order(const Tile& tile, double x, double y, int chunk_size) {
  const double span = std::ldexp(chunk_size, tile.lod);
  const double distance = std::hypot((static_cast<double>(tile.coord.x) + 0.5) * span - x,
                                     (static_cast<double>(tile.coord.y) + 0.5) * span - y);
  if (tile.lod == 0 && distance <= 2 * span) return distance - 1e9;
  return distance * std::pow(0.7, tile.lod);
}

v1::TileBlock block(Lod lod, std::int64_t x, std::int64_t y, std::uint32_t width,
                    std::uint32_t height) {
  v1::TileBlock block;
  block.set_lod(lod);
  block.set_x(x);
  block.set_y(y);
  block.set_width(width);
  block.set_height(height);
  return block;
}

std::vector<Tile> tiles_of(const v1::TileBlock& block) {
  const std::int64_t width = std::max<std::int64_t>(block.width(), 1),
                     height = std::max<std::int64_t>(block.height(), 1);
  std::vector<Tile> tiles;
  for (std::int64_t i = 0; i < width * height; ++i) {
    const auto byte = static_cast<std::size_t>(i / 8);
    if (!block.bits().empty() && (block.bits().at(byte) >> i % 8 & 1) == 0) continue;
    tiles.push_back(
        {static_cast<Lod>(block.lod()), {block.x() + i % width, block.y() + i / width}});
  }
  return tiles;
}

v1::GetChunkRequest tile_request(const Tile& tile) { return chunk_request(tile.coord, tile.lod); }

void warm(Client& client, double x, double y, int radius) {
  const ChunkCoord at = tile_at(x, y).coord;
  constexpr std::int64_t kRows = 8;  // so that a request stays within its limit for radii up to 63
  for (std::int64_t from = at.y - radius; from <= at.y + radius; from += kRows) {
    const std::int64_t to = std::min(from + kRows - 1, at.y + radius);
    EXPECT_TRUE(
        client.chunks(rectangle_request({at.x - radius, from}, {at.x + radius, to})).status.ok());
  }
}

ExploreClient::ExploreClient(Client& client, const v1::Hello& hello, std::chrono::seconds patience,
                             const std::string& calls_for) {
  talk_ = talk_to(client, patience, calls_for);
  moves_ = hello.move().number();
  v1::ExploreRequest request;
  *request.mutable_hello() = hello;
  say(request);
}

ExploreClient::~ExploreClient() {
  if (!finished_) cancel();
}

bool ExploreClient::say(const v1::ExploreRequest& request) { return talk_->write(request); }

void ExploreClient::move(double x, double y) {
  v1::ExploreRequest request;
  request.mutable_move()->set_number(++moves_);
  request.mutable_move()->set_x(x);
  request.mutable_move()->set_y(y);
  say(request);
}

void ExploreClient::forget(const std::vector<v1::TileBlock>& blocks) {
  v1::ExploreRequest request;
  for (const v1::TileBlock& one : blocks) *request.mutable_forget()->add_tiles() = one;
  say(request);
}

bool ExploreClient::read() {
  v1::ExploreResponse response;
  if (!talk_->read(response)) return false;
  ++responses_;
  const Clock::time_point now = Clock::now();
  for (const v1::Chunk& chunk : response.chunks()) {
    const Tile tile{static_cast<Lod>(chunk.lod()), {chunk.coord().x(), chunk.coord().y()}};
    arrivals_.push_back({tile, chunk.encoded(), response.move(), now});
    held_[tile] = chunk.encoded();
    bytes_ += chunk.encoded().size();
    unacknowledged_ += chunk.encoded().size();
  }
  for (const v1::ChunkFailure& failure : response.failures())
    ADD_FAILURE() << failure.ShortDebugString();
  for (const v1::TileBlock& left : response.out_of_range()) {
    for (const Tile& tile : tiles_of(left)) out_of_range_.push_back(tile);
  }
  if (response.has_welcome()) {
    EXPECT_EQ(responses_, 1) << "a welcome comes once, and first";
    welcome_ = response.welcome();
  }
  if (response.has_go_away()) go_away_ = response.go_away();
  if (response.has_world_changed()) world_changed_ = response.world_changed();
  if (response.batch() > 0 && acknowledges_) {
    v1::ExploreRequest request;
    request.mutable_ack()->set_batch(response.batch());
    say(request);
    unacknowledged_ = 0;
  }
  return true;
}

bool ExploreClient::read_until(const std::function<bool()>& done) {
  while (!done()) {
    if (!read()) return false;
  }
  return true;
}

bool ExploreClient::read_view(const ViewDistances& distances, double x, double y) {
  std::set<Tile> missing = tiles_in_view(distances, x, y);
  for (const auto& [tile, bytes] : held_) missing.erase(tile);
  std::size_t seen = arrivals_.size();
  return read_until([&] {
    for (; seen < arrivals_.size(); ++seen) missing.erase(arrivals_[seen].tile);
    return missing.empty();
  });
}

grpc::Status ExploreClient::finish() {
  talk_->close();
  while (read()) continue;
  finished_ = true;
  return talk_->finish();
}

void ExploreClient::cancel() {
  talk_->cancel();
  finished_ = true;
}

std::multiset<Tile> ExploreClient::tiles_from(std::size_t first) const {
  std::multiset<Tile> tiles;
  for (std::size_t i = first; i < arrivals_.size(); ++i) tiles.insert(arrivals_[i].tile);
  return tiles;
}

}  // namespace terrane::e2e
