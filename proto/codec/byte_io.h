#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

/// Little-endian numbers in byte strings.
namespace terrane::codec {

inline void append_u8(std::string& out, std::uint8_t value) {
  out.push_back(static_cast<char>(value));
}

inline void append_u32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    append_u8(out, static_cast<std::uint8_t>(value >> shift));
}

/// @param offset  must lie within `bytes`, as for the next functions
inline std::uint8_t load_u8(std::string_view bytes, std::size_t offset) {
  return static_cast<std::uint8_t>(bytes[offset]);
}

/// A little-endian number at `from`, which need not be aligned: one load where the machine is
/// little-endian too.
template <typename Unsigned>
inline Unsigned load_little(const char* from) {
  Unsigned value = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&value, from, sizeof value);
  } else {
    for (std::size_t i = sizeof value; i-- > 0;)
      value = static_cast<Unsigned>(value << 8 | static_cast<std::uint8_t>(from[i]));
  }
  return value;
}

template <typename Unsigned, typename Byte>
inline void store_little(Byte* to, Unsigned value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(to, &value, sizeof value);
  } else {
    for (std::size_t i = 0; i < sizeof value; ++i) to[i] = static_cast<Byte>(value >> (8 * i));
  }
}

/// Its bytes in the other order: one instruction, which compilers know this for.
constexpr std::uint64_t swapped(std::uint64_t value) {
  value = (value & 0x00ff00ff00ff00ff) << 8 | (value >> 8 & 0x00ff00ff00ff00ff);
  value = (value & 0x0000ffff0000ffff) << 16 | (value >> 16 & 0x0000ffff0000ffff);
  return value << 32 | value >> 32;
}

/// Eight bytes, the first one highest.
inline std::uint64_t load_big(const char* from) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return std::endian::native == std::endian::little ? swapped(value) : value;
}

inline void store_big(char* to, std::uint64_t value) {
  if constexpr (std::endian::native == std::endian::little) value = swapped(value);
  std::memcpy(to, &value, sizeof value);
}

inline std::uint16_t load_u16(std::string_view bytes, std::size_t offset) {
  return load_little<std::uint16_t>(bytes.data() + offset);
}

inline std::uint32_t load_u32(std::string_view bytes, std::size_t offset) {
  return load_little<std::uint32_t>(bytes.data() + offset);
}

/// Seven bits a byte, lowest first, the top bit set on all but the last.
inline void append_varint(std::string& out, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) append_u8(out, static_cast<std::uint8_t>(value | 0x80));
  append_u8(out, static_cast<std::uint8_t>(value));
}

/// Takes a varint off the front of `bytes`; empty when they end within it or it exceeds 32 bits.
inline std::optional<std::uint32_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 5 && i < bytes.size(); ++i) {
    value |= std::uint64_t{load_u8(bytes, i) & 0x7fU} << (7 * i);
    if (load_u8(bytes, i) >= 0x80) continue;
    bytes.remove_prefix(i + 1);
    if (value > 0xffffffffU) return std::nullopt;
    return static_cast<std::uint32_t>(value);
  }
  return std::nullopt;
}

}  // namespace terrane::codec
