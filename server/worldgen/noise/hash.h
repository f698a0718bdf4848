#pragma once

#include <cstdint>
#include <string_view>

/// The hash behind everything random in a world: a pure function of 64-bit values, never of an
/// order of calls.
namespace terrane::worldgen::noise {

/// A bijection of 64-bit values in which every input bit flips every output bit with a chance close
/// to one half (the finalizer of MurmurHash3 with the constants of David Stafford's "Mix13").
constexpr std::uint64_t mix64(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

/// Combines a key with a value into a new key.
constexpr std::uint64_t combine(std::uint64_t key, std::uint64_t value) {
  return mix64(key + 0x9e3779b97f4a7c15u + mix64(value));
}

/// The hash of a lattice column or row; its halves make the lattice points' gradients.
constexpr std::uint64_t line_hash(std::uint64_t key, std::int64_t cell) {
  return mix64(key ^ mix64(static_cast<std::uint64_t>(cell)));
}

/// The key of a named stream of random values under a seed. Streams are told apart by name, so
/// adding one changes no other.
constexpr std::uint64_t stream_key(std::uint64_t seed, std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;  // FNV-1a over the name
  for (const char c : name) h = (h ^ static_cast<std::uint8_t>(c)) * 0x100000001b3u;
  return combine(combine(0x7465727261696e21u, seed), h);
}

}  // namespace terrane::worldgen::noise
