#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "http/call_host.h"
#include "http/page.h"
#include "rpc/json_queries.h"

namespace terrane::rpc {
class WorldService;
}

namespace terrane::http {

/// A call of one request, whose last message is the page that answers, as JSON.
class JsonCall final : public CarriedCall {
 public:
  /// Has the service serve it, as if it had come over gRPC. Blocks: no. May throw std::bad_alloc,
  /// and has then done nothing.
  /// @param request  who asks: the call ends when nobody waits any more
  /// @param reply    is answered where there is an answer
  static void start(rpc::WorldService& service, rpc::JsonQuery query, rpc::Origin origin,
                    const Request& request, Reply reply);

  [[nodiscard]] Result<rpc::Origin> identify(const rpc::Origins& origins) const override;
  [[nodiscard]] std::chrono::system_clock::time_point deadline() const override;
  [[nodiscard]] bool is_cancelled() const override { return is_broken_; }
  [[nodiscard]] std::string peer() const override { return peer_; }
  [[nodiscard]] std::string request_id() const override { return request_id_; }
  void read_into(grpc::ByteBuffer& message) override;
  void write(const grpc::ByteBuffer& message) override;
  void cancel_with(const grpc::Status& status) override;
  void tell_pushback(std::chrono::milliseconds) override {}  // its details say so
  void break_off() override;

 private:
  JsonCall(rpc::WorldService& service, rpc::JsonQuery query, rpc::Origin origin,
           const Request& request, Reply reply);

  void send_end(grpc::Status status) override;
  void send_last(const grpc::ByteBuffer& message) override;
  [[nodiscard]] static bool enter(const std::shared_ptr<JsonCall>& call);
  void end_with(Page page);
  void end();
  [[nodiscard]] std::shared_ptr<JsonCall> self() {
    return std::static_pointer_cast<JsonCall>(shared_from_this());
  }

  grpc::ByteBuffer request_;
  const rpc::Origin origin_;
  const std::string peer_, request_id_;
  const std::stop_token gone_;
  Reply reply_;
  std::atomic<bool> is_broken_ = false, is_over_ = false;
  std::optional<std::stop_callback<std::function<void()>>> when_gone_;
};

}  // namespace terrane::http
