#include "http/explore_call.h"

#include <new>
#include <utility>

#include "http/visitor.h"
#include "rpc/json_answers.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "rpc/world_service.h"

namespace terrane::http {

ExploreCall::ExploreCall(rpc::WorldService& service, const rpc::Backend& backend,
                         const rpc::Origin& origin, Request request,
                         std::shared_ptr<MessageSocket> socket, std::string first)
    : CarriedCall(*request.host, service.record(rpc::Method::kExplore), origin, service.hang_ups()),
      service_(service),
      backend_(backend),
      address_(origin.address),
      request_(std::move(request)),
      socket_(std::move(socket)),
      first_(std::move(first)) {}

void ExploreCall::start(rpc::WorldService& service, const rpc::Backend& backend,
                        const rpc::Origin& origin, Request request,
                        std::shared_ptr<MessageSocket> socket, std::string first) {
  const std::shared_ptr<ExploreCall> call(new ExploreCall(
      service, backend, origin, std::move(request), std::move(socket), std::move(first)));
  call->socket_->on_left([weak = std::weak_ptr(call)] {
    const auto still = weak.lock();
    if (still && !still->is_over_) still->note_broken();
  });
  if (!call->host().enter(*call)) {
    call->record().end(grpc::StatusCode::UNAVAILABLE);
    return call->socket_->drop();
  }
  service.take_in(call);
}

Result<rpc::Origin> ExploreCall::identify(const rpc::Origins&) const {
  return http::identify(backend_, request_);
}

std::chrono::system_clock::time_point ExploreCall::deadline() const {
  return std::chrono::system_clock::time_point::max();
}

void ExploreCall::read_into(grpc::ByteBuffer& message) {
  host().post([call = self(), &message] {
    if (call->is_over_) return;
    const auto take = [call, &message](MessageSocket::Incoming incoming) {
      call->on_incoming(message, std::move(incoming));
    };
    if (call->is_broken_) return take({});
    if (!call->first_) return call->socket_->read(take);
    take({MessageSocket::Incoming::What::kMessage, *std::exchange(call->first_, std::nullopt)});
  });
}

void ExploreCall::on_incoming(grpc::ByteBuffer& message, MessageSocket::Incoming incoming) {
  using What = MessageSocket::Incoming::What;
  if (is_over_) return;
  try {
    if (incoming.what == What::kMessage) message = rpc::to_buffer(std::move(incoming.bytes));
  } catch (const std::bad_alloc&) {
    incoming.what = What::kBroken;
    socket_->drop();
  }
  if (incoming.what == What::kBroken) note_broken();
  if (!is_over_) read_done(incoming.what == What::kMessage);
}

void ExploreCall::write(const grpc::ByteBuffer& message) {
  host().post([call = self(), &message] {
    try {
      if (call->is_broken_ || !message.Dump(&call->slices_).ok()) return call->on_written(false);
      std::vector<boost::asio::const_buffer> buffers;
      for (const grpc::Slice& slice : call->slices_)
        buffers.emplace_back(slice.begin(), slice.size());
      call->socket_->write(std::move(buffers), [call](bool ok) { call->on_written(ok); });
    } catch (const std::bad_alloc&) {  // before anything is written
      call->socket_->drop();
      call->on_written(false);
    }
  });
}

void ExploreCall::on_written(bool ok) {
  slices_.clear();
  if (is_over_) return;
  if (!ok) note_broken();
  if (!is_over_) write_done(ok);
}

void ExploreCall::cancel_with(const grpc::Status&) {
  host().post([call = self()] { call->socket_->drop(); });
}

void ExploreCall::break_off() {
  if (is_over_) return;
  socket_->drop();
  note_broken();
}

void ExploreCall::note_broken() {
  // Who opens WebSockets and goes costs others as much as so many calls that are hung up on.
  constexpr int kCalls = 4;
  if (is_broken_.exchange(true)) return;
  for (int i = 1; i < kCalls; ++i) service_.hang_ups()->note(address_, rpc::HangUps::Clock::now());
  cancelled();
}

void ExploreCall::send_end(grpc::Status status) {
  host().post([call = self(), status = std::move(status)] {
    call->is_over_ = true;
    if (!call->is_broken_) end_socket(*call->socket_, status);
    call->done();
    call->host().leave(*call);
  });
}

/// Streams end with a status alone.
void ExploreCall::send_last(const grpc::ByteBuffer&) { send_end(grpc::Status::OK); }

void end_socket(MessageSocket& socket, const grpc::Status& status) {
  constexpr std::uint16_t kNormal = 1000, kOurs = 4000;
  if (status.ok()) return socket.end({}, kNormal, {});
  const Error error = rpc::to_error(status);
  socket.end(rpc::error_json(error),
             static_cast<std::uint16_t>(kOurs + static_cast<int>(status.error_code())),
             std::string(to_string(error.reason)));
}

}  // namespace terrane::http
