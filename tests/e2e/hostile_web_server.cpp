#include "e2e/hostile_web_server.h"

#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/detail/base64.hpp>
#include <boost/beast/websocket/detail/hybi13.hpp>
#include <utility>

namespace terrane::e2e {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;

void send(tcp::socket& socket, const std::string& bytes) {
  Error ignored;
  asio::write(socket, asio::buffer(bytes), ignored);
}

/// A frame of a server's. @param first  its first byte: FIN and the opcode
std::string frame(unsigned char first, const std::string& payload) {
  std::string bytes(1, static_cast<char>(first));
  if (payload.size() < 126) {
    bytes += static_cast<char>(payload.size());
  } else {
    bytes += '\x7e';
    bytes += static_cast<char>(payload.size() >> 8);
    bytes += static_cast<char>(payload.size() & 255);
  }
  return bytes + payload;
}

/// The value of a field of a request.
std::string field(const std::string& request, const std::string& name) {
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return request.substr(begin, request.find("\r\n", begin) - begin);
}

std::string handshake(const std::string& request) {
  boost::beast::websocket::detail::sec_ws_accept_type accept;
  boost::beast::websocket::detail::make_sec_ws_accept(accept, field(request, "Sec-WebSocket-Key"));
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Accept: " +
         std::string(accept.data(), accept.size()) + "\r\n\r\n";
}

std::string page(const std::string& status, const std::string& more = {}) {
  return "HTTP/1.1 " + status + "\r\n" + more +
         "Content-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>";
}

}  // namespace

HostileWebServer::HostileWebServer(Manners manners)
    : manners_(manners), acceptor_(io_, {asio::ip::address_v4::loopback(), 0}), thread_([this] {
        while (!ends_) {
          tcp::socket socket(io_);
          Error error;
          acceptor_.accept(socket, error);
          if (error) continue;
          {
            const std::lock_guard lock(mutex_);
            if (ends_) return;
            client_ = &socket;
          }
          serve(socket);
          const std::lock_guard lock(mutex_);
          client_ = nullptr;
        }
      }) {}

HostileWebServer::~HostileWebServer() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    if (client_ != nullptr) ::shutdown(client_->native_handle(), SHUT_RDWR);
  }
  ::shutdown(acceptor_.native_handle(), SHUT_RDWR);  // wakes who waits in accept()
  thread_.join();
}

std::string HostileWebServer::address() const {
  return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
}

void HostileWebServer::wait_for_client() const { was_asked_.wait(false); }

void HostileWebServer::serve(Socket& socket) const {
  std::string request;
  Error error;
  if (manners_ != Manners::kHangsUp && manners_ != Manners::kSilent)
    asio::read_until(socket, asio::dynamic_buffer(request, 65536), "\r\n\r\n", error);
  if (!error && manners_ >= Manners::kWelcomesAndIsSilent) send(socket, handshake(request));
  was_asked_ = true;
  was_asked_.notify_all();
  if (!error) misbehave(socket);
}

void HostileWebServer::misbehave(Socket& socket) const {
  const auto wait_for_its_end = [&] {
    std::string rest;
    Error error;
    asio::read(socket, asio::dynamic_buffer(rest), error);
  };
  const auto forever = [&](const std::string& bytes) {
    Error error;
    while (!error && !ends_) asio::write(socket, asio::buffer(bytes), error);
  };
  switch (manners_) {
    case Manners::kSilent:
    case Manners::kWelcomesAndIsSilent: return wait_for_its_end();
    case Manners::kHangsUp: return;
    case Manners::kJunk: send(socket, std::string(100'000, '\x81')); return;
    case Manners::kEndlessHeader: return forever("X-More: " + std::string(1000, 'x') + "\r\n");
    case Manners::kBadGateway: return send(socket, page("502 Bad Gateway"));
    case Manners::kRedirect:
      return send(socket, page("301 Moved Permanently", "Location: http://127.0.0.1/\r\n"));
    case Manners::kNotFound: return send(socket, page("404 Not Found"));
    case Manners::kHugePage:
      return send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 8000000000\r\n\r\nand so on");
    case Manners::kAsksToClose: send(socket, frame(0x82, "\x48\x01")); break;  // `ending`
    case Manners::kBinaryJunk: send(socket, frame(0x82, std::string(300, '\xff'))); break;
    case Manners::kHugeMessage:
      send(socket, "\x82\x7f" + std::string(1, '\0') + std::string(7, '\x7f'));
      break;
    case Manners::kTextForever:
      return forever(frame(0x01, std::string(60'000, '{')) + frame(0x00, std::string(60'000, '{')));
    case Manners::kPingsForever: return forever(frame(0x89, std::string(100, 'p')));
    case Manners::kBadFrames: send(socket, frame(0xf7, "reserved")); break;
    case Manners::kOddClose: send(socket, frame(0x88, "\x13\x87what")); break;
  }
  wait_for_its_end();
}

}  // namespace terrane::e2e
