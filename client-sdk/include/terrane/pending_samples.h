#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "terrane/result.h"
#include "terrane/world.h"

namespace terrane {

/// Samples that a server has been asked for: Client::sample() for threads that must not wait, a
/// game's main one for example. Made by Client::sample_async; outlives its Client if need be.
/// Destroying it cancels the call and waits for the library's threads to let go of it: not for the
/// network, and five seconds at the very most. Threads: one at a time.
class PendingSamples {
 public:
  /// Goes on with the call: once a frame, since nothing else does. What was asked for comes once,
  /// in the order of the points, or the error; before and after that, nullopt. Blocks: no, except
  /// on a TokenProvider, when a token is due.
  /// Errors: those of Client::sample().
  [[nodiscard]] std::optional<Result<std::vector<PointSample>>> poll();

  PendingSamples(PendingSamples&&) noexcept;
  PendingSamples& operator=(PendingSamples&&) noexcept;
  ~PendingSamples();

  class Impl;
  explicit PendingSamples(std::unique_ptr<Impl> impl);  // for Client alone

 private:
  void close();

  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
