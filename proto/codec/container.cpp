#include "codec/container.h"

#define XXH_INLINE_ALL  // no library beside ours: terrane_core
#include <xxhash.h>

#include "codec/byte_io.h"

namespace terrane::codec {
namespace {

constexpr std::string_view kMagic = "TRC";

// where the header's fields are, behind the magic
constexpr std::size_t kVersionAt = 3;
constexpr std::size_t kLog2SizeAt = 4;
constexpr std::size_t kLodAt = 5;
constexpr std::size_t kSectionCountAt = 6;
constexpr std::size_t kReservedAt = 7;

// where a table entry's fields are
constexpr std::size_t kCodingAt = 1;
constexpr std::size_t kLengthAt = 2;
constexpr std::size_t kChecksumAt = 6;

constexpr int kMinLog2Size = 4;  // of kMinChunkSize
constexpr int kMaxLog2Size = 7;

/// Covers the payload, its table entry and the header's sizes, so that no field can change
/// unnoticed.
std::uint32_t section_checksum(const Section& section, int log2_size, Lod lod) {
  const std::uint64_t seed = section.layer | std::uint64_t{section.coding} << 8 |
                             static_cast<std::uint64_t>(log2_size) << 16 |
                             std::uint64_t{lod} << 24 | std::uint64_t{section.payload.size()} << 32;
  return static_cast<std::uint32_t>(
      XXH3_64bits_withSeed(section.payload.data(), section.payload.size(), seed));
}

tl::unexpected<Error> damaged(const std::string& what) {
  return fail(ErrorCode::kDataLoss, "encoded chunk: " + what);
}

Result<Container> read_header(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) {
    return damaged("has " + std::to_string(bytes.size()) + " bytes, fewer than its header of " +
                   std::to_string(kHeaderBytes));
  }
  if (bytes.substr(0, kMagic.size()) != kMagic) return damaged("does not start with 'TRC'");
  if (const auto version = load_u8(bytes, kVersionAt); version != kFormatVersion) {
    return damaged("has format version " + std::to_string(version) +
                   "; this program reads version " + std::to_string(kFormatVersion) +
                   (version > kFormatVersion ? ": upgrade it" : ""));
  }
  Container container;
  container.log2_size = load_u8(bytes, kLog2SizeAt);
  container.lod = load_u8(bytes, kLodAt);
  container.section_count = load_u8(bytes, kSectionCountAt);
  if (container.log2_size < kMinLog2Size || container.log2_size > kMaxLog2Size) {
    return damaged("log2(size) is " + std::to_string(container.log2_size) + ", must be 4 to 7");
  }
  if (container.lod > kMaxLod) {
    return damaged("lod is " + std::to_string(container.lod) + ", must be at most " +
                   std::to_string(kMaxLod));
  }
  if (container.section_count > kMaxSections) {
    return damaged("has " + std::to_string(container.section_count) +
                   " sections, must be at most " + std::to_string(kMaxSections));
  }
  if (load_u8(bytes, kReservedAt) != 0)
    return damaged("reserved header byte is " + std::to_string(load_u8(bytes, kReservedAt)) +
                   ", must be 0");
  return container;
}

}  // namespace

std::string write_container(const Container& container) {
  std::size_t total = kHeaderBytes + kEntryBytes * container.section_count;
  for (std::size_t i = 0; i < container.section_count; ++i)
    total += container.sections[i].payload.size();

  std::string bytes;
  bytes.reserve(total);
  bytes.append(kMagic);
  append_u8(bytes, kFormatVersion);
  append_u8(bytes, static_cast<std::uint8_t>(container.log2_size));
  append_u8(bytes, container.lod);
  append_u8(bytes, static_cast<std::uint8_t>(container.section_count));
  append_u8(bytes, 0);
  for (std::size_t i = 0; i < container.section_count; ++i) {
    const Section& section = container.sections[i];
    append_u8(bytes, section.layer);
    append_u8(bytes, section.coding);
    append_u32(bytes, static_cast<std::uint32_t>(section.payload.size()));
    append_u32(bytes, section_checksum(section, container.log2_size, container.lod));
  }
  for (std::size_t i = 0; i < container.section_count; ++i)
    bytes.append(container.sections[i].payload);
  return bytes;
}

Result<Container> read_container(std::string_view bytes) {
  Result<Container> container = read_header(bytes);
  if (!container) return container;

  const std::size_t table_end = kHeaderBytes + kEntryBytes * container->section_count;
  if (bytes.size() < table_end) {
    return damaged("ends within its section table, at byte " + std::to_string(bytes.size()) +
                   " of " + std::to_string(table_end));
  }
  std::size_t offset = table_end;
  int previous_layer = 0;
  for (std::size_t i = 0; i < container->section_count; ++i) {
    const std::size_t entry = kHeaderBytes + kEntryBytes * i;
    Section& section = container->sections[i];
    section.layer = load_u8(bytes, entry);
    section.coding = load_u8(bytes, entry + kCodingAt);
    const std::uint32_t length = load_u32(bytes, entry + kLengthAt);
    const auto name = [&section] { return "section of layer " + std::to_string(section.layer); };
    if (section.layer == 0 || section.layer > kMaxSections)
      return damaged(name() + ": layer ids are 1 to 31");
    if (section.layer <= previous_layer)
      return damaged(name() + " follows layer " + std::to_string(previous_layer) +
                     "; ids must grow");
    previous_layer = section.layer;
    if (length > bytes.size() - offset) {
      return damaged(name() + " claims " + std::to_string(length) + " bytes where " +
                     std::to_string(bytes.size() - offset) + " are left");
    }
    section.payload = bytes.substr(offset, length);
    offset += length;
    if (load_u32(bytes, entry + kChecksumAt) !=
        section_checksum(section, container->log2_size, container->lod)) {
      return damaged(name() + " has a wrong checksum");
    }
  }
  if (offset != bytes.size())
    return damaged(std::to_string(bytes.size() - offset) + " bytes follow the last section");
  return container;
}

}  // namespace terrane::codec
