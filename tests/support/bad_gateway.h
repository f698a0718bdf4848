#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <thread>

namespace terrane::test {

/// What stands between clients and a server that is gone: takes connections on loopback, speaks
/// just enough of HTTP/2 (RFC 9113) to take calls, and answers each at random and after a moment
/// with 502, with 502 and a page and a reset, with a reset stream, with nothing, or by closing the
/// connection, politely or not. Some connections meet a gateway that knows only HTTP/1.1, or that
/// says nothing. Threads: any; a thread of its own does the work.
class BadGateway {
 public:
  explicit BadGateway(std::uint64_t seed);
  ~BadGateway();
  BadGateway(const BadGateway&) = delete;
  BadGateway& operator=(const BadGateway&) = delete;

  /// HOST:PORT.
  [[nodiscard]] std::string address() const;

  /// Calls that came so far.
  [[nodiscard]] std::uint64_t calls() const { return calls_; }

 private:
  class Session;

  void accept();

  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::minstd_rand random_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::jthread thread_;
};

}  // namespace terrane::test
