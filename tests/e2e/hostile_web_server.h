#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace terrane::e2e {

/// Answers WebSocket clients on loopback as no server should. Threads: any; one of its own serves
/// one client after the other.
class HostileWebServer {
 public:
  enum class Manners : std::uint8_t {
    // instead of a handshake:
    kSilent,
    kHangsUp,
    kJunk,
    kEndlessHeader,
    kBadGateway,
    kRedirect,
    kNotFound,
    kHugePage,  // announced
    // after it:
    kWelcomesAndIsSilent,  // not even that
    kAsksToClose,          // and does not end it
    kBinaryJunk,
    kHugeMessage,  // announced
    kTextForever,
    kPingsForever,
    kBadFrames,
    kOddClose,
  };

  explicit HostileWebServer(Manners manners);
  ~HostileWebServer();
  HostileWebServer(const HostileWebServer&) = delete;
  HostileWebServer& operator=(const HostileWebServer&) = delete;

  /// HOST:PORT.
  [[nodiscard]] std::string address() const;
  /// Blocks until a client is answered.
  void wait_for_client() const;

 private:
  using Socket = boost::asio::ip::tcp::socket;

  void serve(Socket& socket) const;
  void misbehave(Socket& socket) const;

  const Manners manners_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  mutable std::atomic<bool> was_asked_ = false;
  std::atomic<bool> ends_ = false;
  std::mutex mutex_;
  Socket* client_ = nullptr;  // of mutex_
  std::jthread thread_;
};

}  // namespace terrane::e2e
