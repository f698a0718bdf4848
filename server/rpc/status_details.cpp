#include "rpc/status_details.h"

#include <google/protobuf/message_lite.h>

#include "terrane/status/v1/status.pb.h"

namespace terrane::rpc {
namespace {

namespace wire = terrane::status::v1;

void add(wire::Status& status, const char* type, const google::protobuf::MessageLite& detail) {
  google::protobuf::Any& any = *status.add_details();
  any.set_type_url(std::string("type.googleapis.com/google.rpc.") + type);
  detail.SerializeToString(any.mutable_value());
}

wire::ErrorInfo info_of(const Error& error) {
  wire::ErrorInfo info;
  info.set_reason(std::string(to_string(error.reason)));
  info.set_domain("terrane");
  const auto say = [&info](const char* key, const std::string& value) {
    if (value.empty()) return;
    wire::ErrorInfo::MetadataEntry& entry = *info.add_metadata();
    entry.set_key(key);
    entry.set_value(value);
  };
  say("field", error.field);
  say("value", error.value);
  say("limit", error.limit);
  return info;
}

}  // namespace

std::string details_of(const Error& error, int status_code) {
  if (error.reason == ErrorReason::kUnspecified) return {};
  wire::Status status;
  status.set_code(status_code);
  status.set_message(error.message);
  add(status, "ErrorInfo", info_of(error));
  if (!error.field.empty()) {
    wire::BadRequest request;
    wire::BadRequest::FieldViolation& violation = *request.add_field_violations();
    violation.set_field(error.field);
    violation.set_description(error.message);
    add(status, "BadRequest", request);
  }
  if (error.retry_after) {
    constexpr std::int64_t kMsPerSecond = 1000;
    constexpr std::int64_t kNsPerMs = 1'000'000;
    wire::RetryInfo retry;
    const std::int64_t ms = error.retry_after->count();
    retry.mutable_retry_delay()->set_seconds(ms / kMsPerSecond);
    retry.mutable_retry_delay()->set_nanos(static_cast<int>(ms % kMsPerSecond * kNsPerMs));
    add(status, "RetryInfo", retry);
  }
  return status.SerializeAsString();
}

}  // namespace terrane::rpc
