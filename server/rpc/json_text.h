#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace terrane::rpc {

/// A message as proto3's JSON, with the members that are 0 or empty.
[[nodiscard]] std::string to_json(const google::protobuf::Message& message);

}  // namespace terrane::rpc
