#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>

#include "call.h"
#include "explore_book.h"
#include "explore_stream.h"
#include "reconnection.h"
#include "terrane/explorer.h"

namespace terrane {

/// What the game's thread and the streams' share. Threads: one at a time, but for those of gRPC.
class Explorer::Impl {
 public:
  Impl(std::shared_ptr<const client::Connection> connection, ExploreOptions options);
  /// Waits until the streams, which are cancelled, are gone: the last user of a channel must not be
  /// a thread of gRPC, which would have to wait for itself.
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Result<void> move(const Pose& pose);
  [[nodiscard]] ExploreNews poll();
  bool wait(std::chrono::milliseconds timeout);
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const;
  [[nodiscard]] ExploreStats stats() const;

 private:
  using Clock = std::chrono::steady_clock;

  // Of the stream of that number; what comes from an earlier one is not heeded.
  [[nodiscard]] std::optional<v1::ExploreRequest> next_message(std::uint64_t stream);
  [[nodiscard]] bool receive(std::uint64_t stream, v1::ExploreResponse& response);
  [[nodiscard]] bool receive_chunk(std::uint64_t stream, v1::Chunk& message);
  void ended(std::uint64_t stream, const client::AttemptError& failure);

  void drive();
  [[nodiscard]] std::shared_ptr<client::ExploreStream> open_stream();
  void give_up(Error error);
  void lose(Error error, std::optional<std::chrono::milliseconds> pushback);
  [[nodiscard]] bool has_news() const;

  const std::shared_ptr<const client::Connection> connection_;
  const bool decode_;
  const LayerMask layers_;

  mutable std::mutex mutex_;  // guards what follows; held for moments only
  std::condition_variable changed_;
  client::ExploreBook book_;
  client::Reconnection reconnection_;
  std::minstd_rand random_;
  std::shared_ptr<client::ExploreStream> stream_;
  std::uint64_t stream_number_ = 0;
  int streams_ = 0;  // that are not gone, cancelled ones included
  ExploreState told_state_ = ExploreState::kConnecting;
  std::optional<Error> told_error_;
};

}  // namespace terrane
