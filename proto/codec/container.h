#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/coord.h"
#include "terrane/result.h"

/// The frame around the sections of an encoded chunk: header, section table, checksums. FORMAT.md,
/// "Frame".
namespace terrane::codec {

inline constexpr std::size_t kHeaderBytes = 8;
inline constexpr std::size_t kEntryBytes = 10;
inline constexpr std::uint8_t kFormatVersion = 2;
// layer ids are 1 … 31, so that a LayerMask can name each
inline constexpr std::size_t kMaxSections = 31;

/// How a section's payload is coded; the number in the section table.
enum class Coding : std::uint8_t {
  kConstant = 0,  // one value for all samples
  kRaw = 1,       // the samples as they are
  kRaster = 2,    // predicted from their neighbours
  kRegions = 3,   // borders between areas
  kPartial = 4,   // a raster in some regions, one value in the others: water
  kPlacements = 5,
  kStructures = 6,  // and rooms
};

/// One layer's bytes, uninterpreted.
struct Section {
  std::uint8_t layer = 0;
  std::uint8_t coding = 0;
  std::string_view payload;
};

/// A chunk's frame. The payloads point into the bytes it was read from, or into the encoder's
/// buffers.
struct Container {
  int log2_size = 0;
  Lod lod = 0;
  std::size_t section_count = 0;
  // in growing order of layer; the first section_count count
  std::array<Section, kMaxSections> sections;
};

/// The bytes of a frame.
[[nodiscard]] std::string write_container(const Container& container);

/// Reads a frame and checks all of it: magic, version, limits, order, lengths, and the checksum of
/// every section. Errors: kDataLoss with what is wrong. Threads: any. Allocates only for an error's
/// message.
[[nodiscard]] Result<Container> read_container(std::string_view bytes);

}  // namespace terrane::codec
