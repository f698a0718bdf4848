#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "rpc/admin/errands.h"
#include "rpc/server_call.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// A call whose answer takes a thread of its own: some work that blocks.
class ErrandCall final : public ServerCall<ErrandCall> {
 public:
  /// The answer's bytes. May throw std::bad_alloc.
  using Work = std::function<Result<std::string>(const std::stop_token&)>;

  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, Errands& errands, Work work);

 private:
  friend ServerCall;
  explicit ErrandCall(IncomingCall incoming) : ServerCall(std::move(incoming)) {}

  void run(const Work& work);
  void OnCancel() override { stop_.request_stop(); }

  std::stop_source stop_;
};

}  // namespace terrane::rpc
