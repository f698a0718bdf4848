#include <algorithm>
#include <cmath>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "explore/tile_blocks.h"

namespace terrane::e2e {
namespace {

constexpr double kX = 1000.5, kY = -2000.25;

/// Whatever carries the streams, they are the same.
class explore : public ::testing::TestWithParam<Over> {
 protected:
  explore() {
    if (GetParam() == Over::kWebSocket) server_.client.explore_over(server_.process.http_address());
  }

  [[nodiscard]] std::string bytes_of(const Tile& tile) {
    return server_.client.chunk(tile_request(tile));
  }

  const TempDirectory data_;
  RunningServer server_{data_};
};

/// Every tile of a view, once each.
std::multiset<Tile> once_each(const std::set<Tile>& tiles) { return {tiles.begin(), tiles.end()}; }

std::vector<Tile> sorted(std::vector<Tile> tiles) {
  std::sort(tiles.begin(), tiles.end());
  return tiles;
}

TEST_P(explore, the_server_says_what_it_will_send) {
  ExploreClient viewer(server_.client, hello({2}, kX, kY));
  ASSERT_TRUE(viewer.read());
  ASSERT_TRUE(viewer.welcome());
  v1::GetWorldRequest request;
  request.set_name(kWorld);
  v1::GetWorldResponse response;
  ASSERT_TRUE(server_.client.stub().GetWorld(bounded().get(), request, &response).ok());
  EXPECT_EQ(viewer.welcome()->fingerprint(), response.world().fingerprint());
  EXPECT_EQ(viewer.welcome()->chunk_size(), 64u);
  EXPECT_EQ(viewer.welcome()->format(), 2u);
  EXPECT_GT(viewer.welcome()->heartbeat_ms(), 0u);
}

TEST_P(explore, all_tiles_of_a_view_come_once_and_are_what_get_chunk_says) {
  for (const ViewDistances& distances :
       {ViewDistances{4}, ViewDistances{4, 4, 3}, ViewDistances{0, 0, 2}}) {
    ExploreClient viewer(server_.client, hello(distances, kX, kY));
    ASSERT_TRUE(viewer.read_view(distances, kX, kY));
    EXPECT_TRUE(viewer.finish().ok());
    EXPECT_EQ(viewer.tiles_from(0), once_each(tiles_in_view(distances, kX, kY)));
    for (const auto& [tile, encoded] : viewer.held()) EXPECT_TRUE(encoded == bytes_of(tile));
  }
}

TEST_P(explore, the_chunk_underfoot_comes_first_and_what_is_near_before_what_is_far) {
  warm(server_.client, kX, kY, 12);
  ExploreClient viewer(server_.client, hello({12}, kX, kY));
  ASSERT_TRUE(viewer.read_view({12}, kX, kY));
  EXPECT_EQ(viewer.arrivals().front().tile, tile_at(kX, kY));
  std::vector<double> order;
  for (const auto& arrival : viewer.arrivals()) order.push_back(wanted_order(arrival.tile, kX, kY));
  std::vector<double> best = order;
  std::sort(best.begin(), best.end());
  // Some are looked up at a time, and those may overtake each other.
  for (std::size_t i = 64; i < order.size(); ++i)
    EXPECT_GE(order[i], best[i - 64]) << "the " << i << "th comes too early";
}

TEST_P(explore, of_a_cold_view_the_chunk_underfoot_is_among_the_first) {
  ExploreClient viewer(server_.client, hello({16}, kX, kY));
  ASSERT_TRUE(viewer.read_until([&] { return viewer.held().contains(tile_at(kX, kY)); }));
  // of some 800; whoever makes it may lose its processor for a moment, and others go on meanwhile
  EXPECT_LE(viewer.arrivals().size(), 32u);
}

TEST_P(explore, what_a_viewer_looks_at_comes_before_what_is_behind_it) {
  warm(server_.client, kX, kY, 16);
  v1::Hello looks_east = hello({16}, kX, kY);
  looks_east.mutable_move()->set_direction_x(3);
  ExploreClient viewer(server_.client, looks_east);
  ASSERT_TRUE(viewer.read_view({16}, kX, kY));
  const Tile here = tile_at(kX, kY), ahead{0, {here.coord.x + 12, here.coord.y}},
             behind{0, {here.coord.x - 6, here.coord.y}};
  const auto at = [&](const Tile& wanted) {
    const auto& all = viewer.arrivals();
    return std::find_if(all.begin(), all.end(),
                        [&](const auto& arrival) { return arrival.tile == wanted; }) -
           all.begin();
  };
  EXPECT_LT(at(ahead), at(behind));
  EXPECT_LE(at(here), 8);
}

TEST_P(explore, chunks_have_only_the_layers_asked_for) {
  v1::Hello heights = hello({1}, kX, kY);
  heights.add_layers(v1::LAYER_HEIGHT);
  ExploreClient viewer(server_.client, heights);
  ASSERT_TRUE(viewer.read_view({1}, kX, kY));
  for (const auto& [tile, encoded] : viewer.held()) {
    v1::GetChunkRequest request = tile_request(tile);
    request.add_layers(v1::LAYER_HEIGHT);
    EXPECT_TRUE(encoded == server_.client.chunk(request));
  }
}

TEST_P(explore, a_viewer_on_its_way_gets_what_comes_into_view_and_is_told_what_leaves) {
  constexpr int kRadius = 5, kSteps = 12;
  ExploreClient viewer(server_.client, hello({kRadius}, kX, kY));
  ASSERT_TRUE(viewer.read_view({kRadius}, kX, kY));
  std::set<Tile> wanted = tiles_in_view({kRadius}, kX, kY);
  std::vector<Tile> left;
  for (int step = 1; step <= kSteps; ++step) {
    const double x = kX + 64.0 * step;
    viewer.move(x, kY);
    wanted.merge(tiles_in_view({kRadius}, x, kY));
    ASSERT_TRUE(viewer.read_view({kRadius}, x, kY));
  }
  const double end = kX + 64.0 * kSteps;
  EXPECT_EQ(viewer.tiles_from(0), once_each(wanted)) << "nothing that is in range is sent again";
  const ChunkCoord at = tile_at(end, kY).coord;
  for (const Tile& tile : wanted) {
    const double distance = std::hypot(static_cast<double>(tile.coord.x - at.x),
                                       static_cast<double>(tile.coord.y - at.y));
    if (distance > kRadius + 2) left.push_back(tile);
  }
  ASSERT_TRUE(viewer.read_until([&] { return viewer.out_of_range().size() >= left.size(); }));
  EXPECT_EQ(sorted(viewer.out_of_range()), left) << "once each";
}

TEST_P(explore, what_left_is_sent_again_when_the_viewer_comes_back) {
  ExploreClient viewer(server_.client, hello({3}, kX, kY));
  ASSERT_TRUE(viewer.read_view({3}, kX, kY));
  viewer.move(kX + 6400, kY);
  ASSERT_TRUE(viewer.read_view({3}, kX + 6400, kY));
  const std::size_t before = viewer.arrivals().size();
  const std::set<Tile> home = tiles_in_view({3}, kX, kY);
  viewer.move(kX, kY);
  ASSERT_TRUE(viewer.read_until([&] { return viewer.arrivals().size() >= before + home.size(); }));
  EXPECT_EQ(viewer.tiles_from(before), once_each(home));
  EXPECT_EQ(viewer.out_of_range().size(), 2 * home.size());
}

TEST_P(explore, what_a_client_has_is_not_sent) {
  const std::set<Tile> view = tiles_in_view({4, 3}, kX, kY);
  std::set<Tile> wanted;
  v1::Hello has_some = hello({4, 3}, kX, kY);
  for (const Tile& tile : view) {
    if (tile.coord.y % 2 != 0 || tile.lod != 0) {
      wanted.insert(tile);
    } else {
      *has_some.mutable_move()->add_have() = block(tile.lod, tile.coord.x, tile.coord.y);
    }
  }
  // out of range: counts for nothing
  *has_some.mutable_move()->add_have() = block(0, 1'000'000, 0, 64, 64);
  ExploreClient viewer(server_.client, has_some);
  ASSERT_TRUE(viewer.read_until([&] { return viewer.arrivals().size() >= wanted.size(); }));
  EXPECT_TRUE(viewer.finish().ok());
  EXPECT_EQ(viewer.tiles_from(0), once_each(wanted));
}

TEST_P(explore, who_comes_back_with_every_other_chunk_of_a_wide_view_gets_the_rest_alone) {
  const ViewDistances wide{64, 64, 64, 64};
  v1::Hello has_half = hello(wide, kX, kY);
  std::set<Tile> rest;
  for (const Tile& tile : tiles_in_view(wide, kX, kY)) {
    // all coarse ones, and of the finest level a checkerboard but for the middle
    const ChunkCoord at = tile_at(kX, kY).coord;
    const bool is_near = std::abs(tile.coord.x - at.x) <= 3 && std::abs(tile.coord.y - at.y) <= 3;
    if (tile.lod == 0 && is_near && (tile.coord.x + tile.coord.y) % 2 != 0) {
      rest.insert(tile);
    } else {
      *has_half.mutable_move()->add_have() = block(tile.lod, tile.coord.x, tile.coord.y);
    }
  }
  EXPECT_GT(has_half.move().have_size(), 40'000);
  EXPECT_GT(has_half.ByteSizeLong(), 262'144u) << "too long in this form ...";
  ExploreClient refused(server_.client, has_half);
  EXPECT_FALSE(refused.read_until([] { return false; }));
  EXPECT_EQ(refused.finish().error_code(), grpc::INVALID_ARGUMENT);
  std::vector<Tile> held;
  for (const v1::TileBlock& one : has_half.move().have()) held.push_back(tiles_of(one).front());
  has_half.mutable_move()->clear_have();
  for (const terrane::explore::TileBlock& from : terrane::explore::to_blocks(held)) {
    v1::TileBlock& one = *has_half.mutable_move()->add_have();
    one = block(static_cast<Lod>(from.lod), from.x, from.y, from.width, from.height);
    one.set_bits(from.bits);
  }
  EXPECT_LT(has_half.ByteSizeLong(), 16'384u) << "... but not in that of to_blocks()";
  ExploreClient viewer(server_.client, has_half);
  ASSERT_TRUE(viewer.read_until([&] { return viewer.arrivals().size() >= rest.size(); }));
  EXPECT_TRUE(viewer.finish().ok());
  EXPECT_EQ(viewer.tiles_from(0), once_each(rest));
}

TEST_P(explore, blocks_name_many_tiles) {
  const ChunkCoord at = tile_at(kX, kY).coord;
  v1::Hello has_block = hello({4}, kX, kY);
  *has_block.mutable_move()->add_have() = block(0, at.x - 4, at.y, 9);
  ExploreClient viewer(server_.client, has_block);
  const std::size_t rest = tiles_in_view({4}, kX, kY).size() - 9;
  ASSERT_TRUE(viewer.read_until([&] { return viewer.arrivals().size() >= rest; }));
  EXPECT_TRUE(viewer.finish().ok());
  EXPECT_EQ(viewer.arrivals().size(), rest);
  for (const auto& arrival : viewer.arrivals()) EXPECT_NE(arrival.tile.coord.y, at.y);
}

TEST_P(explore, what_a_client_forgot_is_sent_again) {
  ExploreClient viewer(server_.client, hello({3}, kX, kY));
  ASSERT_TRUE(viewer.read_view({3}, kX, kY));
  const std::size_t before = viewer.arrivals().size();
  const ChunkCoord at = tile_at(kX, kY).coord;
  viewer.forget({block(0, at.x - 1, at.y, 3), block(0, at.x, at.y + 1), block(0, at.x + 50, at.y)});
  ASSERT_TRUE(viewer.read_until([&] { return viewer.arrivals().size() >= before + 4; }));
  EXPECT_TRUE(viewer.finish().ok());
  EXPECT_EQ(viewer.tiles_from(before),
            (std::multiset<Tile>{
                {0, {at.x - 1, at.y}}, {0, at}, {0, {at.x + 1, at.y}}, {0, {at.x, at.y + 1}}}));
}

TEST_P(explore, after_a_jump_into_the_unknown_the_chunk_underfoot_comes_before_the_rest) {
  ExploreClient viewer(server_.client, hello({16}, kX, kY));
  for (int jump = 1; jump <= 8; ++jump) {
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(viewer.read());
    const double x = kX + 64'000.0 * jump;
    viewer.move(x, kY);
    ASSERT_TRUE(viewer.read_until([&] { return viewer.held().contains(tile_at(x, kY)); }));
    const std::set<Tile> view = tiles_in_view({16}, x, kY);
    const auto new_ones =
        std::count_if(viewer.arrivals().begin(), viewer.arrivals().end(),
                      [&](const auto& arrival) { return view.contains(arrival.tile); });
    EXPECT_LE(new_ones, 24) << "of hundreds, at the " << jump << "th jump";
  }
}

TEST_P(explore, the_edge_of_the_world_is_a_view_cut_off) {
  const double edge = std::ldexp(64, 40);  // the last chunk's first block
  ExploreClient viewer(server_.client, hello({2}, edge, 0));
  std::set<Tile> wanted;
  for (const Tile& tile : tiles_in_view({2}, edge, 0)) {
    if (tile.coord.x <= max_chunk_coord(0)) wanted.insert(tile);
  }
  ASSERT_TRUE(viewer.read_until([&] { return viewer.arrivals().size() >= wanted.size(); }));
  EXPECT_TRUE(viewer.finish().ok());
  EXPECT_EQ(viewer.tiles_from(0), once_each(wanted));
}

TEST_P(explore, many_viewers_share_one_connection) {
  std::vector<std::unique_ptr<ExploreClient>> viewers(50);
  for (int i = 0; i < 50; ++i) {
    viewers[static_cast<std::size_t>(i)] =
        std::make_unique<ExploreClient>(server_.client, hello({3}, i * 300, i * 70));
  }
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(viewers[static_cast<std::size_t>(i)]->read_view({3}, i * 300, i * 70)) << i;
  for (const auto& viewer : viewers) EXPECT_TRUE(viewer->finish().ok());
  server_.stop_cleanly();
}

INSTANTIATE_TEST_SUITE_P(over, explore, ::testing::Values(Over::kGrpc, Over::kWebSocket),
                         name_of_carrier);

}  // namespace
}  // namespace terrane::e2e
