#include "http/json_call.h"

#include <new>
#include <utility>

#include "rpc/status.h"
#include "rpc/world_service.h"

namespace terrane::http {

JsonCall::JsonCall(rpc::WorldService& service, rpc::JsonQuery query, rpc::Origin origin,
                   const Request& request, Reply reply)
    : CarriedCall(*request.host, service.record(query.method), origin, service.hang_ups()),
      request_(std::move(query.request)),
      origin_(std::move(origin)),
      peer_(request.peer),
      request_id_(request.id),
      gone_(request.gone),
      reply_(std::move(reply)) {}

void JsonCall::start(rpc::WorldService& service, rpc::JsonQuery query, rpc::Origin origin,
                     const Request& request, Reply reply) {
  const std::shared_ptr<JsonCall> call(
      new JsonCall(service, std::move(query), std::move(origin), request, std::move(reply)));
  if (!enter(call)) return;
  // On the port's thread, as is what may break it off.
  call->host().post([call, &service] { service.take_in(call); });
}

/// Whether it may begin.
bool JsonCall::enter(const std::shared_ptr<JsonCall>& call) {
  bool has_entered = false;
  try {
    call->when_gone_.emplace(call->gone_, [weak = std::weak_ptr(call)] {
      const auto gone = weak.lock();
      if (gone != nullptr) gone->host().post([gone] { gone->break_off(); });
    });
    has_entered = call->host().enter(*call);
  } catch (const std::bad_alloc&) {
    has_entered = false;  // its reply, let go, says so
  }
  if (!has_entered) call->record().end(grpc::StatusCode::RESOURCE_EXHAUSTED);
  return has_entered;
}

/// It is over before anything could change.
Result<rpc::Origin> JsonCall::identify(const rpc::Origins&) const { return origin_; }

std::chrono::system_clock::time_point JsonCall::deadline() const {
  return std::chrono::system_clock::time_point::max();
}

void JsonCall::read_into(grpc::ByteBuffer& message) {
  host().post([call = self(), &message] {
    message.Swap(&call->request_);
    call->read_done(!call->is_broken_);
  });
}

/// Of what is said on the way nothing can be told.
void JsonCall::write(const grpc::ByteBuffer&) {
  host().post([call = self()] { call->write_done(!call->is_broken_); });
}

void JsonCall::cancel_with(const grpc::Status&) {
  host().post([call = self()] { call->break_off(); });
}

void JsonCall::break_off() {
  if (is_over_ || is_broken_.exchange(true)) return;
  cancelled();
}

void JsonCall::send_end(grpc::Status status) {
  try {
    end_with(error_page(rpc::to_error(status)));
  } catch (const std::bad_alloc&) {
    end();
  }
}

void JsonCall::send_last(const grpc::ByteBuffer& message) {
  try {
    Page page = json_page(rpc::response_json(record().method(), message));
    if (origin_.caller) page.cache_control = "private, no-cache";
    end_with(std::move(page));
  } catch (const std::bad_alloc&) {
    end();
  }
}

void JsonCall::end_with(Page page) {
  const Reply reply = std::exchange(reply_, nullptr);
  reply(std::move(page));
  end();
}

/// Where nothing has been answered, the reply that is let go says why.
void JsonCall::end() {
  is_over_ = true;
  reply_ = nullptr;
  host().post([call = self()] {
    call->when_gone_.reset();
    call->done();
    call->host().leave(*call);
  });
}

}  // namespace terrane::http
