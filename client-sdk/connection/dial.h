#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "byte_stream.h"
#include "server_url.h"

namespace terrane::connection {

/// Connects with a server: looks its name up, tries its addresses one after the other, and shakes
/// hands. Threads: that of its io_context.
class Dial : public std::enable_shared_from_this<Dial> {
 public:
  /// @param failure  empty: the stream is connected
  using Done = std::function<void(const std::string& failure)>;

  Dial(asio::io_context& context, ServerUrl url, std::shared_ptr<ByteStream> stream)
      : url_(std::move(url)), resolver_(context), timer_(context), stream_(std::move(stream)) {}

  /// @param patience  in all, of which each address gets its part: who asked has to see to it
  void start(std::chrono::milliseconds patience, Done done);
  /// What was begun ends soon; `done` is not called any more.
  void cancel();

 private:
  using Endpoints = asio::ip::tcp::resolver::results_type;

  void connect(const Endpoints& endpoints);
  void try_next();
  void connected();
  void finish(const char* what, SystemError error);

  const ServerUrl url_;
  asio::ip::tcp::resolver resolver_;
  asio::steady_timer timer_;
  std::shared_ptr<ByteStream> stream_;
  std::chrono::milliseconds patience_{};
  std::vector<asio::ip::tcp::endpoint> endpoints_;
  std::size_t next_ = 0;  // of them, to be tried
  Done done_;
};

}  // namespace terrane::connection
