#include "rpc/grpc_call.h"

#include <grpc/grpc.h>

namespace terrane::rpc {

std::shared_ptr<GrpcCall> GrpcCall::create(grpc::CallbackServerContext& context,
                                           const CallRecord& record, Origin origin,
                                           std::shared_ptr<HangUps> hang_ups) {
  return std::shared_ptr<GrpcCall>(
      new GrpcCall(context, record, std::move(origin), std::move(hang_ups)));
}

/// Ends a call whose write is stuck. A status that is sent in the usual way waits behind that write
/// for ever; this one passes it, and reaches a client that still reads.
void GrpcCall::cancel_with(const grpc::Status& status) {
  grpc_call_cancel_with_status(context_.c_call(),
                               static_cast<grpc_status_code>(status.error_code()),
                               status.error_message().c_str(), nullptr);
}

void GrpcCall::tell_pushback(std::chrono::milliseconds wait) { add_pushback(context_, wait); }

void add_pushback(grpc::CallbackServerContext& context, std::chrono::milliseconds wait) {
  context.AddTrailingMetadata("grpc-retry-pushback-ms", std::to_string(wait.count()));
}

}  // namespace terrane::rpc
