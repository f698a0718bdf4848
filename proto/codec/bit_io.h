#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/byte_io.h"

/// Numbers of some bits each, lowest bit first, in byte strings.
namespace terrane::codec {

/// Appends bits to a string, which has them all after finish(); the last byte is filled up with
/// zeros.
class BitWriter {
 public:
  explicit BitWriter(std::string& out) : out_(out) {}

  /// @param count  0 to 56; `value` has no bits above
  void write(std::uint64_t value, unsigned count) {
    pending_ |= value << pending_bits_;
    pending_bits_ += count;
    store_little(buffer_.data() + filled_, pending_);
    const unsigned whole_bits = pending_bits_ - pending_bits_ % 8;
    filled_ += whole_bits / 8;
    pending_ = pending_ >> whole_bits / 2 >> whole_bits / 2;  // as all 64 may go
    pending_bits_ %= 8;
    if (filled_ + sizeof pending_ > buffer_.size()) flush();
  }

  void finish() {
    if (pending_bits_ > 0) ++filled_;  // write() has left the begun byte there
    pending_ = 0;
    pending_bits_ = 0;
    flush();
  }

 private:
  void flush() {
    out_.append(buffer_.data(), filled_);
    filled_ = 0;
    store_little(buffer_.data(), pending_);
  }

  std::string& out_;
  std::array<char, 256> buffer_;
  std::size_t filled_ = 0;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;  // below 8 between calls
};

/// The zeros in front of an Exp-Golomb code are fewer.
inline constexpr unsigned kZerosLimit = 24;

/// Reads what BitWriter wrote. Past the end it reads zeros: ask overrun() when done.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  static constexpr unsigned kPeekBits = 57;

  /// The next kPeekBits bits or more, which are not taken.
  [[nodiscard]] std::uint64_t peek() const {
    const std::size_t at = bits_read_ / 8;
    std::uint64_t bits = 0;
    if (at + 8 <= bytes_.size()) {
      bits = load_little<std::uint64_t>(bytes_.data() + at);
    } else {
      for (std::size_t i = at; i < bytes_.size(); ++i)
        bits |= std::uint64_t{load_u8(bytes_, i)} << (8 * (i - at));
    }
    return bits >> (bits_read_ % 8);
  }

  /// Takes bits that were seen. @param count  0 to kPeekBits
  void skip(unsigned count) { bits_read_ += count; }

  /// @param count  0 to 56
  std::uint64_t read(unsigned count) {
    const std::uint64_t value = peek() & ((std::uint64_t{1} << count) - 1);
    skip(count);
    return value;
  }

  /// The code of `order` of FORMAT.md, "Bits"; 2^32 - 1 where there are too many zeros before its
  /// first one.
  std::uint64_t read_exp_golomb(unsigned order) {
    const std::uint64_t ahead = peek();
    const auto zeros =
        static_cast<unsigned>(std::countr_zero(ahead | std::uint64_t{1} << kZerosLimit));
    bits_read_ += zeros + 1;
    if (zeros == kZerosLimit) return 0xffffffffU;
    const unsigned bits = zeros + order;
    const std::uint64_t rest = zeros + 1 + bits <= kPeekBits ? ahead >> (zeros + 1) : peek();
    bits_read_ += bits;
    const std::uint64_t first = std::uint64_t{1} << bits;
    return (first | (rest & (first - 1))) - (std::uint64_t{1} << order);
  }

  [[nodiscard]] bool overrun() const { return bits_read_ > 8 * bytes_.size(); }

  /// Bytes that were begun: the next part starts there.
  [[nodiscard]] std::size_t bytes_read() const { return (bits_read_ + 7) / 8; }

  /// Whether the bits of the last begun byte that were not read are zero, as the writer left them.
  [[nodiscard]] bool padding_is_zero() const {
    return (peek() & ((std::uint64_t{1} << (8 * bytes_read() - bits_read_)) - 1)) == 0;
  }

 private:
  std::string_view bytes_;
  std::size_t bits_read_ = 0;
};

/// The code of `order` that BitReader::read_exp_golomb reads: few bits for small values.
/// @param value  below 2^24
inline void write_exp_golomb(BitWriter& bits, std::uint32_t value, unsigned order) {
  const std::uint64_t shifted = std::uint64_t{value} + (1U << order);
  const auto low = static_cast<unsigned>(std::bit_width(shifted)) - 1;
  const unsigned zeros = low - order;
  bits.write(std::uint64_t{1} << zeros | (shifted ^ std::uint64_t{1} << low) << (zeros + 1),
             zeros + 1 + low);
}

}  // namespace terrane::codec
