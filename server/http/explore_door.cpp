#include "http/explore_door.h"

#include <new>
#include <utility>

#include "http/call_host.h"
#include "http/explore_call.h"
#include "http/visitor.h"
#include "net/port_options.h"
#include "rpc/first_message.h"
#include "rpc/status.h"
#include "rpc/world_service.h"
#include "schedule/refusal.h"

namespace terrane::http {

Result<void> ExploreDoor::check_origin(const Request& request) const {
  const std::string& page = request.from_origin;
  // A browser shows the user's certificate for whatever page.
  const bool is_let_in = request.has_certificate ? cors_.names(page) : cors_.allows(page);
  if (page.empty() || page == request.origin || is_let_in) return {};
  return tl::unexpected(
      Error{.code = ErrorCode::kPermissionDenied,
            .message = "a page of this origin may not explore here: the server's operator names "
                       "those that may (--http-cors)",
            .reason = ErrorReason::kNotPermitted,
            .field = "Origin",
            .value = page});
}

rpc::MemoryAccounts::Hold ExploreDoor::open_memory(const Request& request) const {
  return memory_->open(backend_.clients.source_of(request.peer, request.forwarded_for).client);
}

void ExploreDoor::charge(const std::string& peer, const std::string& forwarded_for,
                         std::chrono::nanoseconds spent) const {
  service_.charge(backend_.clients.source_of(peer, forwarded_for), spent);
}

bool ExploreDoor::charge_connection(const net::AddressBytes& address, bool is_encrypted) const {
  constexpr std::chrono::microseconds kCost{60};
  return service_.charge_connection(address, is_encrypted ? kCost + net::kTlsCost : kCost);
}

void ExploreDoor::in_turn(const Request& request, std::function<void()> then) const {
  const schedule::Source source = backend_.clients.source_of(request.peer, request.forwarded_for);
  std::function<void()> charged = [this, source, then = std::move(then)] {
    service_.do_charged(source, then);
  };
  service_.in_turn(source,
                   [stay = request.host->stay(), host = request.host,
                    charged = std::move(charged)]() mutable { host->post(std::move(charged)); });
}

void ExploreDoor::open(std::shared_ptr<MessageSocket> socket, Request request) const {
  MessageSocket& its = *socket;
  its.read([this, socket = std::move(socket),
            request = std::move(request)](MessageSocket::Incoming incoming) {
    if (incoming.what != MessageSocket::Incoming::What::kMessage) {
      note_in_vain(request);
      return socket->drop();
    }
    try {
      begin(socket, request, std::move(incoming.bytes));
    } catch (const std::bad_alloc&) {
      end_socket(*socket, rpc::to_status(schedule::out_of_memory()));
    }
  });
}

/// An opening of which nothing comes.
void ExploreDoor::note_in_vain(const Request& request) const {
  service_.hang_ups()->note(backend_.clients.source_of(request.peer, request.forwarded_for),
                            rpc::HangUps::Clock::now());
}

void ExploreDoor::begin(const std::shared_ptr<MessageSocket>& socket, Request request,
                        std::string first) const {
  const std::string token = rpc::take_token(first);
  if (!token.empty() && request.authorization.empty()) request.authorization = "Bearer " + token;
  auto origin = identify(backend_, request);
  if (!origin) {
    note_in_vain(request);
    return end_socket(*socket, rpc::to_status(origin.error()));
  }
  ExploreCall::start(service_, backend_, *origin, std::move(request), socket, std::move(first));
}

}  // namespace terrane::http
