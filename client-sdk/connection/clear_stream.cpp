#include <boost/asio/post.hpp>
#include <utility>

#include "byte_stream.h"

namespace terrane::connection {
namespace {

class ClearStream final : public ByteStream {
 public:
  explicit ClearStream(asio::io_context& context) : ByteStream(context), socket_(context) {}

  asio::ip::tcp::socket& socket() override { return socket_; }
  void handshake(std::function<void(SystemError)> done) override {
    asio::post(context(), [done = std::move(done)] { done({}); });
  }
  void read_some(asio::mutable_buffer into, Done done) override {
    socket_.async_read_some(into, std::move(done));
  }
  void write_some(asio::const_buffer from, Done done) override {
    socket_.async_write_some(from, std::move(done));
  }

 private:
  asio::ip::tcp::socket socket_;
};

}  // namespace

std::shared_ptr<ByteStream> clear_stream(asio::io_context& context) {
  return std::make_shared<ClearStream>(context);
}

}  // namespace terrane::connection
