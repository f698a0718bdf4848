#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace terrane::codec {

/// Different values in order of appearance, at most 256, found by hashing.
class ValuePalette {
 public:
  ValuePalette() { slots_.fill(-1); }

  /// The value's index; 256 when there is no room for another value.
  std::size_t index(std::int32_t value) {
    std::size_t slot = static_cast<std::uint32_t>(value) * 0x9e3779b1U >> (32 - kSlotBits);
    for (; slots_[slot] >= 0; slot = (slot + 1) % slots_.size()) {
      if (values[static_cast<std::size_t>(slots_[slot])] == value)
        return static_cast<std::size_t>(slots_[slot]);
    }
    if (count == values.size()) return count;
    slots_[slot] = static_cast<std::int16_t>(count);
    values[count] = value;
    return count++;
  }

  std::size_t count = 0;
  std::array<std::int32_t, 256> values;

 private:
  static constexpr unsigned kSlotBits = 10;
  std::array<std::int16_t, 1U << kSlotBits> slots_;
};

}  // namespace terrane::codec
