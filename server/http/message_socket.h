#pragma once

#include <boost/asio/buffer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace terrane::http {

/// A WebSocket that carries messages both ways (RFC 6455). All of it, what is called back too, on
/// the port's thread.
class MessageSocket {
 public:
  struct Incoming {
    enum class What : std::uint8_t {
      kMessage,
      kClosed,  // the client says that it says no more
      kBroken   // nothing goes either way any more
    };
    What what = What::kBroken;
    std::string bytes = {};
  };

  virtual ~MessageSocket() = default;

  /// Of what a client may have waiting this is taken from the system, and no more. One at a time.
  virtual void read(std::function<void(Incoming)> then) = 0;

  /// Called where the client is seen to leave while nobody reads. May throw std::bad_alloc.
  virtual void on_left(std::function<void()> then) = 0;

  /// A binary message. One at a time. @param bytes  live until `then` is called
  virtual void write(std::vector<boost::asio::const_buffer> bytes,
                     std::function<void(bool)> then) = 0;

  /// The end: a text message, unless it is empty, and what RFC 6455 calls closing. No more is
  /// written.
  virtual void end(std::string text, std::uint16_t code, std::string reason) = 0;

  /// Ends it at once, and whatever is read and written.
  virtual void drop() = 0;
};

}  // namespace terrane::http
