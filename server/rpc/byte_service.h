#pragma once

#include <grpcpp/impl/codegen/server_callback_handlers.h>
#include <grpcpp/impl/service_type.h>

#include <deque>
#include <functional>
#include <span>
#include <string>

#include "rpc/call_metrics.h"
#include "rpc/grpc_call.h"

namespace terrane::rpc {

/// A service as gRPC sees it: each method a conversation in bytes, which is how we come to read
/// requests ourselves (CallReactor) and hand out cached bytes as they are.
class ByteService final : public grpc::Service {
 public:
  /// Takes in a call, on one of gRPC's threads. Never throws.
  using Begin = std::function<ByteReactor*(Method, grpc::CallbackServerContext&)>;

  ByteService(const std::string& full_name, std::span<const Method> methods, const Begin& begin) {
    using Handler = grpc::internal::CallbackBidiHandler<grpc::ByteBuffer, grpc::ByteBuffer>;
    for (const Method method : methods) {
      const char* const path =
          paths_.emplace_back("/" + full_name + "/" + to_string(method)).c_str();
      AddMethod(new grpc::internal::RpcServiceMethod(
          path, grpc::internal::RpcMethod::BIDI_STREAMING, nullptr));
      MarkMethodRawCallback(static_cast<int>(paths_.size()) - 1,
                            new Handler([begin, method](grpc::CallbackServerContext* context) {
                              return begin(method, *context);
                            }));
    }
  }

 private:
  std::deque<std::string> paths_;  // that gRPC points to
};

}  // namespace terrane::rpc
