#include "drills/victims.h"

#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <map>
#include <thread>
#include <utility>

#include "drills/attacks.h"
#include "terrane/mutex.h"

namespace terrane::drills {
namespace {

using namespace std::chrono_literals;

using Place = std::pair<std::int64_t, std::int64_t>;

constexpr int kRow = 256;           // chunks of a GetChunks
constexpr double kSpeed = 100;      // of the flight: blocks a second
constexpr std::uint32_t kView = 6;  // of the flight: chunks
constexpr double kChunkSize = 64;
constexpr int kPoints = 10;  // of a SamplePoints, ten times a second

std::unique_ptr<grpc::ClientContext> patient() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + 20s);
  return context;
}

void stream_cold_chunks(Life& life) {
  for (std::int64_t row = 0; !life.enough; ++row) {
    v1::GetChunksRequest request;
    *request.mutable_world() = life.world();
    request.mutable_rectangle()->mutable_first()->set_y(row);
    request.mutable_rectangle()->mutable_last()->set_y(row);
    request.mutable_rectangle()->mutable_last()->set_x(kRow - 1);
    const auto asked = Clock::now();
    const auto context = patient();
    const auto reader = life.stub->GetChunks(context.get(), request);
    v1::GetChunksResponse batch;
    while (!life.enough && reader->Read(&batch))
      life.had += static_cast<std::uint64_t>(batch.chunks_size());
    if (life.enough) context->TryCancel();
    const grpc::Status status = reader->Finish();
    if (!life.enough) life.note(status, asked, 0);
  }
}

/// A viewer who flies straight ahead, and how long each chunk underfoot was not there.
class Flight {
 public:
  explicit Flight(Life& life)
      : life_(life), context_(patient()), stream_(life.stub->Explore(context_.get())) {}

  void fly() {
    std::thread reading([this] { read(); });
    v1::ExploreRequest hello;
    *hello.mutable_hello()->mutable_world() = life_.world();
    hello.mutable_hello()->add_view_distances(kView);
    set_place(*hello.mutable_hello()->mutable_move(), 0);
    const auto start = Clock::now();
    entered_.emplace(Place(0, 0), start);
    say(hello);
    while (!life_.enough) {
      std::this_thread::sleep_for(10ms);  // a player moves when they move
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      v1::ExploreRequest request;
      set_place(*request.mutable_move(), kSpeed * seconds);
      const auto chunk = static_cast<std::int64_t>(request.move().x() / kChunkSize);
      entered_.emplace(Place(chunk, chunk), Clock::now());
      say(request);
    }
    const auto end = Clock::now();
    context_->TryCancel();
    reading.join();
    const grpc::Status status = stream_->Finish();
    if (status.error_code() != grpc::CANCELLED) life_.note(status, start, 0);
    for (const auto& [place, when] : entered_) {
      const auto came = came_.find(place);
      const auto there = came == came_.end() ? end : came->second;
      life_.waits.add(std::max(Clock::duration(0), there - when));
    }
  }

 private:
  /// Along the diagonal, through the corners of chunks.
  static void set_place(v1::Move& move, double way) {
    const double along = way / std::sqrt(2.0);
    move.set_x(along + 1);
    move.set_y(along + 1);
    move.set_velocity_x(kSpeed / std::sqrt(2.0));
    move.set_velocity_y(kSpeed / std::sqrt(2.0));
  }

  void say(const v1::ExploreRequest& request) {
    const MutexLock lock(speaking_);
    stream_->Write(request);
  }

  void read() {
    for (v1::ExploreResponse response; stream_->Read(&response);) {
      const auto now = Clock::now();
      for (const v1::Chunk& chunk : response.chunks())
        came_.emplace(Place(chunk.coord().x(), chunk.coord().y()), now);
      life_.had += static_cast<std::uint64_t>(response.chunks_size());
      if (response.batch() == 0) continue;
      v1::ExploreRequest request;
      request.mutable_ack()->set_batch(response.batch());
      say(request);
    }
  }

  Life& life_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ExploreRequest, v1::ExploreResponse>> stream_;
  Mutex speaking_;
  std::map<Place, Clock::time_point> entered_;
  std::map<Place, Clock::time_point> came_;  // the reading thread's until it is over
};

void fly(Life& life) { Flight(life).fly(); }

void sample_points(Life& life) {
  const auto start = Clock::now();
  for (std::int64_t turn = 0; !life.enough; ++turn) {
    v1::SamplePointsRequest request;
    *request.mutable_world() = life.world();
    for (std::int64_t i = 0; i < kPoints; ++i) {
      v1::BlockPos& point = *request.add_points();
      point.set_x(i * 100'000);
      point.set_y(turn * 5'000);
    }
    const auto asked = Clock::now();
    v1::SamplePointsResponse response;
    life.note(life.stub->SamplePoints(patient().get(), request, &response), asked, kPoints);
    // when they are due, without catching up on those that were late
    const auto late = (Clock::now() - start) % 100ms;
    std::this_thread::sleep_for(100ms - late);
  }
}

/// A unary call of an empty message.
grpc::Status call(grpc::GenericStub& stub, const std::string& method) {
  const auto context = patient();
  const grpc::ByteBuffer empty(nullptr, 0);
  grpc::ByteBuffer answer;
  std::promise<grpc::Status> ended;
  stub.UnaryCall(context.get(), method, grpc::StubOptions(), &empty, &answer,
                 [&](const grpc::Status& status) { ended.set_value(status); });
  return ended.get_future().get();
}

void list_worlds_and_check_health(Life& life) {
  grpc::GenericStub stub(life.channel);
  while (!life.enough) {
    for (const char* method :
         {"/terrane.v1.WorldService/ListWorlds", "/grpc.health.v1.Health/Check"}) {
      const auto asked = Clock::now();
      life.note(call(stub, method), asked, 1);
    }
    std::this_thread::sleep_for(5ms);  // others want to know at times
  }
}

}  // namespace

void Life::note(const grpc::Status& status, Clock::time_point asked, std::uint64_t units) {
  waits.add(Clock::now() - asked);
  if (status.ok()) {
    had += units;
    return;
  }
  ++failed;
  failure = status.error_message();
}

v1::WorldRef Life::world() const {
  v1::WorldRef ref;
  ref.set_name("classic");  // whose chunks cost the same everywhere
  ref.set_seed(seed);
  return ref;
}

const std::vector<Victim>& victims() {
  static const std::vector<Victim> kVictims{
      {"cold GetChunks", "chunks/s", stream_cold_chunks, true, true, 0, false},
      {"flight", "chunks/s", fly, false, false, 100, true},
      {"points", "points/s", sample_points, false, true, 0, true},
      {"ListWorlds, health", "calls/s", list_worlds_and_check_health, false, false, 50, true},
  };
  return kVictims;
}

std::vector<Had> live(const std::string& server, const std::string& network, std::uint64_t seed,
                      Clock::duration time) {
  std::atomic<bool> enough = false;
  std::deque<Life> lives;
  std::vector<std::thread> threads;
  for (const Victim& victim : victims()) {
    const std::string source = network + std::to_string(lives.size() + 1);
    lives.emplace_back(connect_from(source, server), seed + lives.size(), enough);
    threads.emplace_back([&victim, &life = lives.back()] { victim.live(life); });
  }
  const auto start = Clock::now();
  std::this_thread::sleep_for(time);
  enough = true;
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (std::thread& thread : threads) thread.join();
  std::vector<Had> all;
  all.reserve(lives.size());
  for (const Life& life : lives)
    all.push_back({static_cast<double>(life.had) / seconds, life.waits.quantile_ms(0.99),
                   life.failed, life.failure});
  return all;
}

}  // namespace terrane::drills
