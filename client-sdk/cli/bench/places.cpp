#include "cli/bench/places.h"

namespace terrane::cli {
namespace {

constexpr int kAxisBits = 20;  // squares along one axis
constexpr std::uint64_t kAxisMask = (std::uint64_t{1} << kAxisBits) - 1;
constexpr std::uint64_t kMask = (std::uint64_t{1} << 2 * kAxisBits) - 1;

/// One to one on 2 * kAxisBits bits: odd factors and shifts to the right can be undone.
std::uint64_t scattered(std::uint64_t index) {
  std::uint64_t v = index & kMask;
  for (const std::uint64_t odd : {0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u}) {
    v = v * odd & kMask;
    v ^= v >> kAxisBits;
  }
  return v;
}

}  // namespace

// Seeds that follow each other are to start far apart.
FreshPlaces::FreshPlaces(std::uint64_t seed, int chunk_size)
    : index_(ChunkKeyHash()({.seed = seed, .coord = {}})), chunk_size_(chunk_size) {}

BlockPos FreshPlaces::next() {
  const std::uint64_t cell = scattered(index_++);
  const auto along = [&](std::uint64_t number) {
    const auto chunk =
        (static_cast<std::int64_t>(number & kAxisMask) - (std::int64_t{1} << (kAxisBits - 1))) *
        kCellChunks;
    return (chunk + kCellChunks / 2) * chunk_size_ + chunk_size_ / 2;
  };
  return {along(cell), along(cell >> kAxisBits)};
}

}  // namespace terrane::cli
