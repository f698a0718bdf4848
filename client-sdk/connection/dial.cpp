#include "dial.h"

#include <boost/asio/connect.hpp>
#include <utility>

namespace terrane::connection {

using asio::ip::tcp;

void Dial::start(Done done) {
  done_ = std::move(done);
  SystemError no_address;
  const auto address = asio::ip::make_address(url_.host, no_address);
  if (!no_address) {  // and nothing that the system would take its time for
    const auto port = static_cast<unsigned short>(std::stoul(url_.port));
    return connect(Endpoints::create(tcp::endpoint(address, port), url_.host, url_.port));
  }
  resolver_.async_resolve(url_.host, url_.port,
                          [self = shared_from_this()](SystemError error, const Endpoints& found) {
                            if (!self->done_) return;
                            if (error) return self->finish("its name cannot be looked up", error);
                            self->connect(found);
                          });
}

void Dial::cancel() {
  done_ = nullptr;
  resolver_.cancel();
  SystemError ignored;
  stream_->socket().close(ignored);
}

void Dial::connect(const Endpoints& endpoints) {
  asio::async_connect(stream_->socket(), endpoints,
                      [self = shared_from_this()](SystemError error, const tcp::endpoint&) {
                        if (!self->done_) return;
                        if (error) return self->finish("it cannot be connected with", error);
                        self->connected();
                      });
}

void Dial::connected() {
  SystemError ignored;
  stream_->socket().set_option(tcp::no_delay(true), ignored);
  stream_->handshake([self = shared_from_this()](SystemError error) {
    if (self->done_) self->finish("TLS with it fails", error);
  });
}

void Dial::finish(const char* what, SystemError error) {
  const auto done = std::exchange(done_, nullptr);
  done(error ? std::string(what) + ": " + error.message() : "");
}

}  // namespace terrane::connection
