#include "web_socket.h"

#include <utility>

#include "terrane_version.h"

namespace terrane::connection {
namespace {

namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using std::chrono::milliseconds;

constexpr std::size_t kMaxMessage = std::size_t{4} << 20;  // a batch has 262,144 bytes and a chunk

}  // namespace

WebSocket::WebSocket(ServerUrl url, std::shared_ptr<ByteStream> stream, const std::string& token,
                     Events events)
    : url_(std::move(url)),
      stream_(std::move(stream)),
      events_(std::move(events)),
      socket_(AnyStream(stream_)),
      dial_(std::make_shared<Dial>(stream_->context(), url_, stream_)),
      timer_(stream_->context()) {
  socket_.set_option(websocket::stream_base::timeout{websocket::stream_base::none(),
                                                     websocket::stream_base::none(), false});
  socket_.set_option(websocket::stream_base::decorator([token](websocket::request_type& request) {
    request.set(http::field::user_agent, "terrane_connection/" TERRANE_VERSION);
    if (!token.empty()) request.set(http::field::authorization, "Bearer " + token);
  }));
  socket_.read_message_max(kMaxMessage);
  socket_.binary(true);
}

void WebSocket::start(milliseconds patience) {
  give_up_after(patience, "not connected with " + url_.text() + " within " +
                              std::to_string(patience.count()) + " ms");
  dial_->start(patience, [self = shared_from_this()](const std::string& failure) {
    if (self->state_ != State::kOpening) return;
    if (!failure.empty()) {
      return self->finish({TERRANE_UNAVAILABLE, self->url_.text() + ": " + failure, 0});
    }
    self->shake_hands();
  });
}

void WebSocket::shake_hands() {
  socket_.async_handshake(
      answer_, url_.authority(), url_.path + "/v1/explore",
      [self = shared_from_this()](SystemError error) {
        if (self->state_ != State::kOpening) return;
        if (error == websocket::error::upgrade_declined) {
          Ending why = refusal(self->answer_);
          why.message = self->url_.text() + ": " + why.message;
          return self->finish(std::move(why));
        }
        if (error) {
          return self->finish(
              {TERRANE_UNAVAILABLE, self->url_.text() + " is no WebSocket: " + error.message(), 0});
        }
        self->timer_.cancel();
        self->state_ = State::kOpen;
        self->read();
        self->events_.writable();
      });
}

void WebSocket::read() {
  socket_.async_read(incoming_, [self = shared_from_this()](SystemError error, std::size_t) {
    if (self->state_ != State::kGone) self->take(error);
  });
}

void WebSocket::take(SystemError error) {
  if (error) {
    if (told_) return finish(*std::move(told_));
    const auto& reason = socket_.reason();
    if (error == websocket::error::closed)
      return finish(closing(reason.code, reason.reason.c_str()));
    return finish({TERRANE_UNAVAILABLE,
                   "the connection with " + url_.text() + " is lost: " + error.message(), 0});
  }
  const auto bytes = incoming_.cdata();
  const std::string_view message(static_cast<const char*>(bytes.data()), bytes.size());
  if (!socket_.got_binary()) {
    told_ = read_http_error(message, {TERRANE_UNAVAILABLE, "the server sends what is no message"});
  } else if (state_ == State::kOpen) {
    events_.received(message);
    if (state_ == State::kGone) return;
  }
  incoming_.consume(incoming_.size());
  read();
}

void WebSocket::write(std::string message) {
  writing_ = true;
  outgoing_ = std::move(message);
  socket_.async_write(asio::buffer(outgoing_),
                      [self = shared_from_this()](SystemError error, std::size_t) {
                        self->writing_ = false;
                        // an error ends what is read, too, with more to tell
                        if (!error && self->state_ == State::kOpen) self->events_.writable();
                      });
}

void WebSocket::close(milliseconds patience) {
  if (state_ == State::kOpening) return finish({TERRANE_CANCELLED, "closed by this side", 0});
  if (state_ == State::kGone) return;
  if (state_ == State::kClosing)  // with another patience
    return give_up_after(patience, "the server does not say goodbye");
  state_ = State::kClosing;
  give_up_after(patience, "the server does not say goodbye");
  socket_.async_close(websocket::close_code::normal, [self = shared_from_this()](SystemError) {});
}

void WebSocket::give_up_after(milliseconds patience, std::string why) {
  timer_.expires_after(patience);
  timer_.async_wait([self = shared_from_this(), why = std::move(why)](SystemError error) {
    if (error || self->state_ == State::kGone || self->state_ == State::kOpen) return;
    self->finish(self->told_ ? *std::move(self->told_) : Ending{TERRANE_UNAVAILABLE, why, 0});
  });
}

void WebSocket::finish(Ending ending) {
  const auto ended = std::move(events_.ended);
  drop();
  if (ended) ended(ending);
}

void WebSocket::drop() {
  state_ = State::kGone;
  timer_.cancel();
  dial_->cancel();  // and with it the socket
}

}  // namespace terrane::connection
