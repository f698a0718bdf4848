#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/byte_io.h"

/// Numbers of a few bits each, lowest bit first, in byte strings.
namespace terrane::codec {

/// Appends bits to a string; the last byte is filled up with zeros by finish().
class BitWriter {
 public:
  explicit BitWriter(std::string& out) : out_(out) {}

  /// @param count  0 to 32; `value` has no bits above
  void write(std::uint32_t value, unsigned count) {
    pending_ |= std::uint64_t{value} << pending_bits_;
    pending_bits_ += count;
    if (pending_bits_ >= 32) {
      append_u32(out_, static_cast<std::uint32_t>(pending_));
      pending_ >>= 32;
      pending_bits_ -= 32;
    }
  }

  void finish() {
    for (; pending_bits_ > 0; pending_bits_ -= pending_bits_ < 8 ? pending_bits_ : 8) {
      append_u8(out_, static_cast<std::uint8_t>(pending_));
      pending_ >>= 8;
    }
  }

 private:
  std::string& out_;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
};

/// Reads what BitWriter wrote. Past the end it reads zeros: ask overrun() when done.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  /// @param count  0 to 32
  std::uint32_t read(unsigned count) {
    if (pending_bits_ < count) refill();
    const auto value = static_cast<std::uint32_t>(pending_ & ((std::uint64_t{1} << count) - 1));
    pending_ >>= count;
    pending_bits_ -= count;
    bits_read_ += count;
    return value;
  }

  [[nodiscard]] bool overrun() const { return bits_read_ > 8 * bytes_.size(); }

  /// Bytes that were begun: the next part starts there.
  [[nodiscard]] std::size_t bytes_read() const { return (bits_read_ + 7) / 8; }

  /// Whether the bits of the last begun byte that were not read are zero, as the writer left them.
  [[nodiscard]] bool padding_is_zero() const {
    return (pending_ & ((std::uint64_t{1} << (8 * bytes_read() - bits_read_)) - 1)) == 0;
  }

 private:
  void refill() {  // fewer than 32 bits are pending
    if (next_ + 4 <= bytes_.size()) {
      pending_ |= std::uint64_t{load_u32(bytes_, next_)} << pending_bits_;
      next_ += 4;
      pending_bits_ += 32;
      return;
    }
    for (; pending_bits_ < 32; pending_bits_ += 8) {
      if (next_ < bytes_.size()) pending_ |= std::uint64_t{load_u8(bytes_, next_++)} << pending_bits_;
    }
  }

  std::string_view bytes_;
  std::size_t next_ = 0;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
  std::size_t bits_read_ = 0;
};

}  // namespace terrane::codec
