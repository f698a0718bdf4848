#include "status/status_details.h"

#include <google/protobuf/message_lite.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "terrane/status/v1/status.pb.h"
#include "terrane/v1/error.pb.h"

namespace terrane::status {
namespace {

namespace wire = terrane::status::v1;

constexpr std::int64_t kMsPerSecond = 1000;
constexpr int kNsPerMs = 1'000'000;

std::string type_url(const char* type) {
  return std::string("type.googleapis.com/google.rpc.") + type;
}

void add(wire::Status& status, const char* type, const google::protobuf::MessageLite& detail) {
  google::protobuf::Any& any = *status.add_details();
  any.set_type_url(type_url(type));
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

constexpr std::int64_t kMaxDelayS = 24 * 60 * 60;

/// Parses a detail if it is of this type of google.rpc.
template <typename Message>
bool parse(const google::protobuf::Any& detail, const char* type, Message& message) {
  return detail.type_url() == type_url(type) && message.ParseFromString(detail.value());
}

ErrorReason reason_of(const std::string& name) {
  terrane::v1::ErrorReason reason = terrane::v1::ERROR_REASON_UNSPECIFIED;
  return terrane::v1::ErrorReason_Parse("ERROR_REASON_" + name, &reason)
             ? static_cast<ErrorReason>(reason)
             : ErrorReason::kUnspecified;
}

void add_info(const wire::ErrorInfo& info, Error& error) {
  if (info.domain() != "terrane") return;
  error.reason = reason_of(info.reason());
  for (const wire::ErrorInfo::MetadataEntry& entry : info.metadata()) {
    if (entry.key() == "field") error.field = entry.value();
    if (entry.key() == "value") error.value = entry.value();
    if (entry.key() == "limit") error.limit = entry.value();
  }
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
    wire::RetryInfo retry;
    const std::int64_t ms = error.retry_after->count();
    retry.mutable_retry_delay()->set_seconds(ms / kMsPerSecond);
    retry.mutable_retry_delay()->set_nanos(static_cast<int>(ms % kMsPerSecond * kNsPerMs));
    add(status, "RetryInfo", retry);
  }
  return status.SerializeAsString();
}

void add_details(const std::string& details, Error& error) {
  wire::Status status;
  if (details.empty() || !status.ParseFromString(details)) return;
  for (const auto& detail : status.details()) {
    wire::ErrorInfo info;
    wire::RetryInfo retry;
    if (parse(detail, "ErrorInfo", info)) {
      add_info(info, error);
    } else if (parse(detail, "RetryInfo", retry)) {
      // as a server may say anything
      const auto seconds = std::clamp<std::int64_t>(retry.retry_delay().seconds(), 0, kMaxDelayS);
      const int nanos = std::clamp(retry.retry_delay().nanos(), 0, 999'999'999);
      error.retry_after = std::chrono::milliseconds(kMsPerSecond * seconds + nanos / kNsPerMs);
    }
  }
}

}  // namespace terrane::status
