#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <spdlog/fmt/fmt.h>

#include <cstddef>

#include "rpc/checks/refused_field.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// Errors: kInvalidArgument when the bytes are no such message, or more than `max_bytes`.
template <typename Request>
Result<Request> parse(const grpc::ByteBuffer& bytes, std::size_t max_bytes) {
  if (bytes.Length() > max_bytes) {
    return refuse_field({.reason = ErrorReason::kMessageTooLarge,
                         .field = "request",
                         .value = fmt::format("{} bytes", bytes.Length()),
                         .limit = fmt::format("{} bytes", max_bytes)},
                        fmt::format("at most {} for {}; ask in parts", max_bytes,
                                    Request::descriptor()->full_name()));
  }
  Request request;
  grpc::ByteBuffer shared(bytes);  // deserialising empties the buffer it is given
  if (!grpc::SerializationTraits<Request>::Deserialize(&shared, &request).ok()) {
    return refuse_field({.field = "request", .value = fmt::format("{} bytes", bytes.Length())},
                        fmt::format("they are no {}", Request::descriptor()->full_name()));
  }
  return request;
}

}  // namespace terrane::rpc
