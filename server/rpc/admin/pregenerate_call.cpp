#include "rpc/admin/pregenerate_call.h"

#include <exception>
#include <new>
#include <utility>

#include "rpc/admin/admin_messages.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "terrane/v1/admin.pb.h"

namespace terrane::rpc {

PregenerateCall::PregenerateCall(IncomingCall incoming, admin::Operations& operations,
                                 const Origins& origins, admin::PregenerationOrder order)
    : ServerCall(std::move(incoming)), operations_(operations), origins_(origins), order_([&] {
        order.source = source_of_stream();
        return std::move(order);
      }()) {}

void PregenerateCall::start(IncomingCall incoming, Errands& errands, admin::Operations& operations,
                            const Origins& origins, admin::PregenerationOrder order) {
  const auto call = create(std::move(incoming), operations, origins, std::move(order));
  try {
    const auto begun = errands.run(call->stop_, [call] { call->run(); });
    if (!begun) call->end_with(refuse(call->call(), begun.error()));
  } catch (const std::bad_alloc& failure) {
    call->end_with(refuse(call->call(), error_of(failure, "beginning")));
  }
}

void PregenerateCall::run() {
  grpc::Status status = grpc::Status::OK;
  try {
    const auto done = operations_.pregenerate(
        order_, stop_.get_token(), [this](const admin::PregenerationProgress& at) { tell(at); });
    const bool is_cancelled = !done && done.error().code == ErrorCode::kCancelled;
    if (not_any_more_) {
      status = refuse(call(), *not_any_more_);
    } else if (is_cancelled && !call().is_cancelled()) {
      status = refuse(call(), draining());
    } else if (!done) {
      status = refuse(call(), done.error());
    }
  } catch (const std::exception& failure) {
    status = refuse(call(), error_of(failure, "pregenerating"));
  }
  end_with(std::move(status));
}

void PregenerateCall::tell(const admin::PregenerationProgress& progress) {
  auto known = call().look_again(origins_);
  if (!known) {
    not_any_more_ = std::move(known.error());
    stop_.request_stop();
  }
  {
    grpc::ByteBuffer message = to_buffer(to_message(progress).SerializeAsString());
    const MutexLock lock(mutex_);
    next_ = std::move(message);
  }
  advance();
}

void PregenerateCall::end_with(grpc::Status status) {
  {
    const MutexLock lock(mutex_);
    end_ = std::move(status);
  }
  advance();
}

void PregenerateCall::advance() {
  const auto alive = shared_from_this();
  std::optional<grpc::Status> end;
  {
    const MutexLock lock(mutex_);
    if (writing_) return;
    if (next_ && !broken_) {
      wire_ = *std::exchange(next_, std::nullopt);
      writing_ = true;
    } else if (end_ && claim_end()) {
      end = std::move(end_);
    } else {
      return;
    }
  }
  end ? finish(*std::move(end)) : write(wire_);
}

void PregenerateCall::OnWriteDone(bool ok) {
  {
    const MutexLock lock(mutex_);
    writing_ = false;
    broken_ = broken_ || !ok;
  }
  advance();
}

}  // namespace terrane::rpc
