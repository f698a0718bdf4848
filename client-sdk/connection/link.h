#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "bell.h"
#include "ending.h"
#include "servers.h"
#include "terrane/terrane.h"
#include "web_socket.h"

namespace terrane::connection {

/// An explorer's connection, on a thread of its own. Threads: any, but for the destructor.
class Link {
 public:
  /// @param bell  rings when something has come, or the connection is another than before
  /// Errors: throws std::system_error where there is no thread to be had.
  Link(Servers servers, terrane_explorer* explorer, Bell& bell);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link();

  void flush();

  /// The clock of the explorer.
  static std::int64_t now();

 private:
  // On the link's thread:
  void run();
  void start_over(std::string_view failure);
  void look();
  void open();
  void tell_opened();
  void send();
  void take(std::string_view message);
  void lose(const Ending& ending);
  void leave();

  const Servers servers_;
  terrane_explorer* const explorer_;
  Bell& bell_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  asio::steady_timer timer_;
  asio::steady_timer leaving_;  // is cancelled when it is time
  std::shared_ptr<WebSocket> socket_;
  std::size_t next_url_ = 0;
  std::int64_t not_before_ = 0;  // when a server may be asked again
  std::minstd_rand random_{std::random_device{}()};
  bool leaves_ = false;

  std::atomic<bool> is_flushing_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace terrane::connection
