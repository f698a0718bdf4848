#include "rpc/first_message.h"

#include "terrane/v1/explore.pb.h"

namespace terrane::rpc {

std::string take_token(std::string& message) {
  v1::ExploreRequest request;
  if (!request.ParseFromString(message) || !request.has_hello() || request.hello().token().empty())
    return {};
  std::string token = std::move(*request.mutable_hello()->mutable_token());
  request.mutable_hello()->clear_token();
  message = request.SerializeAsString();
  return token;
}

}  // namespace terrane::rpc
