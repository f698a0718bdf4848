#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "terrane/mutex.h"
#include "terrane/result.h"
#include "terrane/token.h"

namespace terrane::client {

/// The token that calls are made with: got when the first needs it, and anew before it ends or once
/// a server has refused it. Thread-safe.
class Tokens {
 public:
  using SystemTime = std::chrono::system_clock::time_point;

  /// @param provider  empty: calls are made without
  explicit Tokens(TokenProvider provider) : provider_(std::move(provider)) {}

  /// Empty where calls are made without. Blocks: on the provider, which one thread asks at a time;
  /// others take the token that there is, while it is right.
  /// Errors: the provider's, where there is none that is still right; kInvalidArgument for a text
  ///   that can't be one, which is not in the message.
  [[nodiscard]] Result<std::string> get(SystemTime now) ABSL_LOCKS_EXCLUDED(mutex_);

  /// A call that was made with it has failed: a refused token is not used again.
  void note(const Error& failure) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  [[nodiscard]] bool is_right(SystemTime now) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] Result<Token> ask();

  const TokenProvider provider_;
  Mutex mutex_;
  CondVar asked_;
  bool is_asking_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<Token> token_ ABSL_GUARDED_BY(mutex_);
  SystemTime renew_at_ ABSL_GUARDED_BY(mutex_);
};

/// Whether a token sent there stays on this machine: every address of the list is of loopback, or a
/// socket's path. Pure.
[[nodiscard]] bool is_on_this_machine(std::string_view address);

}  // namespace terrane::client
