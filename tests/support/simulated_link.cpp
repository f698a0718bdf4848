#include "support/simulated_link.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <stdexcept>

namespace terrane::test {
namespace {

using Clock = LinkTiming::Clock;

constexpr std::size_t kMaxOnTheWay = std::size_t{4} << 20;  // bytes, where the rate sets no limit
constexpr int kKernelBytes = 16 * 1024;                     // which Linux doubles

/// Small buffers, so that the link's queue is what fills; segments as on Ethernet, without which
/// such small buffers make TCP wait.
void prepare(int socket) {
  const int yes = 1, segment = static_cast<int>(LinkTiming::kSegment);
  setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &kKernelBytes, sizeof kKernelBytes);
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kKernelBytes, sizeof kKernelBytes);
  setsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

void close_with_reset(int socket) {
  const linger at_once{1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(socket);
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/// What is on its way from one socket to another.
class Flow {
 public:
  Flow(int from, int to, const LinkDirection& direction, Clock::duration round_trip,
       std::uint64_t seed)
      : from_(from), to_(to), timing_(direction, round_trip, seed) {}

  LinkTiming& timing() { return timing_; }
  [[nodiscard]] bool is_over() const { return is_shut_; }

  /// Reads and writes what can be now.
  /// @return false when the connection is broken
  bool pass(Clock::time_point now, std::atomic<std::uint64_t>& delivered) {
    return read(now) && write(now, delivered);
  }

  /// What to wait for: events of the two sockets, and the time.
  void wait_for(Clock::time_point now, pollfd& from, pollfd& to, Clock::time_point& until) const {
    if (wants_more()) {
      if (timing_.room(now) >= LinkTiming::kSegment) {
        from.events |= POLLIN;
      } else {
        until = std::min(until, timing_.ready_at());
      }
    }
    if (on_the_way_.empty()) return;
    if (on_the_way_.front().arrives > now) {
      until = std::min(until, on_the_way_.front().arrives);
    } else {
      to.events |= POLLOUT;
    }
  }

 private:
  struct Segment {
    Clock::time_point arrives;
    std::vector<char> bytes;  // none: the end
  };

  [[nodiscard]] bool wants_more() const { return !is_ended_ && held_ < kMaxOnTheWay; }

  bool read(Clock::time_point now) {
    while (wants_more() && timing_.room(now) >= LinkTiming::kSegment) {
      std::vector<char> bytes(LinkTiming::kSegment);
      const ssize_t count = recv(from_, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (count < 0) return would_block();
      bytes.resize(static_cast<std::size_t>(count));
      is_ended_ = bytes.empty();
      held_ += bytes.size();
      on_the_way_.push_back({timing_.send(bytes.size(), bytes.size() == LinkTiming::kSegment, now),
                             std::move(bytes)});
    }
    return true;
  }

  bool write(Clock::time_point now, std::atomic<std::uint64_t>& delivered) {
    while (!on_the_way_.empty() && on_the_way_.front().arrives <= now) {
      const std::vector<char>& bytes = on_the_way_.front().bytes;
      if (bytes.empty()) {
        is_shut_ = true;
        on_the_way_.pop_front();
        return shutdown(to_, SHUT_WR) == 0;
      }
      const ssize_t count =
          send(to_, bytes.data() + written_, bytes.size() - written_, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count < 0) return would_block();
      delivered += static_cast<std::uint64_t>(count);
      held_ -= static_cast<std::size_t>(count);
      written_ += static_cast<std::size_t>(count);
      if (written_ < bytes.size()) return true;
      written_ = 0;
      on_the_way_.pop_front();
    }
    return true;
  }

  int from_, to_;
  LinkTiming timing_;
  std::deque<Segment> on_the_way_;
  std::size_t held_ = 0;     // bytes of those that are not written
  std::size_t written_ = 0;  // of the first
  bool is_ended_ = false;    // nothing more comes
  bool is_shut_ = false;     // and all has been written
};

Clock::duration round_trip_of(const LinkOptions& options) {
  return options.up.delay + options.down.delay;
}

}  // namespace

/// Two sockets and what is between them.
class SimulatedLink::Connection {
 public:
  Connection(int client, int server, const LinkOptions& options, std::uint64_t number)
      : client_(client),
        server_(server),
        up_(client, server, options.up, round_trip_of(options), 2 * (options.seed + number)),
        down_(server, client, options.down, round_trip_of(options),
              2 * (options.seed + number) + 1) {}
  ~Connection() {
    for (const int socket : {client_, server_})
      is_whole_ ? close(socket) : (close_with_reset(socket), 0);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void change(const LinkOptions& options) {
    up_.timing().change(options.up, round_trip_of(options));
    down_.timing().change(options.down, round_trip_of(options));
  }

  /// @return false when it is over
  bool pass(Clock::time_point now, std::atomic<std::uint64_t>& bytes_up,
            std::atomic<std::uint64_t>& bytes_down) {
    is_whole_ = up_.pass(now, bytes_up) && down_.pass(now, bytes_down);
    return is_whole_ && !(up_.is_over() && down_.is_over());
  }

  void break_off() { is_whole_ = false; }

  void wait_for(Clock::time_point now, std::vector<pollfd>& all, Clock::time_point& until) const {
    pollfd client{client_, 0, 0}, server{server_, 0, 0};
    up_.wait_for(now, client, server, until);
    down_.wait_for(now, server, client, until);
    for (const pollfd& socket : {client, server}) {
      if (socket.events != 0) all.push_back(socket);  // else an error would wake us again and again
    }
  }

 private:
  int client_, server_;
  Flow up_, down_;
  bool is_whole_ = true;
};

LinkOptions plain_link(double bits_per_second, std::chrono::milliseconds round_trip,
                       std::chrono::milliseconds queue) {
  LinkDirection way;
  way.delay = round_trip / 2;
  way.bits_per_second = bits_per_second;
  const double bytes = bits_per_second / 8 * std::chrono::duration<double>(queue).count();
  way.queue_bytes = std::max(static_cast<std::size_t>(bytes), 4 * LinkTiming::kSegment);
  return {.up = way, .down = way};
}

SimulatedLink::SimulatedLink(const std::string& server, const LinkOptions& options)
    : options_(options) {
  const std::size_t colon = server.find(':');
  in_addr host{};
  if (colon == std::string::npos ||
      inet_pton(AF_INET, server.substr(0, colon).c_str(), &host) != 1) {
    throw std::runtime_error("a server's address must be A.B.C.D:PORT, not '" + server + "'");
  }
  server_host_ = host.s_addr;
  server_port_ = htons(static_cast<std::uint16_t>(std::stoi(server.substr(colon + 1))));
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  prepare(listener_);
  sockaddr_in own{
      .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  if (bind(listener_, reinterpret_cast<sockaddr*>(&own), sizeof own) != 0 ||
      listen(listener_, 1024) != 0) {
    throw std::runtime_error(std::string("can't listen for a simulated link: ") +
                             std::strerror(errno));
  }
  thread_ = std::thread([this] { run(); });
}

SimulatedLink::~SimulatedLink() {
  ended_ = true;
  wake();
  thread_.join();
  connections_.clear();
  close(listener_);
  close(wake_);
}

std::string SimulatedLink::address() const {
  sockaddr_in own{};
  socklen_t size = sizeof own;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&own), &size);
  return "127.0.0.1:" + std::to_string(ntohs(own.sin_port));
}

void SimulatedLink::change(const LinkOptions& options) {
  const MutexLock lock(mutex_);
  options_ = options;
  for (const auto& connection : connections_) connection->change(options);
  wake();
}

void SimulatedLink::stall() {
  const MutexLock lock(mutex_);
  stalled_ = true;
  wake();
}

void SimulatedLink::resume() {
  const MutexLock lock(mutex_);
  stalled_ = false;
  wake();
}

void SimulatedLink::cut() {
  cut_ = true;
  wake();
}

void SimulatedLink::wake() const { eventfd_write(wake_, 1); }

void SimulatedLink::accept_one() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client < 0) return;
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  prepare(client);
  prepare(server);
  const sockaddr_in to{
      .sin_family = AF_INET, .sin_port = server_port_, .sin_addr = {server_host_}, .sin_zero = {}};
  // on this machine: at once
  if (connect(server, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    close_with_reset(client);
    close(server);
    return;
  }
  connections_.push_back(std::make_unique<Connection>(client, server, options_, connected_++));
}

/// Passes on what can be passed on now.
/// @return until when to wait for the sockets
Clock::time_point SimulatedLink::pass(std::vector<pollfd>& sockets) {
  const MutexLock lock(mutex_);
  auto until = Clock::time_point::max();
  if (cut_.exchange(false)) {
    for (const auto& connection : connections_) connection->break_off();
    connections_.clear();
  }
  if (stalled_) return until;
  accept_one();
  const Clock::time_point now = Clock::now();
  std::erase_if(connections_, [&](const auto& connection) {
    return !connection->pass(now, bytes_up_, bytes_down_);
  });
  for (const auto& connection : connections_) connection->wait_for(now, sockets, until);
  sockets.push_back({listener_, POLLIN, 0});
  return until;
}

void SimulatedLink::run() {
  std::vector<pollfd> sockets;
  while (!ended_) {
    sockets.assign(1, {wake_, POLLIN, 0});
    const Clock::time_point until = pass(sockets);
    std::optional<timespec> timeout;
    if (until != Clock::time_point::max()) {
      const auto rest = std::max(until - Clock::now(), Clock::duration::zero());
      const auto whole = std::chrono::floor<std::chrono::seconds>(rest);
      timeout = {.tv_sec = whole.count(),
                 .tv_nsec = std::chrono::nanoseconds(rest - whole).count()};
    }
    ppoll(sockets.data(), sockets.size(), timeout ? &*timeout : nullptr, nullptr);
    eventfd_t count = 0;
    eventfd_read(wake_, &count);
  }
}

}  // namespace terrane::test
