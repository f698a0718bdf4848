#pragma once

#include <openssl/types.h>

#include <array>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <variant>

namespace terrane::http {

/// Several places in memory, one behind the other, as Asio takes them.
class GatheredBytes {
 public:
  /// The first of them, as far as there is room: as much as is promised of "write some".
  template <typename Buffers>
  explicit GatheredBytes(const Buffers& buffers) {
    namespace asio = boost::asio;
    const auto end = asio::buffer_sequence_end(buffers);
    for (auto at = asio::buffer_sequence_begin(buffers); at != end && size_ < kMost; ++at) {
      if (const asio::const_buffer part(*at); part.size() > 0) parts_.at(size_++) = part;
    }
  }

  [[nodiscard]] const boost::asio::const_buffer* begin() const { return parts_.data(); }
  [[nodiscard]] const boost::asio::const_buffer* end() const { return parts_.data() + size_; }

 private:
  static constexpr std::size_t kMost = 32;  // an answer's header is a piece a field
  std::array<boost::asio::const_buffer, kMost> parts_;
  std::size_t size_ = 0;
};

/// A connection's bytes, in the clear or through TLS, as Beast wants its streams: one type for
/// both, so that Beast's templates are compiled once. Threads: one at a time.
class Stream {
 public:
  using Error = boost::system::error_code;
  using Done = std::function<void(Error)>;
  using Moved = std::function<void(Error, std::size_t)>;
  using next_layer_type = boost::beast::tcp_stream;
  using executor_type = next_layer_type::executor_type;

  /// @param tls  null: in the clear
  Stream(boost::asio::ip::tcp::socket socket, std::shared_ptr<boost::asio::ssl::context> tls);

  /// What Beast's times are set for.
  [[nodiscard]] next_layer_type& next_layer();
  [[nodiscard]] executor_type get_executor() { return next_layer().get_executor(); }
  /// @return null in the clear
  [[nodiscard]] SSL* tls();

  /// What comes next should come in a piece or two: from the third read on each waits for twice as
  /// long as the one before it, 1 to 256 ms; where the last one took many, this one begins
  /// two reads before where that has ended. Who sends a byte at a time costs a thread that serves
  /// all others no more than who sends all at once.
  /// @param longest  after which a read that waits fails (beast::error::timeout): the stream's own
  ///   time does not run while nothing is being read
  void expect_few_reads(std::chrono::milliseconds longest);
  void expect_many_reads() { expects_few_ = false; }

  /// Until somebody reads again, the system tells nobody of what comes, unless the client leaves:
  /// each byte would wake the thread.
  void leave_unread() { hold(true); }

  /// Processor time of its thread that reads and writes have taken since this was asked last.
  [[nodiscard]] std::chrono::nanoseconds take_spent() {
    return std::exchange(spent_, std::chrono::nanoseconds(0));
  }

  /// Before all else, once; done at once in the clear.
  void handshake(Done done);
  /// Tells the client that no more comes, where TLS has a word for that.
  void shutdown(Done done);
  /// Ends the connection as the protocols ask for: the client has been told.
  void end(boost::beast::role_type role, Done done);

  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, boost::asio::mutable_buffer into) {
          read_some(into, shared(std::move(handler)));
        },
        token, first_of(buffers));
  }
  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(Error, std::size_t)>(
        [this](auto handler, const GatheredBytes& from) {
          write_some(from, shared(std::move(handler)));
        },
        token, GatheredBytes(buffers));
  }
  /// std::function copies what it holds, and Beast's handlers can only be moved.
  template <typename Handler>
  [[nodiscard]] static auto shared(Handler handler) {
    return [handler = std::make_shared<Handler>(std::move(handler))](auto... results) {
      std::move (*handler)(results...);
    };
  }

 private:
  using Encrypted = boost::asio::ssl::stream<next_layer_type>;

  template <typename Buffers>
  static boost::asio::mutable_buffer first_of(const Buffers& buffers) {
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end; ++at) {
      if (const boost::asio::mutable_buffer part(*at); part.size() > 0) return part;
    }
    return {};
  }
  void read_some(boost::asio::mutable_buffer into, Moved done);
  void hold(bool held);
  void read_now(boost::asio::mutable_buffer into, Moved done);
  [[nodiscard]] bool has_read_ahead();
  std::chrono::milliseconds pause_before_read();
  void write_some(const GatheredBytes& from, Moved done);

  std::shared_ptr<boost::asio::ssl::context> context_;
  std::variant<next_layer_type, Encrypted> bytes_;
  bool is_held_ = false;
  std::chrono::nanoseconds spent_{0};
  bool expects_few_ = false;
  int reads_left_ = 0;  // without a pause; below 0: with one
  std::chrono::steady_clock::time_point read_by_;
  boost::asio::steady_timer pause_;
};

/// What Beast asks of a WebSocket's stream besides.
template <typename Handler>
void async_teardown(boost::beast::role_type role, Stream& stream, Handler&& handler) {
  stream.end(role, Stream::shared(std::forward<Handler>(handler)));
}

}  // namespace terrane::http
