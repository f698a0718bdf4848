#include "support/bad_gateway.h"

#include <array>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace terrane::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::string_view_literals;

constexpr std::size_t kPrefaceBytes = 24;
constexpr std::size_t kFrameHeaderBytes = 9;
constexpr std::uint8_t kData = 0, kHeaders = 1, kResetStream = 3, kSettings = 4, kPing = 6,
                       kGoAway = 7;
constexpr std::uint8_t kAck = 1, kEndStream = 1, kEndHeaders = 4;
// :status, by its name's index in HPACK's static table (RFC 7541), and content-type
constexpr std::string_view kStatus502 =
    "\x08\x03"
    "502"
    "\x0f\x10\x09"
    "text/html"sv;

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

std::string frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload) {
  std::string bytes = big_endian(static_cast<std::uint32_t>(payload.size())).substr(1);
  bytes += static_cast<char>(type);
  bytes += static_cast<char>(flags);
  bytes += big_endian(stream);
  return bytes.append(payload);
}

}  // namespace

/// One connection. On the gateway's thread; kept alive by what it waits for.
class BadGateway::Session : public std::enable_shared_from_this<BadGateway::Session> {
 public:
  Session(BadGateway& gateway, tcp::socket socket)
      : gateway_(gateway), socket_(std::move(socket)), random_(gateway.random_()) {}

  void start() {
    switch (random_() % 8) {
      case 0: return reset();
      case 1: return old_http();
      case 2: return say_nothing();
      default: break;
    }
    write(frame(kSettings, 0, 0, ""));
    read(kPrefaceBytes, [this] { read_frame(); });
  }

 private:
  template <typename Then>
  void read(std::size_t bytes, Then then) {
    buffer_.resize(bytes);
    asio::async_read(socket_, asio::buffer(buffer_),
                     [self = shared_from_this(), then](error_code error, std::size_t) {
                       if (!error) then();
                     });
  }

  void read_frame() {
    read(kFrameHeaderBytes, [this] {
      const auto byte = [this](std::size_t i) { return static_cast<std::uint8_t>(buffer_[i]); };
      const auto size = static_cast<std::size_t>(byte(0) << 16 | byte(1) << 8 | byte(2));
      const std::uint8_t type = byte(3), flags = byte(4);
      const std::uint32_t stream = static_cast<std::uint32_t>(byte(5) & 0x7f) << 24 |
                                   static_cast<std::uint32_t>(byte(6) << 16 | byte(7) << 8) |
                                   byte(8);
      read(size, [this, type, flags, stream] {
        take(type, flags, stream);
        if (socket_.is_open()) read_frame();
      });
    });
  }

  void take(std::uint8_t type, std::uint8_t flags, std::uint32_t stream) {
    if (type == kSettings && (flags & kAck) == 0) write(frame(kSettings, kAck, 0, ""));
    if (type == kPing && (flags & kAck) == 0) {
      write(frame(kPing, kAck, 0, std::string_view(buffer_.data(), buffer_.size())));
    }
    if (type == kHeaders) {
      ++gateway_.calls_;
      answer_soon(stream);
    }
  }

  void answer_soon(std::uint32_t stream) {
    auto timer = std::make_shared<asio::steady_timer>(gateway_.io_,
                                                      std::chrono::milliseconds(random_() % 20));
    timer->async_wait([self = shared_from_this(), timer, stream](error_code error) {
      if (!error && self->socket_.is_open()) self->answer(stream);
    });
  }

  void answer(std::uint32_t stream) {
    switch (random_() % 12) {
      case 0: return write(frame(kResetStream, 0, stream, big_endian(7)));  // REFUSED_STREAM
      case 1: return write(frame(kResetStream, 0, stream, big_endian(2)));  // INTERNAL_ERROR
      case 2: return;
      case 3: return write(frame(kGoAway, 0, 0, big_endian(0) + big_endian(0)));
      case 4: return reset();
      case 5: return socket_.close();
      case 6:
      case 7:
      case 8:  // the page does not wait for the end of the request, as nginx's doesn't
        write(frame(kHeaders, kEndHeaders, stream, kStatus502));
        write(frame(kData, kEndStream, stream, "<h1>502 Bad Gateway</h1>"));
        return write(frame(kResetStream, 0, stream, big_endian(0)));
      default: return write(frame(kHeaders, kEndHeaders | kEndStream, stream, kStatus502));
    }
  }

  void old_http() {
    write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    socket_.close();
  }

  void say_nothing() {
    read(kPrefaceBytes, [this] { say_nothing(); });
  }

  /// A few bytes, which fit into the system's buffer; an end of the connection is for read().
  void write(std::string_view bytes) {
    error_code ignored;
    asio::write(socket_, asio::buffer(bytes), ignored);
  }

  void reset() {
    error_code ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
  }

  BadGateway& gateway_;
  tcp::socket socket_;
  std::minstd_rand random_;
  std::vector<char> buffer_;
};

BadGateway::BadGateway(std::uint64_t seed)
    : acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)), random_(seed) {
  accept();
  thread_ = std::jthread([this] { io_.run(); });
}

BadGateway::~BadGateway() {
  io_.stop();
  thread_.join();
}

std::string BadGateway::address() const {
  return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
}

void BadGateway::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (error) return;
    std::make_shared<Session>(*this, std::move(socket))->start();
    accept();
  });
}

}  // namespace terrane::test
