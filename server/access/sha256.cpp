#include "access/sha256.h"

#include <openssl/evp.h>

#include <charconv>
#include <new>

namespace terrane::access {

Sha256 sha256(std::string_view text) {
  Sha256 hash{};
  if (EVP_Digest(text.data(), text.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();
  return hash;
}

std::string to_hex(const Sha256& hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<Sha256> from_hex(std::string_view digits) {
  Sha256 hash{};
  if (digits.size() != 2 * hash.size()) return std::nullopt;
  for (std::size_t i = 0; i < hash.size(); ++i) {
    const char* const first = digits.data() + 2 * i;
    const auto [end, error] = std::from_chars(first, first + 2, hash[i], 16);
    if (error != std::errc() || end != first + 2) return std::nullopt;
  }
  return hash;
}

}  // namespace terrane::access
