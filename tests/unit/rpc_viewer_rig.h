#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rpc/streams/viewer.h"
#include "rpc_explore_rig.h"

namespace terrane::rpc {

using namespace std::chrono_literals;

inline constexpr std::size_t kChunkBytes = 1000;
inline constexpr std::size_t kMaxRequestBytes = 262'144;

/// One viewer, on virtual time: the test is its client and its pipeline.
class viewer : public testing::Test {
 protected:
  void start(std::uint32_t distance) {
    viewer_.emplace(*check(right_hello(distance), builtin()), pace_, kMaxRequestBytes, 1, now_);
    ASSERT_TRUE(move(0, 0));
  }

  bool move(double x, double y, const std::vector<Tile>& have = {}) {
    v1::Move message;
    message.set_number(++moves_);
    message.set_x(x);
    message.set_y(y);
    add_blocks(have, *message.mutable_have());
    if (viewer_->has_much_to_tell()) return false;
    auto stops = viewer_->move(*check(message, *builtin().at("perlin")), message.number(), now_);
    for (auto& stop : stops) stop.request_stop();
    return take({TileList::Kind::kHave, message.have()}) > 0;
  }

  /// @return in how many slices; 0: it was refused
  int take(TileList list) {
    int slices = 1;
    for (; !list.is_done(); ++slices) {
      auto stops = viewer_->take_slice(list);
      if (!stops) return 0;
      for (auto& stop : *stops) stop.request_stop();
    }
    return slices;
  }

  std::vector<Viewer::Ask> ask() { return viewer_->asks(now_); }

  void answer(const Viewer::Ask& ask, std::size_t bytes = kChunkBytes) {
    viewer_->answer(ask.id, std::make_shared<const std::string>(bytes, 'x'), now_);
  }
  void refuse(const Viewer::Ask& ask, ErrorCode code) {
    viewer_->answer(ask.id, tl::unexpected<Error>(Error{code, "no"}), now_);
  }

  v1::ExploreResponse write() {
    const Viewer::Batch batch = viewer_->take_batch(now_);
    if (batch.waited_underfoot) waits_.push_back(*batch.waited_underfoot);
    v1::ExploreResponse response;
    EXPECT_TRUE(response.ParseFromString(batch.wire));
    EXPECT_EQ(static_cast<std::size_t>(response.chunks_size()), batch.chunks);
    return response;
  }

  void acknowledge(const v1::ExploreResponse& response) {
    if (response.batch() == 0) return;
    v1::Ack ack;
    ack.set_batch(response.batch());
    EXPECT_TRUE(viewer_->acknowledge(ack, now_));
  }

  /// Answers, writes and acknowledges until nothing is left to do; what came, in order.
  std::vector<Tile> run() {
    std::vector<Tile> came;
    for (;;) {
      const auto asks = ask();
      for (const auto& one : asks) answer(one);
      if (asks.empty() && !viewer_->worth_a_write(now_)) return came;
      if (!viewer_->worth_a_write(now_)) continue;
      const auto response = write();
      for (const auto& chunk : response.chunks())
        came.push_back({static_cast<Lod>(chunk.lod()), {chunk.coord().x(), chunk.coord().y()}});
      now_ += 1ms;
      acknowledge(response);
    }
  }

  ExplorePace pace_;
  Viewer::Clock::time_point now_{};
  std::optional<Viewer> viewer_;
  std::uint64_t moves_ = 0;
  std::vector<Viewer::Clock::duration> waits_;  // for the chunk underfoot
};

}  // namespace terrane::rpc
