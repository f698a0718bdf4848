#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Little-endian numbers in byte strings.
namespace terrane::codec {

inline void append_u8(std::string& out, std::uint8_t value) { out.push_back(static_cast<char>(value)); }

inline void append_u32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) append_u8(out, static_cast<std::uint8_t>(value >> shift));
}

/// @param offset  must lie within `bytes`, as for the next functions
inline std::uint8_t load_u8(std::string_view bytes, std::size_t offset) { return static_cast<std::uint8_t>(bytes[offset]); }

inline std::uint16_t load_u16(std::string_view bytes, std::size_t offset) {
  return static_cast<std::uint16_t>(load_u8(bytes, offset) | load_u8(bytes, offset + 1) << 8);
}

inline std::uint32_t load_u32(std::string_view bytes, std::size_t offset) {
  return load_u16(bytes, offset) | static_cast<std::uint32_t>(load_u16(bytes, offset + 2)) << 16;
}

}  // namespace terrane::codec
