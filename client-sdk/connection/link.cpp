#include "link.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <limits>
#include <new>
#include <random>
#include <string>
#include <utility>

#include "background_thread.h"

namespace terrane::connection {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGoodbye{100};      // where the game waits
constexpr milliseconds kServersEnd{2000};  // that a server asked for, and has to follow
constexpr milliseconds kBetweenLooks{10};
constexpr milliseconds kTokenLook{100};

}  // namespace

Link::Link(Servers servers, terrane_explorer* explorer, Bell& bell)
    : servers_(std::move(servers)),
      explorer_(explorer),
      bell_(bell),
      work_(asio::make_work_guard(context_)),
      timer_(context_),
      leaving_(context_, asio::steady_timer::time_point::max()) {
  leaving_.async_wait([this](SystemError) { leave(); });
  thread_ = std::thread([this] { run(); });
}

Link::~Link() {
  leaving_.cancel();  // takes no memory, of which there may be none
  thread_.join();
}

std::int64_t Link::now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Link::flush() {
  if (is_flushing_.exchange(true)) return;
  try {
    asio::post(context_, [this] {
      is_flushing_ = false;
      look();
    });
  } catch (...) {
    is_flushing_ = false;
    throw;
  }
}

void Link::run() {
  core::interrupt_nobody();
  const char* failure = "";  // nothing has failed, but there is a look to take
  for (;;) {
    try {
      if (failure != nullptr) start_over(std::exchange(failure, nullptr));
      context_.run();
      return;
    } catch (const std::bad_alloc&) {
      failure = "there is no memory left";
    } catch (...) {
      failure = "something unexpected was thrown";
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

/// @param failure  what has ended all that was under way; empty: nothing
void Link::start_over(std::string_view failure) {
  if (leaves_) return context_.stop();
  if (failure.empty()) return look();
  if (socket_) socket_->drop();
  lose({TERRANE_RESOURCE_EXHAUSTED, std::string(failure), 0});
}

void Link::look() {
  if (leaves_) return;
  if (!socket_) {
    if (now() >= not_before_ && terrane_explorer_wants_stream(explorer_, now()) != 0) open();
  } else if (socket_->is_open() && terrane_explorer_is_overdue(explorer_, now()) != 0) {
    socket_->drop();
    lose({TERRANE_UNAVAILABLE, servers_.urls[next_url_].text() + " has been silent for too long",
          0});
  }
  send();
  const std::int64_t next = std::max(terrane_explorer_next_look(explorer_),
                                     socket_ || now() >= not_before_ ? 0 : not_before_);
  if (next == std::numeric_limits<std::int64_t>::max()) {
    timer_.cancel();
    return;
  }
  timer_.expires_after(
      std::max<std::chrono::nanoseconds>(kBetweenLooks, std::chrono::nanoseconds(next - now())));
  timer_.async_wait([this](SystemError error) {
    if (!error) look();
  });
}

void Link::open() {
  const auto token = servers_.get_token();
  if (servers_.token && token && token->empty()) {  // until there is one
    not_before_ = now() + std::chrono::nanoseconds(kTokenLook).count();
    return;
  }
  if (!token)
    return lose({static_cast<terrane_code>(token.error().code), token.error().message, 0});
  const ServerUrl& url = servers_.urls[next_url_];
  socket_ = std::make_shared<WebSocket>(
      url, servers_.stream(context_, url), *token,
      WebSocket::Events{[this, opened = false]() mutable {
                          if (!std::exchange(opened, true)) tell_opened();
                          look();
                        },
                        [this](std::string_view message) { take(message); },
                        [this](const Ending& ending) { lose(ending); }});
  socket_->start(servers_.patience);
}

void Link::tell_opened() {
  if (terrane_explorer_opened(explorer_, nullptr) == TERRANE_OK) return;
  socket_->drop();
  lose({TERRANE_RESOURCE_EXHAUSTED, "there is no memory left", 0});
}

void Link::send() {
  if (!socket_ || !socket_->is_writable()) return;
  std::string message(terrane_explorer_next_message(explorer_, now(), nullptr, 0), '\0');
  if (message.empty()) return;
  const auto size = terrane_explorer_next_message(explorer_, now(), message.data(), message.size());
  if (size == message.size()) socket_->write(std::move(message));
}

void Link::take(std::string_view message) {
  if (leaves_) return;
  terrane_error error{};
  error.struct_size = sizeof error;
  const terrane_code code =
      terrane_explorer_receive(explorer_, message.data(), message.size(), now(), &error);
  if (code == TERRANE_CANCELLED) {
    socket_->close(kServersEnd);  // and it says why
  } else if (code != TERRANE_OK) {
    socket_->close(kGoodbye);
  }
  bell_.ring();
  look();
}

/// What the socket was is over.
void Link::lose(const Ending& ending) {
  socket_ = nullptr;
  if (leaves_) return context_.stop();
  next_url_ = (next_url_ + 1) % servers_.urls.size();
  // of a server that has too much to do the explorer itself sees to it
  if (ending.code == TERRANE_UNAVAILABLE && ending.retry_after_ms > 0) {
    const auto pause = static_cast<double>(ending.retry_after_ms) * 1e6;
    not_before_ = now() + static_cast<std::int64_t>(
                              pause * std::uniform_real_distribution(1.0, 1.5)(random_));
  }
  terrane_explorer_closed(explorer_, ending.code, ending.message.c_str(), ending.retry_after_ms,
                          now());
  bell_.ring();
  look();
}

void Link::leave() {
  leaves_ = true;
  terrane_explorer_closed(explorer_, TERRANE_UNAVAILABLE, "the game has closed the connection", 0,
                          now());
  timer_.cancel();
  const auto socket = socket_;  // which lose() lets go of
  if (!socket) return context_.stop();
  socket->close(kGoodbye);
}

}  // namespace terrane::connection
