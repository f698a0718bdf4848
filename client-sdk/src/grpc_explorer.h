#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "call.h"
#include "explore_client.h"
#include "explore_stream.h"
#include "explorer_impl.h"
#include "terrane/explorer.h"
#include "terrane/mutex.h"

namespace terrane::client {

/// An Explorer over gRPC: what the game's thread and the streams' share.
class GrpcExplorer final : public Explorer::Impl {
 public:
  GrpcExplorer(std::shared_ptr<const Connection> connection, ExploreOptions options);

  Result<void> move(const Pose& pose) override;
  [[nodiscard]] ExploreNews poll() override;
  bool wait(std::chrono::milliseconds timeout) override;
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const override;
  [[nodiscard]] ExploreStats stats() const override;

  /// Cancels the stream and waits until all are gone: the last user of a channel must not be a
  /// thread of gRPC, which would have to wait for itself. Blocks: kGoodbye at most, should gRPC
  /// forget a cancelled call, or somebody's TokenProvider not return.
  /// @return false when a stream or the errand is not gone, or this is a child process, which has
  ///   no threads of gRPC
  [[nodiscard]] bool close() override;

 private:
  using Clock = std::chrono::steady_clock;

  // Of the stream of that number; what comes from an earlier one counts for nothing.
  [[nodiscard]] std::optional<std::string> next_message(std::uint64_t stream)
      ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] ExploreStream::Next receive(std::uint64_t stream, std::string_view bytes)
      ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] bool take_in(std::uint64_t stream, const ExploreClient::ReceivedChunk& chunk)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void ended(std::uint64_t stream, const AttemptError& failure) ABSL_LOCKS_EXCLUDED(mutex_);

  // on the connection's thread for errands
  void drive() ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] std::shared_ptr<ExploreStream> open_stream() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void let_go() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void lose(Error error, std::optional<std::chrono::milliseconds> pushback)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<const Connection> connection_;
  const bool decode_;
  const bool with_encoded_;
  const LayerMask layers_;

  mutable Mutex mutex_;  // held for moments only
  CondVar changed_;
  Errands::Errand drive_{[this] { drive(); }};
  ExploreClient client_ ABSL_GUARDED_BY(mutex_);
  std::minstd_rand random_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<ExploreStream> stream_ ABSL_GUARDED_BY(mutex_);
  bool is_closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::uint64_t stream_number_ ABSL_GUARDED_BY(mutex_) = 0;
  // that are not gone, cancelled ones included
  int streams_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace terrane::client
