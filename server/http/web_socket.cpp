#include "http/web_socket.h"

#include <sys/socket.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include "http/peer.h"
#include "net/socket_traffic.h"
#include "rpc/memory_accounts.h"

namespace terrane::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using AsioError = boost::system::error_code;

constexpr std::size_t kReadBytes = 4096;  // at a time; nobody is asked about so much
// A message that is longer than it may be is refused by who reads it, who is given its beginning;
// one that is longer than this ends the connection.
constexpr std::size_t kMaxMessage = std::size_t{4} << 20;
constexpr std::chrono::milliseconds kBetweenLooks{200};
constexpr std::chrono::seconds kHandshake{10};
constexpr std::chrono::seconds kGoodbye{2};        // for a client to say that it knows of the end
constexpr std::chrono::seconds kFirstMessage{30};  // as Welcome.hello_deadline_ms has it
constexpr std::size_t kMaxReason = 123;            // RFC 6455, 5.5
// Pings and the like, each of which is answered: of a client that sends more than so many after a
// message, and five a second besides, the connection is dropped.
constexpr std::size_t kControlFrames = 16;
// Beside its messages a client may send so many bytes, and so many for each: frames, TLS.
constexpr std::uint64_t kFreeBytes = 64u << 10, kFraming = 128;

class WebSocket final : public MessageSocket, public std::enable_shared_from_this<WebSocket> {
 public:
  WebSocket(Stream stream, Port& port, const ExploreDoor& door, Request asked)
      : port_(port),
        door_(door),
        socket_(std::move(stream)),
        memory_(door.open_memory(asked)),
        asked_(std::move(asked)),
        buffer_(door.max_message_bytes() + 1 + kReadBytes),
        next_look_(connection().get_executor()) {
    port_.metrics.connections.add(1);
  }
  ~WebSocket() override { port_.metrics.connections.add(-1); }
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  void accept(UpgradeRequest upgrade);

  void read(std::function<void(Incoming)> then) override;
  void on_left(std::function<void()> then) override { left_ = std::move(then); }
  void write(std::vector<asio::const_buffer> bytes, std::function<void(bool)> then) override;
  void end(std::string text, std::uint16_t code, std::string reason) override;
  void drop() override;

 private:
  beast::tcp_stream& connection() { return beast::get_lowest_layer(socket_); }
  void set_time_for_handshakes(std::chrono::seconds time);
  void watch();
  void read_some();
  void on_read(AsioError error);
  void deliver(Incoming incoming);
  void close(websocket::close_reason reason);
  void say_goodbye(websocket::close_reason reason);
  [[nodiscard]] bool says_nothing();
  [[nodiscard]] std::uint64_t taken_in() {
    return net::bytes_taken_in(connection().socket().native_handle());
  }

  Port& port_;
  const ExploreDoor& door_;
  websocket::stream<Stream> socket_;
  rpc::MemoryAccounts::Hold memory_;
  std::optional<Request> asked_;  // until it is let in
  beast::flat_buffer buffer_;
  std::function<void(Incoming)> then_;  // who reads
  std::size_t control_frames_ = 0;      // since the last message, but for those of a while ago
  std::uint64_t messages_ = 0, message_bytes_ = 0;  // that have come
  std::uint64_t free_bytes_ = 0;                    // that may come beside
  bool is_ending_ = false;                          // what is said to that end is said
  std::function<void()> left_;                      // who is told
  asio::steady_timer next_look_;                    // whether the client is still there
  std::string last_text_;
};

void WebSocket::accept(UpgradeRequest upgrade) {
  set_time_for_handshakes(kHandshake);
  socket_.read_message_max(kMaxMessage);
  socket_.auto_fragment(false);
  socket_.binary(true);
  socket_.control_callback([this](websocket::frame_type frame, beast::string_view) {
    if (frame != websocket::frame_type::pong && ++control_frames_ > kControlFrames) drop();
  });
  // What it takes is of no job, so it is done when it is the client's turn.
  door_.in_turn(*asked_, [self = shared_from_this(), upgrade = std::move(upgrade)] {
    self->socket_.async_accept(upgrade, [self](AsioError error) {
      if (error) return;
      self->set_time_for_handshakes(kGoodbye);
      self->connection().expires_after(kFirstMessage);
      // a proxy may have used the connection for many requests before
      self->free_bytes_ = self->taken_in() + kFreeBytes;
      self->watch();
      self->door_.open(self, *std::exchange(self->asked_, std::nullopt));
    });
  });
}

/// Sees a client leave while nobody reads: what it has sent before would hide its end.
void WebSocket::watch() {
  next_look_.expires_after(kBetweenLooks);
  next_look_.async_wait([weak = weak_from_this()](AsioError error) {
    const auto self = weak.lock();
    if (error || self == nullptr || !self->connection().socket().is_open()) return;
    const int descriptor = self->connection().socket().native_handle();
    const bool left_unseen = !self->then_ && has_left(descriptor);
    if (left_unseen || self->says_nothing()) self->drop();
    if (left_unseen && self->left_) self->left_();
    if (self->control_frames_ > 0) --self->control_frames_;
    self->free_bytes_ += kFraming;  // for those that come now and then
    self->watch();
  });
}

/// At the beginning and at the end: Explore has heartbeats of its own in between.
void WebSocket::set_time_for_handshakes(std::chrono::seconds time) {
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = time;
  timeout.idle_timeout = websocket::stream_base::none();
  timeout.keep_alive_pings = false;
  socket_.set_option(timeout);
}

/// Of a client whose frames hold nothing: Beast reads one after the other, however many there are.
bool WebSocket::says_nothing() {
  if (is_ending_) return false;  // what is left is thrown away, for a while
  const std::uint64_t said = 2 * (message_bytes_ + buffer_.size()) + kFraming * messages_;
  return taken_in() > said + free_bytes_;
}

void WebSocket::read(std::function<void(Incoming)> then) {
  then_ = std::move(then);
  read_some();
}

void WebSocket::read_some() {
  socket_.async_read_some(
      buffer_, kReadBytes,
      [self = shared_from_this()](AsioError error, std::size_t) { self->on_read(error); });
}

void WebSocket::on_read(AsioError error) {
  using What = Incoming::What;
  if (is_ending_) return deliver({What::kBroken, {}});
  if (error == websocket::error::closed) return deliver({What::kClosed, {}});
  if (error) return deliver({What::kBroken, {}});
  if (!socket_.got_binary()) {
    close({websocket::close_code::bad_payload, "messages are binary"});
    return deliver({What::kBroken, {}});
  }
  const std::size_t held = buffer_.size() > kReadBytes ? buffer_.capacity() : 0;
  memory_.change(static_cast<std::ptrdiff_t>(held) - static_cast<std::ptrdiff_t>(memory_.bytes()));
  if (held > 0 && memory_.passed()) {
    close({websocket::close_code::try_again_later, "no memory for a message of this length"});
    return deliver({What::kBroken, {}});
  }
  const bool is_too_long = buffer_.size() > door_.max_message_bytes();
  if (!socket_.is_message_done() && !is_too_long) return read_some();
  control_frames_ = 0;
  const auto bytes = buffer_.data();
  Incoming incoming{What::kMessage, {static_cast<const char*>(bytes.data()), bytes.size()}};
  buffer_.clear();
  ++messages_;
  message_bytes_ += incoming.bytes.size();
  if (held > 0) buffer_.shrink_to_fit();
  deliver(std::move(incoming));
}

void WebSocket::deliver(Incoming incoming) {
  connection().expires_never();
  memory_.change(-static_cast<std::ptrdiff_t>(memory_.bytes()));
  std::exchange(then_, nullptr)(std::move(incoming));
}

void WebSocket::write(std::vector<asio::const_buffer> bytes, std::function<void(bool)> then) {
  socket_.async_write(bytes, [self = shared_from_this(), then = std::move(then)](
                                 AsioError error, std::size_t) { then(!error); });
}

void WebSocket::end(std::string text, std::uint16_t code, std::string reason) {
  if (std::exchange(is_ending_, true)) return;
  reason.resize(std::min(reason.size(), kMaxReason));
  const websocket::close_reason why(static_cast<websocket::close_code>(code), reason);
  if (text.empty()) return say_goodbye(why);
  last_text_ = std::move(text);
  socket_.text(true);
  connection().expires_after(kGoodbye);
  write({asio::buffer(last_text_)}, [self = shared_from_this(), why](bool is_sent) {
    if (is_sent) self->say_goodbye(why);
  });
}

/// For what the client has done.
void WebSocket::close(websocket::close_reason reason) {
  if (!std::exchange(is_ending_, true)) say_goodbye(reason);
}

/// Once: Beast never completes a second one.
void WebSocket::say_goodbye(websocket::close_reason reason) {
  connection().expires_never();  // the end has a time of its own
  socket_.async_close(reason, [self = shared_from_this()](AsioError) { self->drop(); });
}

/// With a reset: what has not been sent yet is not kept for a client that does not read.
void WebSocket::drop() {
  AsioError ignored;
  auto& socket = connection().socket();
  if (socket.is_open()) socket.set_option(asio::socket_base::linger(true, 0), ignored);
  connection().close();
}

}  // namespace

void open_web_socket(Stream stream, Port& port, const ExploreDoor& door, Request asked,
                     UpgradeRequest upgrade) {
  std::make_shared<WebSocket>(std::move(stream), port, door, std::move(asked))
      ->accept(std::move(upgrade));
}

}  // namespace terrane::http
