#include "net/proxy_greeting.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

namespace terrane::net {
namespace {

namespace asio = boost::asio;
using Done = std::function<void(int, Result<ProxyHeader>)>;

/// Lives in the handlers that wait for it.
class Greeting : public std::enable_shared_from_this<Greeting> {
 public:
  Greeting(asio::io_context& io, Done done) : socket_(io), timer_(io), done_(std::move(done)) {}

  /// @return whether the descriptor is this one's now
  [[nodiscard]] bool take(int descriptor) {
    boost::system::error_code error;
    socket_.assign(asio::ip::tcp::v6(), descriptor, error);  // no family is asked for
    return !error;
  }

  void give_back() {
    done_ = nullptr;
    boost::system::error_code error;
    static_cast<void>(socket_.release(error));
  }

  void start(std::chrono::milliseconds timeout) {
    timer_.expires_after(timeout);
    timer_.async_wait([self = shared_from_this(), timeout](boost::system::error_code error) {
      if (!error)
        self->end(fail(ErrorCode::kDeadlineExceeded,
                       "no PROXY header for " + std::to_string(timeout.count()) + " ms"));
    });
    read();
  }

 private:
  [[nodiscard]] std::span<const std::uint8_t> begin() const {
    return std::span(bytes_).first(size_);
  }

  void read() {
    const std::size_t wanted = proxy_header_wants(begin()) - size_;
    socket_.async_read_some(
        asio::buffer(bytes_.data() + size_, wanted),
        [self = shared_from_this()](boost::system::error_code error, std::size_t count) {
          self->size_ += count;
          if (error == asio::error::operation_aborted) return;
          if (error) return self->end(fail(ErrorCode::kUnavailable, error.message()));
          self->look();
        });
  }

  void look() {
    const auto header = parse_proxy_header(begin());
    if (!header) return end(tl::unexpected(header.error()));
    if (!*header) return read();
    end(**header);
  }

  void end(Result<ProxyHeader> header) {
    const Done done = std::exchange(done_, nullptr);
    if (!done) return;
    timer_.cancel();
    boost::system::error_code error;
    if (!header) {
      done(-1, std::move(header));  // before its client may know
      socket_.close(error);
      return;
    }
    const int descriptor = socket_.release(error);
    if (error) return done(-1, fail(ErrorCode::kInternal, error.message()));
    done(descriptor, std::move(header));
  }

  asio::ip::tcp::socket socket_;
  asio::steady_timer timer_;
  Done done_;
  std::array<std::uint8_t, kMaxProxyHeader> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace

void read_proxy_header(asio::io_context& io, int descriptor, std::chrono::milliseconds timeout,
                       Done done) {
  const auto greeting = std::make_shared<Greeting>(io, std::move(done));
  if (!greeting->take(descriptor)) throw std::bad_alloc();  // the reactor has no more room
  try {
    greeting->start(timeout);
  } catch (...) {
    greeting->give_back();
    throw;
  }
}

}  // namespace terrane::net
