#include "rpc/health_service.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "rpc/checks/refused_field.h"
#include "rpc/server_call.h"
#include "rpc/streams/wire_batch.h"
#include "rpc/world_service.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

constexpr std::size_t kMaxRequestBytes = 1024;
constexpr std::string_view kOfItself = "unknown";  // the peer of calls in process: GrpcWaker's

/// As in HealthCheckResponse.
enum class Health : char { kServing = 1, kNotServing = 2, kServiceUnknown = 3 };

/// HealthCheckResponse{status}: Debian has the service's code but not its messages. Made once, so
/// that no watch is left without a word for want of memory.
const grpc::ByteBuffer& response(Health status) {
  const auto message = [](Health its) {
    return to_buffer(std::string{'\x08', static_cast<char>(its)});
  };
  static const std::array<grpc::ByteBuffer, 3> kAll{
      message(Health::kServing), message(Health::kNotServing), message(Health::kServiceUnknown)};
  return kAll[static_cast<std::size_t>(status) - 1];
}

/// HealthCheckRequest.service.
std::optional<std::string> parse_service(const std::string& bytes) {
  using google::protobuf::internal::WireFormatLite;
  constexpr std::uint32_t kService =
      WireFormatLite::MakeTag(1, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  std::string service;
  while (const std::uint32_t tag = stream.ReadTag()) {
    if (tag == kService ? !WireFormatLite::ReadString(&stream, &service)
                        : !WireFormatLite::SkipField(&stream, tag))
      return std::nullopt;
  }
  if (!stream.ConsumedEntireMessage()) return std::nullopt;
  return service;
}

/// Errors: kInvalidArgument.
Result<std::string> service_of(const grpc::ByteBuffer& request) {
  const std::size_t size = request.Length();
  grpc::Slice slice;
  if (size <= kMaxRequestBytes && request.DumpToSingleSlice(&slice).ok()) {
    const std::string bytes(reinterpret_cast<const char*>(slice.begin()), slice.size());
    if (auto service = parse_service(bytes)) return *std::move(service);
  }
  return refuse_field(
      {.field = "request", .value = fmt::format("{} bytes", size)},
      fmt::format("they are no grpc.health.v1.HealthCheckRequest of at most {} bytes",
                  kMaxRequestBytes));
}

bool is_known(const std::string& service) {
  return service.empty() || service == WorldService::full_name();
}

}  // namespace

/// One Watch. One write at a time: of what changes meanwhile the latest is told.
class HealthWatch final : public ServerCall<HealthWatch> {
 public:
  static std::shared_ptr<HealthWatch> start(Call& call) {
    return create(IncomingCall{nullptr, call});  // it is not waited for when the server stops
  }

  void tell(Health status) {
    {
      const MutexLock lock(mutex_);
      next_ = status;
    }
    advance();
  }

 private:
  friend ServerCall;
  using ServerCall::ServerCall;

  void advance() {
    {
      const MutexLock lock(mutex_);
      if (writing_ || is_ended() || !next_) return;
      message_ = response(*next_);
      next_.reset();
      writing_ = true;
    }
    write(message_);
  }

  void OnWriteDone(bool ok) override {
    {
      const MutexLock lock(mutex_);
      writing_ = false;
      gone_ |= !ok;
    }
    leave_if_gone();
    advance();
  }

  void OnCancel() override {
    {
      const MutexLock lock(mutex_);
      gone_ = true;
    }
    leave_if_gone();
  }

  void leave_if_gone() {
    {
      const MutexLock lock(mutex_);
      if (!gone_ || writing_ || !claim_end()) return;
    }
    finish(grpc::Status::CANCELLED);
  }

  Mutex mutex_;
  std::optional<Health> next_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool gone_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ByteBuffer message_;  // being written: changes only while nothing is
};

HealthService::HealthService() { response(Health::kServing); }
HealthService::~HealthService() = default;

Result<void> HealthService::check(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(const std::string service, service_of(request));
  if (!is_known(service)) {
    return refuse_field({.code = ErrorCode::kNotFound,
                         .reason = ErrorReason::kNameUnknown,
                         .field = "service",
                         .value = in_quotes(service)},
                        fmt::format("there are the server as a whole, without a name, and {}",
                                    WorldService::full_name()));
  }
  if (call.peer() != kOfItself) asked_.note();
  bool serving = false;
  {
    const MutexLock lock(mutex_);
    serving = serving_;
  }
  call.answer(response(serving ? Health::kServing : Health::kNotServing));
  return {};
}

Result<void> HealthService::watch(Call& call, const grpc::ByteBuffer& request) {
  TERRANE_ASSIGN_OR_RETURN(const std::string service, service_of(request));
  const MutexLock lock(mutex_);  // until it is told: a change that comes now is told after that
  if (watches_.size() == watches_.capacity()) {
    std::erase_if(watches_, [](const auto& other) { return other.expired(); });
    watches_.reserve(2 * watches_.size() + 1);  // before there is somebody to serve
  }
  const auto watch = HealthWatch::start(call);
  if (is_known(service)) watches_.push_back(watch);
  watch->tell(!is_known(service) ? Health::kServiceUnknown
              : serving_         ? Health::kServing
                                 : Health::kNotServing);
  return {};
}

bool HealthService::asked_within(std::chrono::milliseconds time) {
  if (asked_.within(time)) return true;
  const MutexLock lock(mutex_);
  return std::any_of(watches_.begin(), watches_.end(),
                     [](const auto& watch) { return !watch.expired(); });
}

void HealthService::shut_down() {
  std::vector<std::weak_ptr<HealthWatch>> watches;
  {
    const MutexLock lock(mutex_);
    serving_ = false;
    watches.swap(watches_);
  }
  for (const auto& weak : watches)
    if (const auto watch = weak.lock()) watch->tell(Health::kNotServing);
}

}  // namespace terrane::rpc
