#include "rpc/memory_accounts.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace terrane::rpc {

MemoryAccounts::Hold::Hold(Hold&& other) noexcept { *this = std::move(other); }

MemoryAccounts::Hold& MemoryAccounts::Hold::operator=(Hold&& other) noexcept {
  std::swap(accounts_, other.accounts_);
  std::swap(client_, other.client_);
  std::swap(of_client_, other.of_client_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

MemoryAccounts::Hold::~Hold() {
  change(-static_cast<std::ptrdiff_t>(bytes_));
  if (accounts_) accounts_->close(client_);
}

void MemoryAccounts::Hold::change(std::ptrdiff_t bytes) {
  if (!accounts_) return;
  bytes_ += static_cast<std::size_t>(bytes);
  *of_client_ += static_cast<std::size_t>(bytes);
  accounts_->bytes_ += static_cast<std::size_t>(bytes);
}

std::optional<MemoryAccounts::Bound> MemoryAccounts::Hold::passed() const {
  if (!accounts_) return std::nullopt;
  if (accounts_->bytes_ >= accounts_->max_bytes_) return Bound::kAll;
  if (of_client() >= client_part(accounts_->max_bytes_)) return Bound::kClient;
  return std::nullopt;
}

std::optional<MemoryAccounts::Bound> MemoryAccounts::Hold::denied() const {
  if (!accounts_ || of_client() < accounts_->always_) return std::nullopt;
  return passed();
}

MemoryAccounts::Hold MemoryAccounts::open(std::uint64_t client) {
  Hold hold;
  const MutexLock lock(mutex_);
  Client& account = clients_[client];
  ++account.holds;
  hold.accounts_ = shared_from_this();
  hold.client_ = client;
  hold.of_client_ = &account.bytes;
  return hold;
}

void MemoryAccounts::close(std::uint64_t client) {
  const MutexLock lock(mutex_);
  const auto found = clients_.find(client);
  if (--found->second.holds == 0) clients_.erase(found);
}

std::vector<std::uint64_t> MemoryAccounts::clients() const {
  const MutexLock lock(mutex_);
  std::vector<std::uint64_t> clients;
  clients.reserve(clients_.size());
  for (const auto& [client, account] : clients_) clients.push_back(client);
  return clients;
}

std::size_t MemoryAccounts::calls_of(std::uint64_t client) const {
  const MutexLock lock(mutex_);
  const auto found = clients_.find(client);
  return found == clients_.end() ? 0 : found->second.holds;
}

Result<MemoryAccounts::Hold> MemoryAccounts::take(std::uint64_t client, std::size_t bytes,
                                                  const char* what) {
  Hold hold = open(client);
  hold.change(static_cast<std::ptrdiff_t>(bytes));
  const std::size_t of_client = hold.of_client(), of_all = bytes_;
  if (of_client <= always_) return hold;
  // Nobody takes more than is still free, so that few can't take all: n greedy ones leave an
  // (n + 1)th part or so.
  const std::size_t free = max_bytes_ - std::min(max_bytes_, of_all - bytes);
  if (of_client > client_part(max_bytes_))
    return tl::unexpected(
        full(Bound::kClient, of_client - bytes, ErrorReason::kCallMemoryFull, what));
  if (of_client > free)
    return tl::unexpected(full(Bound::kAll, of_all - bytes, ErrorReason::kCallMemoryFull, what));
  return hold;
}

Error MemoryAccounts::full(Bound bound, std::size_t held, ErrorReason of_all,
                           const char* what) const {
  const bool is_client = bound == Bound::kClient;
  const std::size_t limit = is_client ? client_part(max_bytes_) : max_bytes_;
  return {.code = ErrorCode::kResourceExhausted,
          .message = fmt::format(
              "the server holds {} bytes for {}{}, of {} at most (of --memory-limit): {}", held,
              what, is_client ? " of this client" : "", limit,
              is_client ? "take in what it answers, and ask for less at once"
                        : "ask another replica, or again later"),
          .reason = is_client ? ErrorReason::kClientMemoryFull : of_all,
          .field = "",
          .value = fmt::format("{} bytes", held),
          .limit = fmt::format("{} bytes", limit),
          .retry_after = {}};
}

}  // namespace terrane::rpc
