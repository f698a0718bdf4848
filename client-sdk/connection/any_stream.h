#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <memory>
#include <utility>

#include "byte_stream.h"

namespace terrane::connection {

/// A ByteStream as Beast wants its streams, so that the templates of Beast are compiled once for
/// all of them.
class AnyStream {
 public:
  using executor_type = asio::io_context::executor_type;

  explicit AnyStream(std::shared_ptr<ByteStream> stream) : stream_(std::move(stream)) {}

  [[nodiscard]] executor_type get_executor() const { return stream_->context().get_executor(); }
  [[nodiscard]] ByteStream& bytes() { return *stream_; }

  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(SystemError, std::size_t)>(
        [this](auto handler, asio::mutable_buffer into) {
          stream_->read_some(into, shared(std::move(handler)));
        },
        token, first<asio::mutable_buffer>(buffers));
  }
  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(SystemError, std::size_t)>(
        [this](auto handler, asio::const_buffer from) {
          stream_->write_some(from, shared(std::move(handler)));
        },
        token, first<asio::const_buffer>(buffers));
  }

 private:
  // std::function copies what it holds, and Beast's handlers can only be moved.
  template <typename Handler>
  static ByteStream::Done shared(Handler handler) {
    return [handler = std::make_shared<Handler>(std::move(handler))](
               SystemError error, std::size_t count) { std::move (*handler)(error, count); };
  }
  // The first that is not empty: as much as is promised of "some".
  template <typename Buffer, typename Buffers>
  static Buffer first(const Buffers& buffers) {
    for (auto at = asio::buffer_sequence_begin(buffers); at != asio::buffer_sequence_end(buffers);
         ++at) {
      if (const Buffer buffer(*at); buffer.size() > 0) return buffer;
    }
    return {};
  }

  std::shared_ptr<ByteStream> stream_;
};

// What Beast asks of a WebSocket's stream besides.
inline void beast_close_socket(AnyStream& stream) {
  SystemError ignored;
  stream.bytes().socket().close(ignored);
}
inline void teardown(boost::beast::role_type, AnyStream& stream, SystemError& error) {
  stream.bytes().socket().close(error);
}
template <typename Handler>
void async_teardown(boost::beast::role_type, AnyStream& stream, Handler&& handler) {
  beast_close_socket(stream);
  asio::post(stream.get_executor(),
             boost::beast::bind_front_handler(std::forward<Handler>(handler), SystemError()));
}

}  // namespace terrane::connection
