#pragma once

#include <array>
#include <cstring>
#include <string_view>

#include "codec/container.h"
#include "store/chunk_record.h"

/// The cache's tables, and the record that says of which version its chunks are.
namespace terrane::store {

inline constexpr const char* kMetaTable = "meta";
inline constexpr const char* kChunkTable = "chunks";
inline constexpr const char* kFormatName = "terrane-cache-format";  // in the table kMetaTable

/// Chunks are stored as they are sent, so the codec's version is part of the cache's.
inline constexpr std::array<unsigned char, 2> kFormat = {kRecordVersion, codec::kFormatVersion};

[[nodiscard]] inline bool is_our_format(std::string_view record) {
  return record.size() == kFormat.size() &&
         std::memcmp(record.data(), kFormat.data(), kFormat.size()) == 0;
}

}  // namespace terrane::store
