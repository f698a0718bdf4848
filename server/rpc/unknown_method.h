#pragma once

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

namespace terrane::rpc {

/// Answers calls of methods that no service has: UNIMPLEMENTED that says which there are, where
/// gRPC by itself says nothing.
class UnknownMethod final : public grpc::CallbackGenericService {
 public:
  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;
};

}  // namespace terrane::rpc
