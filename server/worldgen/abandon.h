#pragma once

#include <exception>

namespace terrane::worldgen {

/// Asks whether what is being generated has been abandoned: nobody waits for it any more. A plain
/// function and what it is called with, so that whoever embeds the generator can bring any flag,
/// token or job system of their own. The generator asks between its stages, some 20 to 100 times a
/// chunk, on the thread that called it: brief, never throwing.
struct Abandon {
  bool (*is_abandoned)(const void* what) = nullptr;  // null: never
  const void* what = nullptr;

  [[nodiscard]] bool operator()() const { return is_abandoned != nullptr && is_abandoned(what); }
};

/// What functions throw that were given an Abandon which said yes; nothing else throws it.
struct Abandoned final : std::exception {
  [[nodiscard]] const char* what() const noexcept override {
    return "generation was abandoned on demand";
  }
};

inline void stop_if(const Abandon& abandon) {
  if (abandon()) throw Abandoned();
}

}  // namespace terrane::worldgen
