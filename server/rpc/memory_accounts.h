#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "terrane/mutex.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// What of a bound on memory one client may have, so that no single one takes it from all others.
[[nodiscard]] constexpr std::size_t client_part(std::size_t all) { return all / 2; }

/// Bytes that calls hold in memory on behalf of clients: of each client and of all, beside the
/// bounds on both. Thread-safe; nothing blocks.
class MemoryAccounts : public std::enable_shared_from_this<MemoryAccounts> {
 public:
  using Bytes = std::atomic<std::size_t>;
  enum class Bound : std::uint8_t { kClient, kAll };

  /// What one call holds; given back when this goes. Threads: one at a time.
  class Hold {
   public:
    Hold() = default;
    Hold(Hold&& other) noexcept;
    Hold& operator=(Hold&& other) noexcept;
    ~Hold();

    /// More, or less, whatever the bounds: whoever can't know beforehand looks at passed() then.
    void change(std::ptrdiff_t bytes);
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Of the client's calls together.
    [[nodiscard]] std::size_t of_client() const {
      return of_client_ == nullptr ? 0 : of_client_->load();
    }
    /// The bound that the client, or all together, have passed or just reached.
    [[nodiscard]] std::optional<Bound> passed() const;
    /// The bound for whose sake the client is to have no more: not what is always.
    [[nodiscard]] std::optional<Bound> denied() const;

   private:
    friend MemoryAccounts;
    std::shared_ptr<MemoryAccounts> accounts_;
    std::uint64_t client_ = 0;
    Bytes* of_client_ = nullptr;
    std::size_t bytes_ = 0;
  };

  /// @param max_bytes  of all; one client may have client_part() of it
  /// @param always  so much a client may have however much others hold
  [[nodiscard]] static std::shared_ptr<MemoryAccounts> create(std::size_t max_bytes,
                                                              std::size_t always = 0) {
    return std::make_shared<MemoryAccounts>(max_bytes, always);
  }
  MemoryAccounts(std::size_t max_bytes, std::size_t always)
      : max_bytes_(max_bytes), always_(always) {}

  /// Nothing yet, for a call of this client. May throw std::bad_alloc.
  [[nodiscard]] Hold open(std::uint64_t client);

  /// So much for a call whose needs are known: within the bounds, or what is always.
  /// Errors: kResourceExhausted, see full().
  [[nodiscard]] Result<Hold> take(std::uint64_t client, std::size_t bytes, const char* what);

  /// Calls that it has.
  [[nodiscard]] std::size_t calls_of(std::uint64_t client) const;

  /// Those that have calls. May throw std::bad_alloc.
  [[nodiscard]] std::vector<std::uint64_t> clients() const;

  /// Of all clients.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t max_bytes() const { return max_bytes_; }

  /// What a client is told that has met a bound: kCallMemoryFull or kStreamMemoryFull where it is
  /// that of all, kClientMemoryFull where it is its own.
  /// @param held  of the bytes that the bound is on
  /// @param what  holds them: "Explore streams"
  [[nodiscard]] Error full(Bound bound, std::size_t held, ErrorReason of_all,
                           const char* what) const;

 private:
  /// A client's account: there while it has calls, so that a flood of addresses leaves nothing.
  struct Client {
    Bytes bytes = 0;
    std::size_t holds = 0;
  };

  void close(std::uint64_t client) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::size_t max_bytes_, always_;
  Bytes bytes_ = 0;
  mutable Mutex mutex_;
  std::unordered_map<std::uint64_t, Client> clients_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::rpc
