#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "any_stream.h"
#include "dial.h"
#include "ending.h"
#include "server_url.h"

namespace terrane::connection {

/// A WebSocket of /v1/explore, from its dialling to its end. Threads: that of its io_context.
class WebSocket : public std::enable_shared_from_this<WebSocket> {
 public:
  /// What is told of it, after its functions have returned; but for `ended`, which close() may
  /// tell.
  struct Events {
    std::function<void()> writable;  // it is open, or has written what it was given
    std::function<void(std::string_view)> received;
    std::function<void(const Ending&)> ended;  // last
  };

  WebSocket(ServerUrl url, std::shared_ptr<ByteStream> stream, const std::string& token,
            Events events);

  /// @param patience  until it is open
  void start(std::chrono::milliseconds patience);
  [[nodiscard]] bool is_open() const { return state_ == State::kOpen; }
  /// Whether something may be written: it is open, and nothing is being written.
  [[nodiscard]] bool is_writable() const { return is_open() && !writing_; }
  /// Only while is_writable().
  void write(std::string message);
  /// Says goodbye, and waits for as long that the other side does.
  void close(std::chrono::milliseconds patience);
  /// Is gone; nothing more is told of it.
  void drop();

 private:
  enum class State : std::uint8_t { kOpening, kOpen, kClosing, kGone };

  void shake_hands();
  void read();
  void take(SystemError error);
  void give_up_after(std::chrono::milliseconds patience, std::string why);
  void finish(Ending ending);

  const ServerUrl url_;
  std::shared_ptr<ByteStream> stream_;
  Events events_;
  boost::beast::websocket::stream<AnyStream> socket_;
  std::shared_ptr<Dial> dial_;
  asio::steady_timer timer_;
  boost::beast::websocket::response_type answer_;
  boost::beast::flat_buffer incoming_;
  std::string outgoing_;
  std::optional<Ending> told_;  // in text: why it will end
  State state_ = State::kOpening;
  bool writing_ = false;
};

}  // namespace terrane::connection
