#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/call_host.h"
#include "http/message_socket.h"
#include "http/page.h"
#include "rpc/backend.h"

namespace terrane::rpc {
class WorldService;
}

namespace terrane::http {

/// One Explore over a WebSocket: each binary frame is a message. It ends with close code 1000, or
/// with a text frame that holds an HttpError and close code 4000 + gRPC's status code.
class ExploreCall final : public CarriedCall {
 public:
  /// Has the service serve it, as if it had come over gRPC. On the port's thread. May throw
  /// std::bad_alloc, and has then done nothing.
  /// @param backend  outlives the call
  /// @param request  the one that became the WebSocket, with the token that the client has shown
  /// @param first    the first message
  static void start(rpc::WorldService& service, const rpc::Backend& backend,
                    const rpc::Origin& origin, Request request,
                    std::shared_ptr<MessageSocket> socket, std::string first);

  [[nodiscard]] Result<rpc::Origin> identify(const rpc::Origins& origins) const override;
  [[nodiscard]] std::chrono::system_clock::time_point deadline() const override;
  [[nodiscard]] bool is_cancelled() const override { return is_broken_; }
  [[nodiscard]] std::string peer() const override { return request_.peer; }
  [[nodiscard]] std::string request_id() const override { return request_.id; }
  void read_into(grpc::ByteBuffer& message) override;
  void write(const grpc::ByteBuffer& message) override;
  /// Nothing can pass a frame that is being sent: the connection is reset.
  void cancel_with(const grpc::Status& status) override;
  void tell_pushback(std::chrono::milliseconds) override {}  // its details say so
  void break_off() override;

 private:
  ExploreCall(rpc::WorldService& service, const rpc::Backend& backend, const rpc::Origin& origin,
              Request request, std::shared_ptr<MessageSocket> socket, std::string first);

  void send_end(grpc::Status status) override;
  void send_last(const grpc::ByteBuffer& message) override;
  void on_incoming(grpc::ByteBuffer& message, MessageSocket::Incoming incoming);
  void on_written(bool ok);
  void note_broken();
  [[nodiscard]] std::shared_ptr<ExploreCall> self() {
    return std::static_pointer_cast<ExploreCall>(shared_from_this());
  }

  rpc::WorldService& service_;
  const rpc::Backend& backend_;
  const schedule::Source address_;
  const Request request_;
  const std::shared_ptr<MessageSocket> socket_;
  // of the port's thread
  std::optional<std::string> first_;  // not yet read
  bool is_over_ = false;
  std::vector<grpc::Slice> slices_;  // being written
  std::atomic<bool> is_broken_ = false;
};

/// What a client is told last.
void end_socket(MessageSocket& socket, const grpc::Status& status);

}  // namespace terrane::http
