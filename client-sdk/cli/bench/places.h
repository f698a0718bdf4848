#pragma once

#include <cstdint>

#include "terrane/coord.h"

namespace terrane::cli {

/// Places that nobody has been to: the world is divided into squares of kCellChunks chunks, and
/// each place is in the middle of another one. Equal seeds give equal places; different ones, in
/// all likelihood, none in common. A plain value.
class FreshPlaces {
 public:
  static constexpr std::int64_t kCellChunks = std::int64_t{1} << 20;

  FreshPlaces(std::uint64_t seed, int chunk_size);

  /// The middle of a chunk. The first 2^40 have different squares.
  [[nodiscard]] BlockPos next();

 private:
  std::uint64_t index_;
  int chunk_size_;
};

}  // namespace terrane::cli
