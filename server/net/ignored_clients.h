#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <vector>

#include "net/client_address.h"

namespace terrane::net {

/// Clients who connect again as fast as they are refused, or as their connections are taken: to
/// accept and close one costs some 15 µs, to serve it more, and whoever gets no answer costs next
/// to nothing. Each may be refused so often at once and so often a second (a token bucket), is
/// ignored once it has been, and until it may be refused for another second. For one thread.
class IgnoredClients {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double kAtOnce = 1'000;  // as many as a crowd behind one address may come with
  static constexpr double kASecond = 50;
  static constexpr double kGreedy = 20;
  static constexpr std::size_t kMost = 64;        // that are ignored at a time
  static constexpr std::size_t kMostKnown = 512;  // of whom it is known how often they were refused

  /// Throws std::bad_alloc, and has then done nothing.
  /// @return whether it is ignored from now on, and was not before
  bool note_refused(const AddressBytes& client, Clock::time_point now);

  /// A connection has been taken of one that has had more than its part: that counts as kGreedy
  /// refusals, so that others behind its address, balancers that look whether the server is well
  /// among them, still come in now and then. As note_refused().
  bool note_greedy(const AddressBytes& client, Clock::time_point now);

  /// @return whether somebody is no longer ignored
  bool look_after(Clock::time_point now);

  [[nodiscard]] const std::vector<AddressBytes>& clients() const { return ignored_; }

 private:
  struct Bucket {
    double tokens = kAtOnce;
    Clock::time_point as_of;
  };

  void forget_the_fullest();
  static void fill(Bucket& bucket, Clock::time_point now);
  bool take(const AddressBytes& client, double tokens, Clock::time_point now);

  std::map<AddressBytes, Bucket> buckets_;  // of those that are not full
  std::vector<AddressBytes> ignored_;
};

}  // namespace terrane::net
