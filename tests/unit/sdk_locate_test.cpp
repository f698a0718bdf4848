#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "sdk_scripted_client.h"

namespace terrane {
namespace {

using testing::connect_to;
using testing::kWorld;
using testing::ScriptedServer;

v1::LocateResponse progress(std::uint32_t searched) {
  v1::LocateResponse response;
  response.mutable_progress()->set_searched(searched);
  return response;
}

v1::LocateResponse nothing() {
  v1::LocateResponse response;
  response.mutable_nothing()->set_radius(100);
  return response;
}

TEST(locate, progress_comes_on_the_calling_thread_and_then_the_place) {
  ScriptedServer server;
  v1::LocateRequest seen;
  server.locate = [&](grpc::ServerContext&, const v1::LocateRequest& request,
                      ScriptedServer::LocateWriter& writer) {
    seen = request;
    writer.Write(progress(1000));
    writer.Write(progress(2000));
    v1::LocateResponse found;
    found.mutable_found()->mutable_block()->set_x(-5);
    found.mutable_found()->set_distance(2100.5);
    found.mutable_found()->set_biome(9);
    writer.Write(found);
    return grpc::Status::OK;
  };
  std::vector<std::uint32_t> told;
  const auto caller = std::this_thread::get_id();
  const auto place = connect_to(server).locate(
      {.world = kWorld, .target = BiomeNamed{"Desert"}, .origin = {3, -4}, .radius = 5000},
      [&](std::uint32_t searched) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        told.push_back(searched);
      });
  ASSERT_TRUE(place && *place) << (place ? "nothing" : place.error().message);
  EXPECT_EQ((*place)->block, (BlockPos{-5, 0}));
  EXPECT_EQ((*place)->distance, 2100.5);
  EXPECT_EQ((*place)->biome, 9);
  EXPECT_FALSE((*place)->structure);
  EXPECT_EQ(told, (std::vector<std::uint32_t>{1000, 2000}));
  EXPECT_EQ(seen.biome(), "Desert");
  EXPECT_EQ(seen.origin().y(), -4);
  EXPECT_EQ(seen.radius(), 5000u);
  EXPECT_EQ(seen.world().fingerprint(), 7u);
}

TEST(locate, nothing_within_the_radius_is_no_error_and_the_radius_is_told) {
  ScriptedServer server;
  server.locate = [](grpc::ServerContext&, const v1::LocateRequest& request,
                     ScriptedServer::LocateWriter& writer) {
    EXPECT_EQ(request.structure(), "ruin");
    writer.Write(nothing());
    return grpc::Status::OK;
  };
  std::uint32_t radius = 0;
  const auto place = connect_to(server).locate({.world = kWorld, .target = StructureNamed{"ruin"}},
                                               [&](std::uint32_t searched) { radius = searched; });
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_FALSE(*place);
  EXPECT_EQ(radius, 100u);
}

TEST(locate, stopping_ends_a_search_that_would_go_on_for_ever) {
  ScriptedServer server;
  server.locate = [](grpc::ServerContext& context, const v1::LocateRequest&,
                     ScriptedServer::LocateWriter& writer) {
    for (std::uint32_t i = 1; !context.IsCancelled() && writer.Write(progress(i)); ++i)
      std::this_thread::yield();
    return grpc::Status::OK;
  };
  std::stop_source stop;
  const auto place = connect_to(server).locate(
      {.world = kWorld, .target = BiomeNamed{"Desert"}},
      [&](std::uint32_t) { stop.request_stop(); }, stop.get_token());
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().code, ErrorCode::kCancelled);
}

TEST(locate, a_server_that_goes_away_is_asked_again) {
  ScriptedServer server;
  int calls = 0;
  server.locate = [&](grpc::ServerContext&, const v1::LocateRequest&,
                      ScriptedServer::LocateWriter& writer) {
    writer.Write(progress(1));
    if (++calls < 3) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining");
    writer.Write(nothing());
    return grpc::Status::OK;
  };
  EXPECT_TRUE(connect_to(server).locate({.world = kWorld, .target = BiomeNamed{"Desert"}}));
  EXPECT_EQ(calls, 3);
}

TEST(locate, an_end_without_an_answer_or_with_another_thing_is_data_loss) {
  ScriptedServer server;
  bool answer = false;
  server.locate = [&](grpc::ServerContext&, const v1::LocateRequest&,
                      ScriptedServer::LocateWriter& writer) {
    v1::LocateResponse found;
    found.mutable_found()->mutable_structure()->set_kind(1);
    if (answer) writer.Write(found);
    return grpc::Status::OK;
  };
  for (const bool value : {false, true}) {
    answer = value;
    const auto place = connect_to(server).locate({.world = kWorld, .target = BiomeNamed{"Desert"}});
    ASSERT_FALSE(place);
    EXPECT_EQ(place.error().code, ErrorCode::kDataLoss);
  }
}

TEST(structure, its_rooms_come_with_what_they_belong_to) {
  ScriptedServer server;
  server.get_structure = [](const v1::GetStructureRequest& request,
                            v1::GetStructureResponse& response) {
    *response.mutable_structure()->mutable_anchor() = request.anchor();
    response.mutable_structure()->set_kind(2);
    response.mutable_structure()->set_rooms(1);
    v1::Room& room = *response.add_rooms();
    room.mutable_corner()->set_x(11);
    room.set_floor(-48);
    room.set_turn(request.anchor().x() == 10 ? 3 : 4);
    room.set_open_doors(5);
    return grpc::Status::OK;
  };
  const auto plan = connect_to(server).structure(kWorld, {10, 20});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->structure.anchor, (BlockPos{10, 20}));
  ASSERT_EQ(plan->rooms.size(), 1u);
  EXPECT_EQ(plan->rooms[0], (Room{.corner = {11, 0},
                                  .floor_q4 = -48,
                                  .structure = {10, 20},
                                  .index = 0,
                                  .kind = 2,
                                  .piece = 0,
                                  .turn = 3,
                                  .open_doors = 5}));
  const auto twisted = connect_to(server).structure(kWorld, {9, 20});
  ASSERT_FALSE(twisted);
  EXPECT_EQ(twisted.error().code, ErrorCode::kDataLoss);
}

TEST(structure, a_world_tells_its_kinds_with_their_pieces_and_doors) {
  ScriptedServer server;
  const auto world = connect_to(server).world("classic");
  ASSERT_TRUE(world) << world.error().message;
  ASSERT_EQ(world->placement_kinds.size(), 1u);
  EXPECT_EQ(world->placement_kinds[0].name, "oak");
  ASSERT_EQ(world->structure_kinds.size(), 1u);
  const Piece& hall = world->structure_kinds[0].pieces.at(0);
  EXPECT_EQ(hall.name, "hall");
  EXPECT_EQ(hall.width, 5);
  EXPECT_EQ(hall.doors.at(0).side, Side::kMaxX);
  EXPECT_EQ(hall.doors.at(0).at, 2);
}

}  // namespace
}  // namespace terrane
