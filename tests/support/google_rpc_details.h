#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/google_rpc.pb.h"

namespace terrane {

/// The details of a status, unpacked as any program does that has Google's messages.
struct RpcDetails {
  google::rpc::Status status;
  std::optional<google::rpc::ErrorInfo> info;
  std::optional<google::rpc::BadRequest> request;
  std::optional<google::rpc::RetryInfo> retry;

  [[nodiscard]] std::string metadata(const std::string& key) const {
    if (info) {
      for (const auto& entry : info->metadata())
        if (entry.key() == key) return entry.value();
    }
    return "(none)";
  }
  [[nodiscard]] std::string field() const {
    return request && request->field_violations_size() == 1 ? request->field_violations(0).field()
                                                            : "(none)";
  }
};

/// @param bytes  the trailer grpc-status-details-bin; fails the test where it can't be read
inline RpcDetails read_details(const std::string& bytes) {
  RpcDetails details;
  EXPECT_TRUE(details.status.ParseFromString(bytes));
  for (const google::protobuf::Any& any : details.status.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::BadRequest request;
    google::rpc::RetryInfo retry;
    if (any.UnpackTo(&info)) {
      details.info = info;
    } else if (any.UnpackTo(&request)) {
      details.request = request;
    } else if (any.UnpackTo(&retry)) {
      details.retry = retry;
    } else {
      ADD_FAILURE() << "a detail of another type: " << any.type_url();
    }
  }
  return details;
}

}  // namespace terrane
