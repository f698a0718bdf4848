#include "status_details.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "terrane/status/v1/status.pb.h"
#include "terrane/v1/error.pb.h"

namespace terrane::client {
namespace {

namespace wire = terrane::status::v1;

constexpr std::int64_t kMaxDelayS = 24 * 60 * 60;

/// Parses a detail if it is of this type of google.rpc.
template <typename Message>
bool parse(const google::protobuf::Any& detail, const char* type, Message& message) {
  return detail.type_url() == std::string("type.googleapis.com/google.rpc.") + type &&
         message.ParseFromString(detail.value());
}

ErrorReason reason_of(const std::string& name) {
  v1::ErrorReason reason = v1::ERROR_REASON_UNSPECIFIED;
  return v1::ErrorReason_Parse("ERROR_REASON_" + name, &reason) ? static_cast<ErrorReason>(reason)
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
      error.retry_after = std::chrono::milliseconds(1000 * seconds + nanos / 1'000'000);
    }
  }
}

}  // namespace terrane::client
