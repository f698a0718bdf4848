#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "terrane/result.h"

namespace terrane::connection {

namespace asio = boost::asio;
using SystemError = boost::system::error_code;

/// Bytes to a server and back, in the clear or through TLS. What was begun ends with an error when
/// the socket is closed; the stream must live until then. Threads: that of its io_context.
class ByteStream {
 public:
  using Done = std::function<void(SystemError, std::size_t)>;

  explicit ByteStream(asio::io_context& context) : context_(context) {}
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  virtual ~ByteStream() = default;

  [[nodiscard]] asio::io_context& context() const { return context_; }
  [[nodiscard]] virtual asio::ip::tcp::socket& socket() = 0;
  /// After the socket is connected, once.
  virtual void handshake(std::function<void(SystemError)> done) = 0;
  virtual void read_some(asio::mutable_buffer into, Done done) = 0;
  virtual void write_some(asio::const_buffer from, Done done) = 0;

 private:
  asio::io_context& context_;
};

[[nodiscard]] std::shared_ptr<ByteStream> clear_stream(asio::io_context& context);

/// Makes streams through TLS. Threads: one at a time.
class Tls {
 public:
  virtual ~Tls() = default;
  /// @param host  whose certificate the server has to show
  [[nodiscard]] virtual std::shared_ptr<ByteStream> stream(asio::io_context& context,
                                                           const std::string& host) = 0;
};

/// @param ca_file  PEM; empty: whom the system trusts
/// Errors: kInvalidArgument for a file without certificates, or where this is built without TLS.
[[nodiscard]] Result<std::unique_ptr<Tls>> make_tls(const std::string& ca_file);

}  // namespace terrane::connection
