#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace terrane::test {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error("can't write " + path.string());
}

/// Where the key of an LMDB page's first node begins. Looked at alone, for what a page does not use
/// may hold what other pages held before.
inline std::size_t first_key_at(std::string_view file, std::size_t page) {
  constexpr std::size_t kPageHeader = 16, kNodeHeader = 8;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(file.at(at)); };
  const std::size_t node = byte(page + kPageHeader) + 256u * byte(page + kPageHeader + 1);
  return page + node + kNodeHeader;
}

/// Flips the lowest bit of the byte `offset` bytes after the start of every occurrence of
/// `pattern`.
/// @return the number of occurrences
inline std::size_t flip_after(const std::filesystem::path& path, std::string_view pattern,
                              std::size_t offset) {
  std::string bytes = read_file(path);
  std::size_t found = 0;
  for (std::size_t at = bytes.find(pattern); at != std::string::npos;
       at = bytes.find(pattern, at + 1)) {
    bytes.at(at + offset) = static_cast<char>(bytes.at(at + offset) ^ 1);
    ++found;
  }
  write_file(path, bytes);
  return found;
}

}  // namespace terrane::test
