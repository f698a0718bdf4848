#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace terrane::test {

/// What a server answered.
struct Answer {
  int status = 0;
  std::map<std::string, std::string> fields;  // names in lower case
  std::string body;
};

/// A client's end of a TCP connection on loopback, blocking; whatever takes a minute fails.
class Connection {
 public:
  /// @param receive_buffer  bytes that the system keeps for a client that does not read; 0: as
  ///   usual
  /// @param from  an address of 127.0.0.0/8 that it comes from; empty: 127.0.0.1
  explicit Connection(const std::string& address, int receive_buffer = 0,
                      const std::string& from = {});
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;

  /// Sends all of it, or what fits before the server closes.
  void send(std::string_view bytes);

  /// Says that nothing more is sent.
  void finish();

  /// The next answer; empty when the connection ends first.
  std::optional<Answer> answer(bool with_body = true);

  /// send() and answer().
  std::optional<Answer> ask(std::string_view request);

  /// Whether the server closes the connection without another byte. Blocks until it does.
  bool is_closed();

  /// Everything until the connection ends.
  std::string rest();

 private:
  bool receive();

  int socket_ = -1;
  std::string received_;
};

/// A GET for a path.
std::string get(std::string_view path);

}  // namespace terrane::test
