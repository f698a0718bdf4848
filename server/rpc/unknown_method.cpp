#include "rpc/unknown_method.h"

#include <spdlog/fmt/fmt.h>

#include <string>
#include <vector>

#include "rpc/checks/refused_field.h"
#include "rpc/server_call.h"
#include "status/status_details.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {
namespace {

const google::protobuf::ServiceDescriptor& service() {
  return *v1::GetWorldRequest::descriptor()->file()->service(0);
}

std::string methods() {
  std::vector<std::string> names;
  for (int i = 0; i < service().method_count(); ++i) names.push_back(service().method(i)->name());
  return listed(names);
}

grpc::Status unimplemented(const std::string& method) {
  Error error = refused_field(
      {.reason = ErrorReason::kMethodUnknown, .field = "method", .value = in_quotes(method)},
      fmt::format("this server has no such method. {} has {}; there are grpc.health.v1.Health and "
                  "server reflection too",
                  service().full_name(), methods()));
  error.field.clear();  // it is none of a request's
  return {grpc::StatusCode::UNIMPLEMENTED, error.message,
          status::details_of(error, grpc::StatusCode::UNIMPLEMENTED)};
}

}  // namespace

grpc::ServerGenericBidiReactor* UnknownMethod::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  note_(*context);
  return new RefusedCall<grpc::ServerGenericBidiReactor>(unimplemented(context->method()));
}

}  // namespace terrane::rpc
