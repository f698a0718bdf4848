#include "call.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "status/status_details.h"
#include "terrane/result_macros.h"
#include "wire.h"

namespace terrane::client {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kBetweenLooks{20};

}  // namespace

Connection::Connection(ClientOptions client_options, std::shared_ptr<grpc::Channel> client_channel)
    : options(std::move(client_options)),
      channel(std::move(client_channel)),
      stub(v1::WorldService::NewStub(channel)),
      process_(getpid()),
      tokens_(options.token) {}

Result<void> Connection::check_process() const {
  if (getpid() == process_) return {};
  return fail(ErrorCode::kFailedPrecondition,
              "this Client was made by process " + std::to_string(process_) +
                  " before fork(), and works in that process only: fork before the first Client "
                  "is made, or run a program of its own (exec) in the child");
}

Result<void> Connection::introduce(grpc::ClientContext& context, const std::string& region) const {
  TERRANE_ASSIGN_OR_RETURN(const std::string token, tokens_.get(std::chrono::system_clock::now()));
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  if (!region.empty()) context.AddMetadata(kRegionKey, region);
  return {};
}

AttemptError Connection::failure_of(const grpc::Status& status, const grpc::ClientContext& context,
                                    bool cancelled_here) const {
  AttemptError failure = attempt_error(status, context, cancelled_here);
  tokens_.note(failure.error);
  return failure;
}

std::shared_ptr<const Connection> make_connection(ClientOptions options,
                                                  std::shared_ptr<grpc::Channel> channel) {
  return {new Connection(std::move(options), std::move(channel)), [](const Connection* connection) {
            if (connection->check_process()) delete connection;
          }};
}

void Connection::reconnect() const {
  const auto now = std::chrono::steady_clock::now();
  SteadyTime due = next_look_;
  if (now < due || !next_look_.compare_exchange_strong(due, now + kBetweenLooks)) return;
  (void)channel->GetState(true);
  OwnQueue().poll();
}

void Connection::wait(milliseconds pause, const std::function<bool()>& stop) const {
  const auto end = std::chrono::steady_clock::now() + pause;
  for (auto now = end - pause; now < end && !stop(); now = std::chrono::steady_clock::now()) {
    reconnect();
    std::this_thread::sleep_for(std::min<SteadyTime::duration>(end - now, kBetweenLooks));
  }
}

AttemptError lost_call() {
  return {{ErrorCode::kDeadlineExceeded, "the call could not be ended"}, std::nullopt};
}

AttemptError attempt_error(const grpc::Status& status, const grpc::ClientContext& context,
                           bool cancelled_here) {
  AttemptError failure{{to_code(status.error_code()), status.error_message()}, std::nullopt};
  status::add_details(status.error_details(), failure.error);
  if (failure.error.code == ErrorCode::kCancelled && !cancelled_here)
    failure.error.code = ErrorCode::kUnavailable;
  const auto& trailers = context.GetServerTrailingMetadata();
  if (const auto at = trailers.find("grpc-retry-pushback-ms"); at != trailers.end()) {
    milliseconds::rep wait = -1;  // what does not parse means: do not come back (gRFC A6)
    std::from_chars(at->second.data(), at->second.data() + at->second.size(), wait);
    failure.pushback = milliseconds(wait);
  }
  return failure;
}

Attempts::Attempts(const ClientOptions& options)
    : Attempts(options, {.max_attempts = options.max_attempts}) {}

Attempts::Attempts(const ClientOptions& options, const RetryPolicy& policy)
    : policy_(policy),
      address_(options.address),
      deadline_(std::chrono::steady_clock::now() + options.deadline),
      random_(std::random_device{}()) {
  progressed();
}

void Attempts::begin(grpc::ClientContext& context) const {
  context.set_deadline(on_monotonic_clock(deadline_));
}

std::optional<milliseconds> Attempts::after(const AttemptError& failure) {
  failures_.code = failure.error.code;
  failures_.pushback = failure.pushback;
  failures_.remaining = remaining();
  const bool told_to_wait = failures_.code == ErrorCode::kResourceExhausted && failure.pushback;
  if (!told_to_wait) ++failures_.attempts;
  if (failures_.code == ErrorCode::kInternal) ++failures_.internal;
  const double jitter = std::uniform_real_distribution<double>(0.0, 1.0)(random_);
  return wait_before_retry(policy_, failures_, jitter);
}

void Attempts::progressed() {
  failures_ = {};
  failures_.attempts = 0;
}

Error Attempts::final_error(Error last) const {
  if (last.code == ErrorCode::kUnavailable || last.code == ErrorCode::kDeadlineExceeded) {
    last.message = "server " + address_ + ": " + last.message;
    if (failures_.attempts > 1)
      last.message += " (after " + std::to_string(failures_.attempts) + " attempts)";
  }
  return last;
}

milliseconds Attempts::remaining() const {
  return std::chrono::duration_cast<milliseconds>(deadline_ - std::chrono::steady_clock::now());
}

}  // namespace terrane::client
