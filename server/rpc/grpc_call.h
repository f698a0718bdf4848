#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "rpc/call.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

using ByteReactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;

/// A call that comes over gRPC, as gRPC sees it.
class GrpcCall final : public ByteReactor, public Call {
 public:
  [[nodiscard]] static std::shared_ptr<GrpcCall> create(grpc::CallbackServerContext& context,
                                                        const CallRecord& record, Origin origin,
                                                        std::shared_ptr<HangUps> hang_ups);

  ~GrpcCall() override;
  GrpcCall(const GrpcCall&) = delete;
  GrpcCall& operator=(const GrpcCall&) = delete;

  [[nodiscard]] Result<Origin> identify(const Origins& origins) const override {
    return origins.identify(record().method(), context_, {});
  }
  [[nodiscard]] std::chrono::system_clock::time_point deadline() const override {
    return context_.deadline();
  }
  [[nodiscard]] bool is_cancelled() const override { return context_.IsCancelled(); }
  [[nodiscard]] std::string peer() const override { return context_.peer(); }
  [[nodiscard]] std::string request_id() const override;
  void read_into(grpc::ByteBuffer& message) override ABSL_LOCKS_EXCLUDED(mutex_);
  void write(const grpc::ByteBuffer& message) override { StartWrite(&message); }
  void cancel_with(const grpc::Status& status) override;
  void tell_pushback(std::chrono::milliseconds wait) override;

 private:
  GrpcCall(grpc::CallbackServerContext& context, const CallRecord& record, Origin origin,
           std::shared_ptr<HangUps> hang_ups)
      : Call(record, std::move(origin), std::move(hang_ups)), context_(context) {}

  void send_end(grpc::Status status) override ABSL_LOCKS_EXCLUDED(mutex_);
  void send_last(const grpc::ByteBuffer& message) override {
    StartWriteAndFinish(&message, {}, grpc::Status::OK);
  }
  [[nodiscard]] bool asks_for_announcement(const grpc::Status& status) const;
  bool announce(const grpc::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void end_if_announced() ABSL_LOCKS_EXCLUDED(mutex_);
  void stop_waiting() ABSL_LOCKS_EXCLUDED(mutex_);
  void OnReadDone(bool ok) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnWriteDone(bool ok) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnCancel() override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDone() override { done(); }

  grpc::CallbackServerContext& context_;

  // Of an end that is announced, until the client has closed its side.
  Mutex mutex_;
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool client_closed_ ABSL_GUARDED_BY(mutex_) = false;
  bool announcing_ ABSL_GUARDED_BY(mutex_) = false;          // the message is on its way
  std::optional<grpc::Status> end_ ABSL_GUARDED_BY(mutex_);  // announced, and to come
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;  // announced: whoever served it is not told more
  grpc::ByteBuffer ignored_;                      // what the client says meanwhile
  std::optional<grpc::Alarm> alarm_;
};

/// Tells a client of gRPC's when to come back, as its libraries understand it.
void add_pushback(grpc::CallbackServerContext& context, std::chrono::milliseconds wait);

}  // namespace terrane::rpc
