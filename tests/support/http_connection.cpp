#include "support/http_connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace terrane::test {
namespace {

/// connect(), to its end: a signal (a fuzzer's alarm) interrupts it wherever a time-out is set, but
/// the connection is still being made.
bool connect_to(int socket, const sockaddr_in& to) {
  if (connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return true;
  if (errno != EINTR) return false;
  pollfd waited{.fd = socket, .events = POLLOUT, .revents = 0};
  while (poll(&waited, 1, 60'000) < 0 && errno == EINTR) continue;
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  errno = waited.revents == 0 ? ETIMEDOUT : error;
  return errno == 0;
}

}  // namespace

Connection::Connection(const std::string& address, int receive_buffer, const std::string& from)
    : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval patience{60, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (receive_buffer > 0)
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  sockaddr_in source{};
  source.sin_family = AF_INET;
  if (!from.empty() && (inet_pton(AF_INET, from.c_str(), &source.sin_addr) != 1 ||
                        bind(socket_, reinterpret_cast<sockaddr*>(&source), sizeof source) != 0)) {
    const std::system_error why(errno, std::generic_category(), "can't connect from " + from);
    close(socket_);
    throw why;
  }
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port =
      htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!connect_to(socket_, to)) {
    const std::system_error why(errno, std::generic_category(), "can't connect to " + address);
    close(socket_);
    throw why;
  }
}

Connection::~Connection() {
  if (socket_ >= 0) close(socket_);
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}

void Connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Connection::finish() { shutdown(socket_, SHUT_WR); }

bool Connection::receive() {
  std::array<char, 65536> bytes{};
  ssize_t count = 0;
  do count = recv(socket_, bytes.data(), bytes.size(), 0);
  while (count < 0 && errno == EINTR);
  if (count < 0 && errno == EAGAIN)
    throw std::runtime_error("the server neither answered nor closed for a minute");
  if (count <= 0) return false;
  received_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<Answer> Connection::answer(bool with_body) {
  std::size_t end = 0;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!receive()) return std::nullopt;
  }
  Answer answer;
  std::istringstream lines(received_.substr(0, end + 2));
  received_.erase(0, end + 4);
  std::string line;
  std::getline(lines, line);
  answer.status = std::stoi(line.substr(line.find(' ')));
  while (std::getline(lines, line)) {
    std::string name = line.substr(0, line.find(':'));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    answer.fields[name] = line.substr(line.find(": ") + 2, line.size() - line.find(": ") - 3);
  }
  if (!with_body || answer.status == 204 || answer.status == 304) return answer;
  const std::size_t length = std::stoul(answer.fields.at("content-length"));
  while (received_.size() < length) {
    if (!receive()) return std::nullopt;
  }
  answer.body = received_.substr(0, length);
  received_.erase(0, length);
  return answer;
}

std::optional<Answer> Connection::ask(std::string_view request) {
  send(request);
  return answer();
}

bool Connection::is_closed() { return received_.empty() && !receive(); }

std::string Connection::rest() {
  while (receive()) continue;
  return std::exchange(received_, {});
}

std::string get(std::string_view path) {
  return std::string("GET ").append(path) + " HTTP/1.1\r\nHost: here\r\n\r\n";
}

}  // namespace terrane::test
