#include "rpc/grpc_log.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "log.h"
#include "terrane/mutex.h"

namespace terrane::rpc {
namespace {

/// What went wrong with TLS: how often since the last line.
class Handshakes {
 public:
  void failed(std::string_view why) {
    const MutexLock lock(mutex_);
    ++failures_;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_line_) return;
    next_line_ = now + std::chrono::minutes(1);
    spdlog::warn("TLS: {} connections to the gRPC port did not come to be, the last one: {}",
                 std::exchange(failures_, 0), why);
  }

 private:
  Mutex mutex_;
  std::uint64_t failures_ ABSL_GUARDED_BY(mutex_) = 0;
  std::chrono::steady_clock::time_point next_line_ ABSL_GUARDED_BY(mutex_){};
};

void log_from_grpc(gpr_log_func_args* args) {
  static Handshakes handshakes;
  const std::string_view file = args->file, message = args->message;
  if (file.ends_with("ssl_transport_security.cc")) {
    // the others say that a client's server name is none of the certificate's, which is its affair
    if (message.starts_with("Handshake failed")) handshakes.failed(message);
    return;
  }
  // somebody has gone as soon as they came, which everybody may as often as they like
  const bool has_gone = message.starts_with("Failed getpeername");
  const auto level = has_gone                                   ? spdlog::level::debug
                     : args->severity == GPR_LOG_SEVERITY_ERROR ? spdlog::level::warn
                     : args->severity == GPR_LOG_SEVERITY_INFO  ? spdlog::level::debug
                                                                : spdlog::level::trace;
  spdlog::log(level, "grpc: {}", message);
}

/// What is wrong with a message its sender is told; it must not fill the log.
void log_from_protobuf(google::protobuf::LogLevel level, const char*, int,
                       const std::string& message) {
  spdlog::log(
      level == google::protobuf::LOGLEVEL_FATAL ? spdlog::level::critical : spdlog::level::debug,
      "protobuf: {}", message);
}

}  // namespace

void take_over_grpc_log() {
  gpr_set_log_function(log_from_grpc);
  google::protobuf::SetLogHandler(log_from_protobuf);
}

}  // namespace terrane::rpc
