#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "admin/operations.h"
#include "rpc/admin/errands.h"
#include "rpc/server_call.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

/// One Pregenerate: works on a thread of its own, and says how far it is, one write at a time; of
/// what changes meanwhile the latest is told. Ends when its caller is an administrator no more.
class PregenerateCall final : public ServerCall<PregenerateCall> {
 public:
  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, Errands& errands, admin::Operations& operations,
                    const Origins& origins, admin::PregenerationOrder order);

 private:
  friend ServerCall;
  PregenerateCall(IncomingCall incoming, admin::Operations& operations, const Origins& origins,
                  admin::PregenerationOrder order);

  void run();
  void tell(const admin::PregenerationProgress& progress);
  void end_with(grpc::Status status);
  void advance();
  void OnWriteDone(bool ok) override;
  void OnCancel() override { stop_.request_stop(); }

  admin::Operations& operations_;
  const Origins& origins_;
  const admin::PregenerationOrder order_;
  std::stop_source stop_;
  std::optional<Error> not_any_more_;  // of the errand's thread: why it was stopped

  Mutex mutex_;
  std::optional<grpc::ByteBuffer> next_ ABSL_GUARDED_BY(mutex_);
  std::optional<grpc::Status> end_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ByteBuffer wire_;  // of the write in flight: changes only while there is none
};

}  // namespace terrane::rpc
