#pragma once

#include <cstdint>

namespace terrane::worldgen {

/// Sets this thread's floating-point control to its defaults: round to nearest, denormals kept, no
/// traps. Every thread that generates calls it first, because a library that changed them would
/// change worlds. On x86-64 and aarch64 all of it; on other processors the rounding, where that can
/// be set.
void set_default_float_environment();

/// Whether this thread's floating-point control has its defaults.
[[nodiscard]] bool has_default_float_environment();

/// The defaults for as long as this lives; then the thread has again what it had. For threads that
/// are not ours: games and sound libraries flush denormals. Threads: the one that made it.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment();
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;
  ~DefaultFloatEnvironment();

 private:
  std::uint64_t former_;
};

}  // namespace terrane::worldgen
