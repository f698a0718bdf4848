#pragma once

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <functional>
#include <utility>

namespace terrane::rpc {

/// Answers calls of methods that no service has: UNIMPLEMENTED that says which there are, where
/// gRPC by itself says nothing.
class UnknownMethod final : public grpc::CallbackGenericService {
 public:
  /// @param note  told of each call, on gRPC's threads; never throws
  explicit UnknownMethod(std::function<void(const grpc::CallbackServerContext&)> note)
      : note_(std::move(note)) {}

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  const std::function<void(const grpc::CallbackServerContext&)> note_;
};

}  // namespace terrane::rpc
