#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "call.h"
#include "terrane/pending_samples.h"

namespace terrane {

/// The SamplePoints calls for some points, one after the other, each with its repeated attempts.
/// Threads: one at a time. Blocks: see PendingSamples::poll.
class PendingSamples::Impl {
 public:
  /// @param step  points that the server takes at once; not 0
  Impl(std::shared_ptr<const client::Connection> connection, WorldRef world,
       std::vector<BlockPos> points, std::size_t step);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] std::optional<Result<std::vector<PointSample>>> poll();

  /// Ends what is under way. Before the destructor, last.
  /// @return false if this may not be destroyed: in a child process, which has no threads of gRPC
  [[nodiscard]] bool close();

 private:
  using Call = client::UnaryCall<v1::SamplePointsResponse>;

  [[nodiscard]] Result<bool> go_on();
  [[nodiscard]] Result<void> begin_attempt();
  [[nodiscard]] Result<void> after_failed_attempt(client::AttemptError failure);
  [[nodiscard]] std::span<const BlockPos> asked_for() const;

  const std::shared_ptr<const client::Connection> connection_;
  const WorldRef world_;
  const std::vector<BlockPos> points_;
  const std::size_t step_;
  client::Attempts attempts_;
  std::vector<PointSample> samples_;  // of the first points
  bool is_told_ = false;              // what came of it
  client::SteadyTime next_attempt_;
  std::unique_ptr<Call> call_;  // set while an attempt is under way
};

}  // namespace terrane
