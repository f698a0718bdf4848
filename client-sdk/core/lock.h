#pragma once

#if !defined(__wasm__) || defined(__wasm_atomics__)
#include <mutex>
#endif

namespace terrane::core {

#if !defined(__wasm__) || defined(__wasm_atomics__)
using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;
#else
// WebAssembly without atomics has one thread, and its standard library no mutex.
struct Mutex {};
class Lock {
 public:
  explicit Lock(Mutex&) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};
#endif

}  // namespace terrane::core
