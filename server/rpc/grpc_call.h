#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <utility>

#include "rpc/call.h"

namespace terrane::rpc {

using ByteReactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;

/// A call that comes over gRPC, as gRPC sees it.
class GrpcCall final : public ByteReactor, public Call {
 public:
  [[nodiscard]] static std::shared_ptr<GrpcCall> create(grpc::CallbackServerContext& context,
                                                        const CallRecord& record, Origin origin,
                                                        std::shared_ptr<HangUps> hang_ups);

  [[nodiscard]] Result<Origin> identify(const Origins& origins) const override {
    return origins.identify(record().method(), context_, {});
  }
  [[nodiscard]] std::chrono::system_clock::time_point deadline() const override {
    return context_.deadline();
  }
  [[nodiscard]] bool is_cancelled() const override { return context_.IsCancelled(); }
  [[nodiscard]] std::string peer() const override { return context_.peer(); }
  void read_into(grpc::ByteBuffer& message) override { StartRead(&message); }
  void write(const grpc::ByteBuffer& message) override { StartWrite(&message); }
  void cancel_with(const grpc::Status& status) override;
  void tell_pushback(std::chrono::milliseconds wait) override;

 private:
  GrpcCall(grpc::CallbackServerContext& context, const CallRecord& record, Origin origin,
           std::shared_ptr<HangUps> hang_ups)
      : Call(record, std::move(origin), std::move(hang_ups)), context_(context) {}

  void send_end(grpc::Status status) override { Finish(std::move(status)); }
  void send_last(const grpc::ByteBuffer& message) override {
    StartWriteAndFinish(&message, {}, grpc::Status::OK);
  }
  void OnReadDone(bool ok) override { read_done(ok); }
  void OnWriteDone(bool ok) override { write_done(ok); }
  void OnCancel() override { cancelled(); }
  void OnDone() override { done(); }

  grpc::CallbackServerContext& context_;
};

/// Tells a client of gRPC's when to come back, as its libraries understand it.
void add_pushback(grpc::CallbackServerContext& context, std::chrono::milliseconds wait);

}  // namespace terrane::rpc
