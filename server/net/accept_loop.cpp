#include "net/accept_loop.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <utility>

#include "log.h"
#include "net/packet_filter.h"
#include "net/proxy_greeting.h"
#include "terrane/result_macros.h"

namespace terrane::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = OpenConnections::Clock;

constexpr int kAtOnce = 64;                       // then others of the thread have their turn
constexpr std::chrono::milliseconds kPause{100};  // when the system can't give any more
// When some were closed as soon as they came, and no other waits: whoever comes again at once then
// wakes the thread 200 times a second, and not for each.
constexpr std::chrono::milliseconds kRefusedPause{5};
constexpr unsigned kLooksBetweenSweeps = 10;

/// Whether accept4() failed for one connection alone, which is gone with it (accept(2)).
bool is_of_one_connection(int error) {
  switch (error) {
    case EINTR:
    case ECONNABORTED:
    case EPERM:
    case EPROTO:
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case EOPNOTSUPP:
    case ENETUNREACH: return true;
    default: return false;
  }
}

int open_something() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

/// As accept4() has it: -1, and the reason in errno.
int accept_from(tcp::acceptor& acceptor, sockaddr_storage& peer) {
  socklen_t size = sizeof peer;
  return accept4(acceptor.native_handle(), reinterpret_cast<sockaddr*>(&peer), &size,
                 SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// Held by who takes a descriptor. Where none is left, another port would else take, and keep, the
/// one that a port gives back for a moment to turn a connection away with.
std::mutex taking;

}  // namespace

AcceptLoop::AcceptLoop(asio::io_context& io, PortOptions options, ops::Metrics& metrics,
                       TakeConnection take)
    : io_(io),
      options_(std::move(options)),
      take_(std::move(take)),
      connections_(options_.limits, options_.proxied, options_.reads),
      tick_(io) {
  const ops::Labels port{{"port", options_.name}};
  counters_.accepted =
      metrics.counter("terrane_connections_accepted_total", "Connections taken.", port);
  for (std::size_t i = 0; i < kRefusals; ++i) {
    counters_.refused[i] = metrics.counter(
        "terrane_connections_refused_total",
        "Connections closed as soon as they came: total (the port holds as many as it may), client "
        "(one client has as many as it may), descriptors (the system gives no more), sent_away (a "
        "client that may not come for a while), proxy_header (a trusted proxy did not say for whom "
        "it connects).",
        {{"port", options_.name}, {"reason", to_string(static_cast<Refusal>(i))}});
  }
  counters_.sent_away =
      metrics.counter("terrane_clients_sent_away_total",
                      "Clients whose connections were closed at once: too many of their "
                      "calls were in vain, or memory was short and theirs had "
                      "brought most.",
                      port);
  counters_.open = metrics.gauge("terrane_open_connections",
                                 "Connections that are open, as of ten seconds ago at most.", port);
  counters_.ignored = metrics.gauge(
      "terrane_ignored_clients",
      "Clients whose requests to connect get no answer for a second or two: they came again and "
      "again as fast as they were refused, or connected more often than their share allows.",
      port);
  metrics.gauge("terrane_max_connections", "Connections that a port holds at most.", port)
      .add(static_cast<std::int64_t>(options_.limits.total));
}

AcceptLoop::~AcceptLoop() {
  if (reserve_ >= 0) close(reserve_);
  const std::string last = report_.line(Clock::time_point::max(), options_.limits);
  if (!last.empty()) spdlog::warn("{} port: {}", options_.name, last);
}

Result<std::string> AcceptLoop::listen(const std::string& address) {
  TERRANE_ASSIGN_OR_RETURN(auto sockets,
                           listen_on(io_, address, options_.wildcard, options_.sockets));
  for (tcp::acceptor& acceptor : sockets.acceptors)
    doors_.push_back({.acceptor = std::move(acceptor), .pause = asio::steady_timer(io_)});
  return address.substr(0, address.rfind(':') + 1) + std::to_string(sockets.port);
}

void AcceptLoop::start() {
  {
    const std::lock_guard lock(taking);
    keep_reserve();
  }
  for (Door& door : doors_) await(door);
  look_after_later();
}

void AcceptLoop::send_away(const AddressBytes& client, std::chrono::milliseconds time,
                           const std::string& why) {
  const Clock::time_point now = Clock::now();
  const auto ended = connections_.send_away(client, now, now + time);
  if (!ended) return;
  counters_.sent_away.add();
  spdlog::warn("{} port: closed the {} connections of {}, which may come back in {} s: {}",
               options_.name, *ended, client_text(client), time.count() / 1000, why);
}

void AcceptLoop::await(Door& door) {
  door.is_awaited = false;
  door.acceptor.async_wait(tcp::acceptor::wait_read,
                           [this, &door](boost::system::error_code error) {
                             if (error == asio::error::operation_aborted) return;
                             if (error) return await_later(door, kPause);
                             door.is_awaited = false;
                             accept_some(door);
                           });
  door.is_awaited = true;
}

void AcceptLoop::accept_some(Door& door) {
  const std::uint64_t refused_before = refused_;
  for (int i = 0; i < kAtOnce; ++i) {
    sockaddr_storage peer{};
    std::unique_lock lock(taking);
    const int descriptor = accept_from(door.acceptor, peer);
    int error = descriptor < 0 ? errno : 0;
    if (error == EMFILE || error == ENFILE) error = turn_away(door);
    lock.unlock();
    if (descriptor >= 0) {
      if (!ignored_.clients().empty()) drop_packets_of(descriptor, {});  // it has inherited that
      receive(descriptor, peer);
    } else if (error == EAGAIN) {
      if (refused_ != refused_before) return await_later(door, kRefusedPause);
      break;
    } else if (error != 0 && !is_of_one_connection(error)) {
      spdlog::debug("{} port: can't accept a connection: {}", options_.name, std::strerror(error));
      return await_later(door, kPause);
    }
  }
  await(door);
}

void AcceptLoop::await_later(Door& door, std::chrono::milliseconds pause) {
  door.pause.expires_after(pause);
  door.pause.async_wait([this, &door](boost::system::error_code error) {
    if (error) return;
    await(door);
  });
  door.is_awaited = true;
}

void AcceptLoop::receive(int descriptor, const sockaddr_storage& peer) {
  bool is_handed_on = false;
  try {
    const AddressBytes address = address_of(peer);
    const AddressBytes client = client_of(address);
    const bool is_exempt = options_.is_exempt && options_.is_exempt(address);
    const auto refusal = connections_.admit(descriptor, client, is_exempt, Clock::now());
    if (!refusal) {
      if (is_exempt && options_.proxied) return hear_proxy(descriptor, {address, port_of(peer)});
      if (!is_exempt && options_.reads)
        connections_.note_peer(descriptor, {address, port_of(peer)}, address);
      counters_.accepted.add();
      is_handed_on = true;
      const bool is_greedy = take_(descriptor, address);
      if (is_greedy && may_ignore(address) && ignored_.note_greedy(client, Clock::now()))
        drop_requests_of_ignored();
      return;
    }
    refuse(*refusal, client);
    if (may_ignore(address) && ignored_.note_refused(client, Clock::now()))
      drop_requests_of_ignored();
  } catch (const std::exception& failure) {  // a lack of memory, which must not end the loop
    spdlog::error("{} port: a connection could not be taken{}: {}", options_.name,
                  is_handed_on ? " as it should" : " and is closed", failure.what());
  }
  if (!is_handed_on) close(descriptor);
}

/// Throws std::bad_alloc, and the descriptor is then the caller's.
void AcceptLoop::hear_proxy(int descriptor, const ProxiedClients::Endpoint& proxy) {
  read_proxy_header(io_, descriptor, options_.header_timeout,
                    [this, proxy](int heard, const Result<ProxyHeader>& header) {
                      receive_proxied(heard, proxy, header);
                    });
}

/// It is counted as the proxy's, until it is known for whom it is.
void AcceptLoop::receive_proxied(int descriptor, const ProxiedClients::Endpoint& proxy,
                                 const Result<ProxyHeader>& header) {
  if (!header) {
    spdlog::debug("{} port: a connection of {}: {}", options_.name, client_text(proxy.address),
                  header.error().message);
    return refuse(Refusal::kProxyHeader, client_of(proxy.address));
  }
  bool is_handed_on = false;
  try {
    // those of whom it doesn't know are one client, of no address
    const AddressBytes address =
        header->is_own ? proxy.address : header->client.value_or(AddressBytes{});
    const AddressBytes client = client_of(address);
    const bool is_exempt = options_.is_exempt(address);
    const auto refusal = connections_.admit(descriptor, client, is_exempt, Clock::now());
    if (!refusal) {
      connections_.note_proxied(descriptor, proxy, address);
      if (!is_exempt && options_.reads) connections_.note_peer(descriptor, proxy, address);
      counters_.accepted.add();
      is_handed_on = true;
      take_(descriptor, address);
      return;
    }
    refuse(*refusal, client);
  } catch (const std::exception& failure) {
    spdlog::error("{} port: a connection could not be taken{}: {}", options_.name,
                  is_handed_on ? " as it should" : " and is closed", failure.what());
  }
  if (!is_handed_on) close(descriptor);
}

void AcceptLoop::refuse(Refusal refusal, const AddressBytes& client) {
  counters_.refused[static_cast<std::size_t>(refusal)].add();
  ++refused_;
  report_.note(refusal, client);
  if (options_.state == nullptr) return;
  if (refusal == Refusal::kTotal) *options_.state = Accepting::kFull;
  if (refusal == Refusal::kDescriptors) *options_.state = Accepting::kNoDescriptors;
}

/// Whether all that comes from there is one client's. A proxy on this machine stands for many, even
/// if nobody has said so.
bool AcceptLoop::may_ignore(const AddressBytes& address) const {
  return !is_this_host(address) && !(options_.is_exempt && options_.is_exempt(address));
}

/// Where the system takes no filter they are refused as before, and it is asked again.
void AcceptLoop::drop_requests_of_ignored() {
  is_filtered_ = false;  // a lack of memory, too
  bool done = true;
  for (Door& door : doors_)
    done = drop_packets_of(door.acceptor.native_handle(), ignored_.clients()) && done;
  is_filtered_ = done || ignored_.clients().empty();
  if (!is_filtered_) spdlog::debug("{} port: can't filter packets", options_.name);
  const auto count = done ? static_cast<std::int64_t>(ignored_.clients().size()) : 0;
  counters_.ignored.add(count - std::exchange(shown_ignored_, count));
}

/// Accepts a connection with the reserve and closes it, so that its client knows, and may find
/// another server. Who calls holds `taking`.
/// @return 0, or why there is none: EMFILE if there is no descriptor even for that
int AcceptLoop::turn_away(Door& door) {
  keep_reserve();
  if (reserve_ < 0) {
    if (options_.state != nullptr) *options_.state = Accepting::kNoDescriptors;
    return EMFILE;
  }
  close(reserve_);
  reserve_ = -1;
  sockaddr_storage peer{};
  const int descriptor = accept_from(door.acceptor, peer);
  const int error = descriptor < 0 ? errno : 0;
  if (descriptor >= 0) {
    refuse(Refusal::kDescriptors, client_of(address_of(peer)));
    close(descriptor);
  }
  keep_reserve();
  return error;
}

void AcceptLoop::look_after_later() {
  tick_.expires_after(options_.look_every);
  tick_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    look_after_later();  // first: whatever becomes of this one
    look_after();
  });
}

void AcceptLoop::look_after() {
  if (++ticks_ % kLooksBetweenSweeps == 0 || connections_.is_full()) connections_.sweep();
  if (ignored_.look_after(Clock::now()) || !is_filtered_) drop_requests_of_ignored();
  counters_.open.add(static_cast<std::int64_t>(connections_.open()) -
                     static_cast<std::int64_t>(shown_));
  shown_ = connections_.open();
  if (options_.state != nullptr) *options_.state = state_now();
  for (Door& door : doors_) {
    if (!door.is_awaited) await(door);
  }
  const std::string line = report_.line(Clock::now(), options_.limits);
  if (!line.empty()) spdlog::warn("{} port: {}", options_.name, line);
}

Accepting AcceptLoop::state_now() {
  const std::lock_guard lock(taking);
  keep_reserve();
  const int spare = reserve_ < 0 ? -1 : open_something();
  if (spare < 0) return Accepting::kNoDescriptors;
  close(spare);
  return connections_.is_full() ? Accepting::kFull : Accepting::kYes;
}

/// Who calls holds `taking`.
void AcceptLoop::keep_reserve() {
  if (reserve_ < 0) reserve_ = open_something();
}

}  // namespace terrane::net
