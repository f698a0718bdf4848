#include <gtest/gtest.h>

#include <utility>

#include "sdk_scripted_server.h"
#include "support/google_rpc.pb.h"
#include "terrane/client.h"

namespace terrane {
namespace {

using testing::ScriptedServer;

/// What a GetChunk yields that is refused with these details.
Error refused_with(const std::string& details) {
  ScriptedServer server;
  server.get_chunk = [&](grpc::ServerContext&, const v1::GetChunkRequest&, v1::GetChunkResponse&) {
    return grpc::Status(grpc::StatusCode::OUT_OF_RANGE, "coord.x = 9: too far", details);
  };
  auto client = Client::connect({.address = server.address()});
  const auto chunk = client->chunk({.name = "classic"}, {9, 0});
  EXPECT_FALSE(chunk);
  return chunk ? Error{} : chunk.error();
}

google::rpc::ErrorInfo info(const std::string& reason, const std::string& domain) {
  google::rpc::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain(domain);
  using Entry = std::pair<const char*, const char*>;
  for (const auto& [key, value] : {Entry{"field", "coord.x"}, {"value", "9"}, {"limit", "8"}}) {
    google::rpc::ErrorInfo::MetadataEntry& entry = *info.add_metadata();
    entry.set_key(key);
    entry.set_value(value);
  }
  return info;
}

TEST(errors, tell_programs_the_reason_the_field_its_value_the_limit_and_when_to_ask_again) {
  google::rpc::Status status;
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(1);
  retry.mutable_retry_delay()->set_nanos(500'000'000);
  status.add_details()->PackFrom(info("FIELD_OUT_OF_RANGE", "terrane"));
  status.add_details()->PackFrom(retry);
  const Error error = refused_with(status.SerializeAsString());
  EXPECT_EQ(error, (Error{.code = ErrorCode::kOutOfRange,
                          .message = "coord.x = 9: too far",
                          .reason = ErrorReason::kFieldOutOfRange,
                          .field = "coord.x",
                          .value = "9",
                          .limit = "8",
                          .retry_after = std::chrono::milliseconds(1500)}));
}

TEST(errors, details_that_are_not_terranes_or_no_details_at_all_are_left_out) {
  const Error plain{ErrorCode::kOutOfRange, "coord.x = 9: too far"};
  EXPECT_EQ(refused_with(""), plain);
  EXPECT_EQ(refused_with("\xff\xff no message"), plain);
  google::rpc::Status proxy;
  proxy.add_details()->PackFrom(info("RATE_LIMITED", "proxy.example"));
  EXPECT_EQ(refused_with(proxy.SerializeAsString()), plain);
  google::rpc::Status later;
  later.add_details()->PackFrom(info("A_REASON_OF_LATER_VERSIONS", "terrane"));
  EXPECT_EQ(refused_with(later.SerializeAsString()).reason, ErrorReason::kUnspecified);
}

}  // namespace
}  // namespace terrane
