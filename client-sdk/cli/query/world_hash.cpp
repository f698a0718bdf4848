#include "cli/query/world_hash.h"

#include <array>
#include <cstddef>

namespace terrane::cli {

RowOrderHash::RowOrderHash(const ChunkRectangle& area) : area_(area), state_(XXH3_createState()) {
  XXH3_64bits_reset(state_.get());
}

void RowOrderHash::add(ChunkCoord coord, std::uint64_t chunk_hash) {
  const auto width = static_cast<std::uint64_t>(area_.last.x - area_.first.x) + 1;
  const auto row = static_cast<std::uint64_t>(coord.y - area_.first.y);
  waiting_[row * width + static_cast<std::uint64_t>(coord.x - area_.first.x)] = chunk_hash;
  for (auto at = waiting_.begin(); at != waiting_.end() && at->first == next_;
       at = waiting_.erase(at), ++next_) {
    std::array<unsigned char, sizeof at->second> bytes{};  // little-endian
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<unsigned char>(at->second >> (8 * i));
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
  }
}

std::uint64_t RowOrderHash::value() const { return XXH3_64bits_digest(state_.get()); }

}  // namespace terrane::cli
