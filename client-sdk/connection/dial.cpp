#include "dial.h"

#include <algorithm>
#include <utility>

namespace terrane::connection {

using asio::ip::tcp;

namespace {

constexpr std::chrono::milliseconds kOneAddress{2000};  // of several

}  // namespace

void Dial::start(std::chrono::milliseconds patience, Done done) {
  patience_ = patience;
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
  timer_.cancel();
  SystemError ignored;
  stream_->socket().close(ignored);
}

void Dial::connect(const Endpoints& endpoints) {
  for (const auto& found : endpoints) endpoints_.push_back(found.endpoint());
  try_next();
}

/// An address that says nothing, as of a network that is broken, must not use up the others' time.
void Dial::try_next() {
  const auto left = endpoints_.size() - next_;
  timer_.expires_after(left == 1 ? patience_
                                 : std::min(kOneAddress, patience_ / static_cast<int>(left + 1)));
  timer_.async_wait([self = shared_from_this()](SystemError error) {
    SystemError ignored;
    if (!error && self->done_) self->stream_->socket().close(ignored);  // which ends its attempt
  });
  stream_->socket().async_connect(endpoints_[next_++],
                                  [self = shared_from_this()](SystemError error) {
                                    if (!self->done_) return;
                                    self->timer_.cancel();
                                    if (!error) return self->connected();
                                    SystemError ignored;
                                    self->stream_->socket().close(ignored);
                                    if (self->next_ < self->endpoints_.size())
                                      return self->try_next();
                                    self->finish("it cannot be connected with", error);
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
