#include <gtest/gtest.h>

#include <latch>
#include <set>
#include <thread>

#include "codec/container.h"
#include "sdk_scripted_client.h"

namespace terrane {
namespace {

using testing::connect_to;
using testing::example_chunk;
using testing::fill;
using testing::ScriptedServer;

const WorldRef kAnyBuild{"classic", 1, {}};
const ChunkRectangle kSquare{{-1, -1}, {1, 1}};

/// What a whole stream gave.
struct Outcome {
  std::multiset<ChunkCoord> chunks;
  std::vector<ChunkFailure> failures;
  std::optional<Error> error;
};

Outcome read_all(ChunkStream& stream) {
  Outcome outcome;
  for (;;) {
    const auto item = stream.next();
    if (!item) outcome.error = item.error();
    if (!item || !*item) return outcome;
    if (!**item) {
      outcome.failures.push_back((*item)->error());
    } else {
      EXPECT_EQ(***item, example_chunk((**item)->coord));
      outcome.chunks.insert((**item)->coord);
    }
  }
}

void write(ScriptedServer::ChunksWriter& writer, const std::vector<ChunkCoord>& coords) {
  v1::GetChunksResponse response;
  for (const ChunkCoord coord : coords) fill(*response.add_chunks(), coord);
  writer.Write(response);
}

void write_failure(ScriptedServer::ChunksWriter& writer, ChunkCoord coord, grpc::StatusCode code) {
  v1::GetChunksResponse response;
  auto* failure = response.add_failures();
  failure->mutable_coord()->set_x(coord.x);
  failure->mutable_coord()->set_y(coord.y);
  failure->set_code(code);
  failure->set_message("no luck");
  writer.Write(response);
}

std::vector<ChunkCoord> list_of(const v1::GetChunksRequest& request) {
  std::vector<ChunkCoord> coords;
  for (const auto& coord : request.list().coords()) coords.push_back({coord.x(), coord.y()});
  return coords;
}

TEST(chunk_stream, a_rectangle_arrives_whole_and_then_ends) {
  ScriptedServer server;
  v1::GetChunksRequest seen;
  server.get_chunks = [&](grpc::ServerContext&, const v1::GetChunksRequest& request,
                          ScriptedServer::ChunksWriter& writer) {
    seen = request;
    write(writer, {{0, 0}, {1, 0}, {-1, 0}});
    write(writer, {{0, 1}, {1, 1}, {-1, 1}, {0, -1}, {1, -1}, {-1, -1}});
    return grpc::Status::OK;
  };
  auto stream = connect_to(server).chunks({.world = kAnyBuild, .area = kSquare});
  const Outcome outcome = read_all(stream);
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(outcome.chunks.size(), 9u);
  EXPECT_EQ(seen.rectangle().first().x(), -1);
  EXPECT_EQ(seen.focus().x(), 0);
  ASSERT_EQ(seen.formats_size(), 1);
  EXPECT_EQ(seen.formats(0), codec::kFormatVersion)
      << "the server must not send what can't be read";
  EXPECT_TRUE(stream.next() && !*stream.next()) << "the end stays the end";
}

TEST(chunk_stream, after_a_break_only_what_has_not_arrived_is_asked_for) {
  ScriptedServer server;
  std::vector<v1::GetChunksRequest> requests;
  server.get_chunks = [&](grpc::ServerContext&, const v1::GetChunksRequest& request,
                          ScriptedServer::ChunksWriter& writer) {
    requests.push_back(request);
    if (requests.size() == 1) {
      write(writer, {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {1, 1}, {-1, 1}});
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining");
    }
    write(writer, list_of(request));
    return grpc::Status::OK;
  };
  auto stream = connect_to(server).chunks({.world = kAnyBuild, .area = kSquare});
  const Outcome outcome = read_all(stream);
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(outcome.chunks.size(), 9u);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(list_of(requests[1]), (std::vector<ChunkCoord>{{-1, -1}, {0, -1}, {1, -1}}));
  EXPECT_EQ(requests[1].focus().y(), 0) << "the focus stays where it was";
}

TEST(chunk_stream, a_chunk_that_failed_for_good_leaves_the_others_alone) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    write_failure(writer, {5, 5}, grpc::StatusCode::OUT_OF_RANGE);
    write(writer, {{6, 5}});
    return grpc::Status::OK;
  };
  auto stream = connect_to(server).chunks(
      {.world = kAnyBuild, .area = std::vector<ChunkCoord>{{5, 5}, {6, 5}, {6, 5}}});
  const Outcome outcome = read_all(stream);
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(outcome.chunks.size(), 1u);
  ASSERT_EQ(outcome.failures.size(), 1u);
  EXPECT_EQ(outcome.failures[0].coord, (ChunkCoord{5, 5}));
  EXPECT_EQ(outcome.failures[0].error.code, ErrorCode::kOutOfRange);
}

TEST(chunk_stream, a_chunk_whose_generator_failed_is_asked_for_once_more) {
  ScriptedServer server;
  int calls = 0;
  server.get_chunks = [&](grpc::ServerContext&, const v1::GetChunksRequest&,
                          ScriptedServer::ChunksWriter& writer) {
    if (++calls == 1) write(writer, {{0, 0}});
    write_failure(writer, {1, 0}, grpc::StatusCode::INTERNAL);
    return grpc::Status::OK;
  };
  auto stream =
      connect_to(server).chunks({.world = kAnyBuild, .area = ChunkRectangle{{0, 0}, {1, 0}}});
  const Outcome outcome = read_all(stream);
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(outcome.chunks.size(), 1u);
  ASSERT_EQ(outcome.failures.size(), 1u);
  EXPECT_EQ(outcome.failures[0].error.code, ErrorCode::kInternal);
}

TEST(chunk_stream, a_chunk_that_was_not_asked_for_ends_the_stream) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    write(writer, {{7, 7}});
    return grpc::Status::OK;
  };
  auto stream = connect_to(server).chunks({.world = kAnyBuild, .area = kSquare});
  const Outcome outcome = read_all(stream);
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kDataLoss);
}

TEST(chunk_stream, a_chunk_that_comes_twice_ends_the_stream) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    write(writer, {{0, 0}, {0, 0}});
    return grpc::Status::OK;
  };
  auto stream = connect_to(server).chunks({.world = kAnyBuild, .area = kSquare});
  const Outcome outcome = read_all(stream);
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kDataLoss);
}

TEST(chunk_stream, a_damaged_chunk_is_a_failure_of_its_own) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    v1::GetChunksResponse response;
    fill(*response.add_chunks(), {0, 0});
    response.mutable_chunks(0)->mutable_encoded()->back() ^= 1;
    fill(*response.add_chunks(), {1, 0});
    writer.Write(response);
    return grpc::Status::OK;
  };
  auto stream =
      connect_to(server).chunks({.world = kAnyBuild, .area = ChunkRectangle{{0, 0}, {1, 0}}});
  const Outcome outcome = read_all(stream);
  EXPECT_FALSE(outcome.error);
  EXPECT_EQ(outcome.chunks.size(), 1u);
  ASSERT_EQ(outcome.failures.size(), 1u);
  EXPECT_EQ(outcome.failures[0].error.code, ErrorCode::kDataLoss);
}

TEST(chunk_stream, requests_that_make_no_sense_are_refused_by_the_first_next) {
  ScriptedServer server;
  const Client client = connect_to(server);
  const std::vector<std::variant<std::vector<ChunkCoord>, ChunkRectangle>> areas{
      std::vector<ChunkCoord>{}, ChunkRectangle{{1, 0}, {0, 0}},
      ChunkRectangle{{std::numeric_limits<std::int64_t>::min(), 0},
                     {std::numeric_limits<std::int64_t>::max(), 0}}};
  for (const auto& area : areas) {
    auto stream = client.chunks({.world = kAnyBuild, .area = area});
    const auto item = stream.next();
    ASSERT_FALSE(item);
    EXPECT_EQ(item.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(chunk_stream, destroying_the_stream_cancels_the_work) {
  ScriptedServer server;
  std::latch cancelled(1);
  server.get_chunks = [&](grpc::ServerContext& context, const v1::GetChunksRequest&,
                          ScriptedServer::ChunksWriter& writer) {
    write(writer, {{0, 0}});
    while (!context.IsCancelled()) std::this_thread::yield();
    cancelled.count_down();
    return grpc::Status::CANCELLED;
  };
  {
    auto stream = connect_to(server).chunks({.world = kAnyBuild, .area = kSquare});
    ASSERT_TRUE(stream.next());
  }
  cancelled.wait();
}

TEST(chunk_stream, cancel_wakes_a_reader_that_waits) {
  ScriptedServer server;
  std::latch asked(1);
  server.get_chunks = [&](grpc::ServerContext& context, const v1::GetChunksRequest&,
                          ScriptedServer::ChunksWriter&) {
    asked.count_down();
    while (!context.IsCancelled()) std::this_thread::yield();
    return grpc::Status::CANCELLED;
  };
  auto stream = connect_to(server).chunks({.world = kAnyBuild, .area = kSquare});
  std::jthread other([&] {
    asked.wait();
    stream.cancel();
  });
  const auto item = stream.next();
  ASSERT_FALSE(item);
  EXPECT_EQ(item.error().code, ErrorCode::kCancelled);
}

TEST(stream, encoded_chunks_are_the_servers_bytes_and_decode_to_the_chunk) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    write(writer, {{0, 0}, {1, 0}});
    write_failure(writer, {2, 0}, grpc::StatusCode::OUT_OF_RANGE);
    return grpc::Status::OK;
  };
  const Client client = connect_to(server);
  auto stream = client.chunks({.world = kAnyBuild, .area = ChunkRectangle{{0, 0}, {2, 0}}});
  for (const ChunkCoord coord : {ChunkCoord{0, 0}, ChunkCoord{1, 0}}) {
    const auto item = stream.next_encoded();
    ASSERT_TRUE(item && *item && **item);
    EXPECT_EQ((**item)->coord, coord);
    EXPECT_EQ((**item)->bytes, codec::encode(example_chunk(coord)));
    EXPECT_EQ(decode(***item).value(), example_chunk(coord));
  }
  const auto failure = stream.next_encoded();
  ASSERT_TRUE(failure && *failure && !**failure);
  EXPECT_EQ((*failure)->error().coord, (ChunkCoord{2, 0}));
  const auto end = stream.next_encoded();
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
}

TEST(stream, encoded_chunks_are_passed_on_even_when_they_would_not_decode) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    v1::GetChunksResponse response;
    response.add_chunks()->set_encoded("of a later format");
    writer.Write(response);
    return grpc::Status::OK;
  };
  const Client client = connect_to(server);
  auto stream = client.chunks({.world = kAnyBuild, .area = std::vector<ChunkCoord>{{0, 0}}});
  const auto item = stream.next_encoded();
  ASSERT_TRUE(item && *item && **item);
  EXPECT_EQ((**item)->bytes, "of a later format");
  EXPECT_EQ(decode(***item).error().code, ErrorCode::kDataLoss);
}

TEST(stream, encoded_and_decoded_chunks_may_be_taken_in_turn) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    write(writer, {{0, 0}, {1, 0}});
    return grpc::Status::OK;
  };
  const Client client = connect_to(server);
  auto stream = client.chunks({.world = kAnyBuild, .area = ChunkRectangle{{0, 0}, {1, 0}}});
  const auto bytes = stream.next_encoded();
  ASSERT_TRUE(bytes && *bytes && **bytes);
  const auto chunk = stream.next();
  ASSERT_TRUE(chunk && *chunk && **chunk);
  EXPECT_EQ(***chunk, example_chunk({1, 0}));
}

}  // namespace
}  // namespace terrane
