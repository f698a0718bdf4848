// Attacks by all calls but Explore.
#include <grpcpp/generic/generic_stub.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "drills/attacks.h"

namespace terrane::drills {
namespace {

constexpr int kStreams = 4;                // of GetChunks
constexpr int kOutstanding = 900;          // GetChunk at a time, on one connection
constexpr int kSampling = 8;               // connections that sample points
constexpr std::int64_t kPoints = 65'536;   // of one call: as many as it may have
constexpr int kSearching = 10;             // connections that search
constexpr std::uint32_t kRadius = 65'536;  // blocks: as far as a search may reach

/// Calls again and again, on a connection of its own, until the process ends.
template <typename Call>
void again_and_again(Attacker& attacker, Call call) {
  std::thread([&attacker, call] {
    const auto stub = attacker.connect();
    for (std::int64_t turn = 0;; ++turn) {
      grpc::ClientContext context;
      call(*stub, context, turn);
    }
  }).detach();
}

/// Squares of chunks of a level, as large as a request may be, `step` squares apart.
void stream_chunks(Attacker& attacker, std::uint32_t lod, std::int64_t step = 1) {
  for (int stream = 0; stream < kStreams; ++stream) {
    again_and_again(attacker, [&attacker, lod, stream, step](auto& stub, auto& context, auto turn) {
      v1::GetChunksRequest request;
      *request.mutable_world() = attacker.world();
      request.set_lod(lod);
      v1::ChunkRectangle& area = *request.mutable_rectangle();
      area.mutable_first()->set_x(32 * step * turn);
      area.mutable_first()->set_y(32 * stream);
      area.mutable_last()->set_x(32 * step * turn + 31);
      area.mutable_last()->set_y(32 * stream + 31);
      const auto reader = stub.GetChunks(&context, request);
      for (v1::GetChunksResponse batch; reader->Read(&batch);)
        attacker.done += static_cast<std::uint64_t>(batch.chunks_size());
      static_cast<void>(reader->Finish());
    });
  }
}

void cold_chunks(Attacker& attacker) { stream_chunks(attacker, 0); }
void costly_levels(Attacker& attacker) { stream_chunks(attacker, 8); }
void hot_chunks(Attacker& attacker) { stream_chunks(attacker, 0, 0); }

/// A GetChunk that is followed by another one when it is over, `step` chunks to the east.
void ask_for_chunk(Attacker& attacker, v1::WorldService::Stub& stub, std::int64_t x, std::int64_t y,
                   std::int64_t step) {
  struct Call {
    grpc::ClientContext context;
    v1::GetChunkRequest request;
    v1::GetChunkResponse response;
  };
  const auto call = std::make_shared<Call>();
  *call->request.mutable_world() = attacker.world();
  call->request.mutable_coord()->set_x(x);
  call->request.mutable_coord()->set_y(y);
  stub.async()->GetChunk(&call->context, &call->request, &call->response,
                         [&attacker, &stub, call, x, y, step](const grpc::Status&) {
                           ++attacker.done;
                           ask_for_chunk(attacker, stub, x + step, y, step);
                         });
}

void outstanding_calls(Attacker& attacker) {
  static const auto stub = attacker.connect();
  for (int call = 0; call < kOutstanding; ++call) ask_for_chunk(attacker, *stub, 0, call, 1);
}

/// The same one again and again: what costs is the calls.
void hot_calls(Attacker& attacker) {
  static const auto stub = attacker.connect();
  for (int call = 0; call < kOutstanding; ++call) ask_for_chunk(attacker, *stub, 0, 0, 0);
}

/// Calls with an empty message, of which each is followed by another one.
void call_again_and_again(Attacker& attacker, grpc::GenericStub& stub, const std::string& method) {
  struct Call {
    grpc::ClientContext context;
    grpc::ByteBuffer request{nullptr, 0}, response;
  };
  const auto call = std::make_shared<Call>();
  stub.UnaryCall(&call->context, method, grpc::StubOptions(), &call->request, &call->response,
                 [&attacker, &stub, method, call](const grpc::Status&) {
                   ++attacker.done;
                   call_again_and_again(attacker, stub, method);
                 });
}

void outstanding(Attacker& attacker, const std::string& method) {
  static grpc::GenericStub stub(connect_from(attacker.source, attacker.server));
  for (int call = 0; call < kOutstanding; ++call) call_again_and_again(attacker, stub, method);
}

void lists(Attacker& attacker) { outstanding(attacker, "/terrane.v1.WorldService/ListWorlds"); }
void refused_calls(Attacker& attacker) {
  outstanding(attacker, "/terrane.v1.WorldService/GetChunk");  // of no world
}
void unknown_methods(Attacker& attacker) {
  outstanding(attacker, "/terrane.v1.WorldService/GetEverything");
}

void sample_points(Attacker& attacker) {
  for (int client = 0; client < kSampling; ++client) {
    again_and_again(attacker, [&attacker, client](auto& stub, auto& context, auto turn) {
      v1::SamplePointsRequest request;
      *request.mutable_world() = attacker.world();
      for (std::int64_t i = 0; i < kPoints; ++i) {
        v1::BlockPos& point = *request.add_points();
        point.set_x(i * 1'000 + client);
        point.set_y(-i * 770 + turn);
      }
      v1::SamplePointsResponse response;
      ++attacker.done;
      static_cast<void>(stub.SamplePoints(&context, request, &response));
    });
  }
}

void searches(Attacker& attacker) {
  for (int client = 0; client < kSearching; ++client) {
    again_and_again(attacker, [&attacker, client](auto& stub, auto& context, auto turn) {
      v1::LocateRequest request;
      *request.mutable_world() = attacker.world();
      request.mutable_origin()->set_x(turn * 200'000);
      request.mutable_origin()->set_y(client * 200'000);
      request.set_radius(kRadius);
      request.set_biome("Glacier");
      const auto reader = stub.Locate(&context, request);
      for (v1::LocateResponse report; reader->Read(&report);) ++attacker.done;
      static_cast<void>(reader->Finish());
    });
  }
}

}  // namespace

std::vector<Attack> call_attacks() {
  return {
      {"cold_chunks", cold_chunks, "chunks"},
      {"costly_levels", costly_levels, "chunks of level 8"},
      {"hot_chunks", hot_chunks, "chunks"},
      {"outstanding_calls", outstanding_calls, "answers"},
      {"hot_calls", hot_calls, "answers"},
      {"lists", lists, "answers"},
      {"refused_calls", refused_calls, "refusals"},
      {"unknown_methods", unknown_methods, "refusals"},
      {"sample_points", sample_points, "calls"},
      {"searches", searches, "reports"},
  };
}

}  // namespace terrane::drills
