#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "terrane/mutex.h"

namespace terrane::access {

/// Whether a schedule::Source's client is somebody who has proven who they are, and no address: its
/// first byte is one that addresses of IPv6 clients do not have (ff00::/8 is multicast).
[[nodiscard]] constexpr bool is_identity(std::uint64_t client) { return client >> 56 == 0xff; }

/// Numbers for those who have proven who they are, and their names for people. Thread-safe.
class ClientNames {
 public:
  ClientNames();

  /// The same for the same name, and in this process alone. May throw std::bad_alloc.
  [[nodiscard]] std::uint64_t id_of(std::string_view name);

  /// Its name; "identity" and some digits where so many have come since that it is forgotten.
  [[nodiscard]] std::string name_of(std::uint64_t client) const;

 private:
  using Names = std::unordered_map<std::uint64_t, std::string>;
  static constexpr std::size_t kMaxNames = 16'384;  // in each of the two

  const std::uint64_t secret_;  // so that nobody can choose a name with another's number
  mutable Mutex mutex_;
  Names recent_ ABSL_GUARDED_BY(mutex_);
  Names older_ ABSL_GUARDED_BY(mutex_);  // given up when the recent ones are too many
};

}  // namespace terrane::access
