#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>

namespace terrane::worldgen {

/// The memory of one chunk's intermediate fields: taken once, handed out in pieces aligned to 64
/// bytes, given back all together.
class Scratch {
 public:
  explicit Scratch(std::size_t floats)
      : size_(floats),
        memory_(static_cast<float*>(
            ::operator new (floats * sizeof(float), std::align_val_t{kAlignment}))) {}

  float* take(std::size_t floats) {
    const std::size_t at = used_;
    used_ += (floats + kLine - 1) / kLine * kLine;
    if (used_ > size_)
      throw std::length_error("the generator's scratch memory is too small: a bug");
    return memory_.get() + at;
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kLine = kAlignment / sizeof(float);
  struct Free {
    void operator()(float* memory) const {
      ::operator delete (memory, std::align_val_t{kAlignment});
    }
  };

  std::size_t size_;
  std::size_t used_ = 0;
  std::unique_ptr<float, Free> memory_;
};

}  // namespace terrane::worldgen
