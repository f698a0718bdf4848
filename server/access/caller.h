#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace terrane::access {

/// What somebody may do.
struct Grants {
  bool may_read = true;
  bool is_admin = false;
  std::optional<std::vector<std::string>> worlds = {};   // none: all of them
  std::optional<std::vector<std::uint64_t>> seeds = {};  // none: all of them
  // none: all of them, unless worlds or seeds are named; and where these alone are, no other seed
  std::optional<std::vector<std::string>> realms = {};
  std::uint32_t weight = 0;     // share of the server beside others'; 0: that of the address
  std::size_t max_viewers = 0;  // Explore streams at once; 0: as many as memory allows

  [[nodiscard]] bool may_see_world(std::string_view name) const;
  [[nodiscard]] bool may_see_realm(std::string_view name) const;
  [[nodiscard]] bool may_see_seed(std::uint64_t seed) const;

  friend bool operator==(const Grants&, const Grants&) = default;
};

/// Somebody who has proven who they are. Constant once made.
struct Caller {
  std::string name;          // for people, in logs and metrics
  std::uint64_t client = 0;  // whom work is charged to: the same for all of this name
  Grants grants = {};
  // when the proof ends; what is under way then ends, too
  std::chrono::system_clock::time_point expires = std::chrono::system_clock::time_point::max();
};

}  // namespace terrane::access
