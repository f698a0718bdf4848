// Attacks by streams of Explore.
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "drills/attacks.h"
#include "terrane/explore_limits.h"
#include "terrane/mutex.h"

namespace terrane::drills {
namespace {

using namespace std::chrono_literals;

constexpr int kTalkers = 4;           // streams that say all that they can
constexpr std::uint32_t kLevels = 9;  // of the world
constexpr int kFastViewers = 1000;    // on one connection
constexpr int kUnread = 2000;         // streams that are never read
constexpr int kStreamsPerConnection = 1000;
constexpr int kHellosAtATime = 64;
constexpr int kOwing = 500;  // streams that acknowledge nothing

v1::ExploreRequest hello(const Attacker& attacker, std::uint32_t distance, std::uint32_t levels,
                         double x, double y) {
  v1::ExploreRequest request;
  *request.mutable_hello()->mutable_world() = attacker.world();
  for (std::uint32_t lod = 0; lod < levels; ++lod)
    request.mutable_hello()->add_view_distances(distance);
  request.mutable_hello()->mutable_move()->set_x(x);
  request.mutable_hello()->mutable_move()->set_y(y);
  return request;
}

/// Some streams on one connection, with the largest view, each of which says these again and again
/// as fast as it is listened to, and reads what comes. One that is cut off comes back.
/// @param pinned  the world, of those that make its chunks themselves
void talk(Attacker& attacker, const std::vector<v1::ExploreRequest>& says,
          std::optional<std::uint64_t> pinned = std::nullopt) {
  static const auto stub = attacker.connect();
  for (int i = 0; i < kTalkers; ++i) {
    std::thread([&attacker, says, pinned] {
      for (;;) {
        grpc::ClientContext context;
        const auto stream = stub->Explore(&context);
        v1::ExploreRequest first = hello(attacker, kMaxViewDistance, kLevels, 0, 0);
        first.mutable_hello()->set_makes_chunks(pinned.has_value());
        if (pinned) first.mutable_hello()->mutable_world()->set_fingerprint(*pinned);
        stream->Write(first);
        std::thread reading([&stream] {
          for (v1::ExploreResponse response; stream->Read(&response);) continue;
        });
        for (std::size_t turn = 0; stream->Write(says[turn % says.size()]); ++turn) ++attacker.done;
        context.TryCancel();
        reading.join();
        static_cast<void>(stream->Finish());
      }
    }).detach();
  }
}

void far_moves(Attacker& attacker) {
  std::vector<v1::ExploreRequest> jumps(64);
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    jumps[i].mutable_move()->set_x(static_cast<double>(i) * 1e9);
    jumps[i].mutable_move()->set_y(static_cast<double>(i % 7) * -1e9);
  }
  talk(attacker, jumps);
}

/// Every other tile of all levels around a place, in whole blocks: as much as a message may name.
void add_blocks(google::protobuf::RepeatedPtrField<v1::TileBlock>& tiles, std::int64_t block_x) {
  std::string checkers(512, '\x55');
  for (std::size_t i = 0; i < checkers.size(); ++i) {
    if (i / 8 % 2 == 1) checkers[i] = '\xaa';
  }
  for (std::uint32_t lod = 0; lod < kLevels; ++lod) {
    for (const std::int64_t dy : {-64, 0}) {
      for (const std::int64_t dx : {-64, 0}) {
        v1::TileBlock& block = *tiles.Add();
        block.set_lod(lod);
        block.set_x((block_x / 64 >> lod) + dx);
        block.set_y(dy);
        block.set_width(64);
        block.set_height(64);
        block.set_bits(checkers);
      }
    }
  }
}

void full_have(Attacker& attacker) {
  std::vector<v1::ExploreRequest> claims(2);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const std::int64_t x = static_cast<std::int64_t>(i) * 1'000'000'000;
    claims[i].mutable_move()->set_x(static_cast<double>(x));
    add_blocks(*claims[i].mutable_move()->mutable_have(), x);
  }
  talk(attacker, claims);
}

void rows_of_have(Attacker& attacker) {
  std::vector<v1::ExploreRequest> claims(1);
  for (std::int64_t i = 0; i < 20'000; ++i) {
    v1::TileBlock& row = *claims[0].mutable_move()->add_have();
    row.set_x(i % 120 - 60);
    row.set_y(i / 120 % 120 - 60);
    row.set_height(2);
  }
  talk(attacker, claims);
}

void far_forgets(Attacker& attacker) {
  std::vector<v1::ExploreRequest> drops(2);
  for (std::size_t i = 0; i < drops.size(); ++i)
    add_blocks(*drops[i].mutable_forget()->mutable_tiles(),
               static_cast<std::int64_t>(i) * 1'000'000'000);
  talk(attacker, drops);
}

/// Chunks of the costliest level, each of them wrong.
void made_chunks(Attacker& attacker) {
  std::vector<v1::ExploreRequest> claims(4096);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    claims[i].mutable_made()->set_lod(kLevels - 1);
    claims[i].mutable_made()->set_x(static_cast<std::int64_t>(i) * 100);
  }
  grpc::ClientContext context;
  v1::GetWorldRequest request;
  v1::GetWorldResponse response;
  request.set_name(attacker.world().name());
  const auto found = attacker.connect()->GetWorld(&context, request, &response);
  if (!found.ok()) throw std::runtime_error(found.error_message());
  talk(attacker, claims, response.world().fingerprint());
}

/// What a viewer of a crowd does.
struct Habits {
  bool reads = true, acknowledges = true;
  bool drops = false;  // as soon as Hello is said, and comes again
};

/// One stream without a thread of its own. It deletes itself when it is over.
class Viewer final : public grpc::ClientBidiReactor<v1::ExploreRequest, v1::ExploreResponse> {
 public:
  Viewer(Attacker& attacker, v1::WorldService::Stub& stub, v1::ExploreRequest hello, Habits habits)
      : attacker_(attacker), stub_(stub), hello_(std::move(hello)), habits_(habits) {
    stub_.async()->Explore(&context_, this);
    if (!habits_.drops) AddHold();  // others may tell it to move, for ever
    say(hello_);
    if (habits_.reads) StartRead(&response_);
    StartCall();
  }

  /// Of what comes while something is being said only the last is said. Threads: any.
  void say(const v1::ExploreRequest& request) {
    const MutexLock lock(mutex_);
    (speaking_ ? next_ : said_) = request;
    waiting_ = speaking_;
    if (!std::exchange(speaking_, true)) StartWrite(&said_);
  }

  void OnWriteDone(bool ok) override {
    if (!ok) return;
    if (!habits_.reads) ++attacker_.done;
    if (habits_.drops) return context_.TryCancel();
    const MutexLock lock(mutex_);
    speaking_ = std::exchange(waiting_, false);
    if (!speaking_) return;
    said_ = next_;
    StartWrite(&said_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    if (!habits_.drops) ++attacker_.done;
    if (habits_.acknowledges && response_.batch() > 0) {
      v1::ExploreRequest request;
      request.mutable_ack()->set_batch(response_.batch());
      say(request);
    }
    StartRead(&response_);
  }

  void OnDone(const grpc::Status&) override {
    if (habits_.reads) ++attacker_.done;
    new Viewer(attacker_, stub_, std::move(hello_), habits_);
    delete this;
  }

 private:
  Attacker& attacker_;
  v1::WorldService::Stub& stub_;
  v1::ExploreRequest hello_;
  const Habits habits_;
  grpc::ClientContext context_;
  v1::ExploreResponse response_;
  Mutex mutex_;
  bool speaking_ ABSL_GUARDED_BY(mutex_) = false, waiting_ ABSL_GUARDED_BY(mutex_) = false;
  v1::ExploreRequest said_ ABSL_GUARDED_BY(mutex_), next_ ABSL_GUARDED_BY(mutex_);
};

/// So many viewers far from each other, on as few connections as they may be.
std::vector<Viewer*> crowd(Attacker& attacker, int viewers, std::uint32_t distance,
                           std::uint32_t levels, Habits habits) {
  static std::vector<std::unique_ptr<v1::WorldService::Stub>> stubs;
  std::vector<Viewer*> all;
  for (int i = 0; i < viewers; ++i) {
    if (i % kStreamsPerConnection == 0) stubs.push_back(attacker.connect());
    all.push_back(
        new Viewer(attacker, *stubs.back(), hello(attacker, distance, levels, i * 1e6, 0), habits));
  }
  return all;
}

/// At 1,000 blocks a second, ten moves of each a second.
void fast_viewers(Attacker& attacker) {
  std::thread([&attacker] {
    const auto viewers = crowd(attacker, kFastViewers, 4, 1, {});
    for (int turn = 1;; ++turn) {
      for (std::size_t i = 0; i < viewers.size(); ++i) {
        v1::ExploreRequest request;
        request.mutable_move()->set_x(static_cast<double>(i) * 1e6 + turn * 100);
        request.mutable_move()->set_velocity_x(1000);
        viewers[i]->say(request);
      }
      std::this_thread::sleep_for(100ms);
    }
  }).detach();
}

void unread_streams(Attacker& attacker) {
  std::thread([&attacker] {
    crowd(attacker, kUnread, kMaxViewDistance, kLevels, {.reads = false, .acknowledges = false});
  }).detach();
}

void withheld_acks(Attacker& attacker) {
  std::thread([&attacker] {
    crowd(attacker, kOwing, kMaxViewDistance, kLevels, {.acknowledges = false});
  }).detach();
}

void hello_flood(Attacker& attacker) {
  crowd(attacker, kHellosAtATime, kMaxViewDistance, kLevels,
        {.acknowledges = false, .drops = true});
}

}  // namespace

std::vector<Attack> explore_attacks() {
  return {
      {"far_moves", far_moves, "messages", true},
      {"full_have", full_have, "messages", true},
      {"rows_of_have", rows_of_have, "messages", true},
      {"far_forgets", far_forgets, "messages", true},
      {"made_chunks", made_chunks, "messages", true},
      {"fast_viewers", fast_viewers, "responses", true},
      {"unread_streams", unread_streams, "streams", true},
      {"withheld_acks", withheld_acks, "responses", true},
      {"hello_flood", hello_flood, "streams", true},
  };
}

}  // namespace terrane::drills
