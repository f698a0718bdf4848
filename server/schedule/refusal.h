#pragma once

#include <cstddef>
#include <cstdint>

#include "terrane/result.h"

namespace terrane::schedule {

/// Which limit a job has met.
enum class Refusal : std::uint8_t {
  kWaitTooLong = 0,  // jobs of its priority wait for longer than it may
  kClientShare = 1,  // it made room: its client had most of a full queue
  kQueueFull = 2,    // all places are taken
  kStopping = 3,     // the pool takes no more jobs
  kOutOfMemory = 4,  // there was no memory to queue it, or to do it
};

inline constexpr std::size_t kRefusals = 5;

/// "wait_too_long" and so on: how metrics call it.
[[nodiscard]] const char* to_string(Refusal refusal);

/// A job that was not taken, and why.
struct Refused {
  Refusal refusal = Refusal::kQueueFull;
  std::uint64_t value = 0;  // kWaitTooLong: milliseconds; else jobs that are queued
  std::uint64_t limit = 0;  // in the same unit; 0 for kStopping
};

/// What a client is told of it: kResourceExhausted that names the limit and its value, or
/// kUnavailable where the pool is stopping. Never throws: without memory for a text it has none.
[[nodiscard]] Error to_error(const Refused& refused) noexcept;

/// The same of a job that has met the end of memory. Never throws.
[[nodiscard]] inline Error out_of_memory() noexcept { return to_error({Refusal::kOutOfMemory}); }

/// An error again, without its texts where there is no memory for them. Never throws.
[[nodiscard]] Error copy_of(const Error& error) noexcept;

}  // namespace terrane::schedule
