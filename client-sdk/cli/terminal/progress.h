#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace terrane::cli {

/// A bar with rate and time left on stderr while this object lives; silent when stderr is no
/// terminal. Threads: one at a time.
class Progress {
 public:
  /// @param total  chunks to come
  explicit Progress(std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more chunk is there.
  void step();

 private:
  const bool visible_;
  const std::uint64_t total_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_drawing_;
  std::uint64_t done_ = 0;
};

/// "[####....] 50 %  5 of 10".
[[nodiscard]] std::string progress_bar(std::uint64_t done, std::uint64_t total);

/// "42 s", "3 min 5 s", "2 h 7 min".
[[nodiscard]] std::string duration_text(double seconds);

/// The bar's line: how far, how fast, how long still.
[[nodiscard]] std::string progress_line(std::uint64_t done, std::uint64_t total, double elapsed_s);

}  // namespace terrane::cli
