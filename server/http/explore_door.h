#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "http/cors.h"
#include "http/message_socket.h"
#include "http/page.h"
#include "rpc/backend.h"
#include "rpc/memory_accounts.h"
#include "terrane/result.h"

namespace terrane::rpc {
class WorldService;
}

namespace terrane::http {

/// Lets in who wants to Explore over a WebSocket. On the port's thread.
class ExploreDoor {
 public:
  /// All outlive this.
  /// @param memory  of what sockets hold that has not become a message
  /// @param max_message_bytes  of one from a client
  ExploreDoor(const rpc::Backend& backend, rpc::WorldService& service, const Cors& cors,
              std::shared_ptr<rpc::MemoryAccounts> memory, std::size_t max_message_bytes)
      : backend_(backend),
        service_(service),
        cors_(cors),
        memory_(std::move(memory)),
        max_message_bytes_(max_message_bytes) {}

  /// Whether a request may become a WebSocket: not one of a page of another origin, unless the
  /// operator lets that in, as a browser would show what it has of the user. Errors:
  /// kPermissionDenied.
  [[nodiscard]] Result<void> check_origin(const Request& request) const;

  /// Who has asked has had so much of the port's thread.
  void charge(const std::string& peer, const std::string& forwarded_for,
              std::chrono::nanoseconds spent) const;

  /// Whether it is a proxy's, behind which there are many clients.
  [[nodiscard]] bool is_trusted(const net::AddressBytes& address) const {
    return backend_.clients.is_trusted(address);
  }

  /// A connection of the port has come. As WorldService::charge_connection().
  [[nodiscard]] bool charge_connection(const net::AddressBytes& address, bool is_encrypted) const;

  /// What its socket holds. May throw std::bad_alloc.
  [[nodiscard]] rpc::MemoryAccounts::Hold open_memory(const Request& request) const;
  [[nodiscard]] std::size_t max_message_bytes() const { return max_message_bytes_; }

  /// Has `then` called on the port's thread, when it is the turn of whoever asks (by address). May
  /// throw std::bad_alloc.
  void in_turn(const Request& request, std::function<void()> then) const;

  /// The first message says who comes, where that is asked, and begins an Explore.
  void open(std::shared_ptr<MessageSocket> socket, Request request) const;

 private:
  void note_in_vain(const Request& request) const;
  void begin(const std::shared_ptr<MessageSocket>& socket, Request request,
             std::string first) const;

  const rpc::Backend& backend_;
  rpc::WorldService& service_;
  const Cors& cors_;
  const std::shared_ptr<rpc::MemoryAccounts> memory_;
  const std::size_t max_message_bytes_;
};

}  // namespace terrane::http
