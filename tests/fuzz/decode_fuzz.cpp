// libFuzzer target: bytes from a hostile server into the chunk decoder. Checksums would turn nearly
// every mutation away at the door, so the frame is also rebuilt around the mutated payloads with
// checksums that fit.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "codec/chunk_codec.h"
#include "codec/container.h"

namespace {

using namespace terrane;

/// What the decoder accepts must survive a round trip, and its cuts must decode to the same layers.
void check(std::string_view bytes) {
  const auto chunk = codec::decode(bytes, {1, -1});
  if (!chunk) return;
  const auto again = codec::decode(codec::encode(*chunk), {1, -1});
  if (!again || *again != *chunk) std::abort();
  const auto cut = codec::select_layers(bytes, layer_bit(Layer::kHeight));
  if (!cut) std::abort();
  const auto height = codec::decode(*cut, {1, -1});
  if (!height || height->height_q4 != chunk->height_q4 || !height->biome.empty()) std::abort();
  const std::size_t samples =
      static_cast<std::size_t>(chunk->size) * static_cast<std::size_t>(chunk->size);
  if (std::max({chunk->placements.size(), chunk->structures.size(), chunk->rooms.size()}) > samples)
    std::abort();
}

/// The bytes read as a frame as far as they go, with checksums made right.
std::string repaired(std::string_view bytes) {
  codec::Container container;
  if (bytes.size() < codec::kHeaderBytes) return {};
  container.log2_size = 4 + static_cast<unsigned char>(bytes[4]) % 4;
  container.lod = static_cast<Lod>(static_cast<unsigned char>(bytes[5]) % 17);
  const std::size_t count = static_cast<unsigned char>(bytes[6]) % 10;
  std::size_t payload_at = codec::kHeaderBytes + count * codec::kEntryBytes;
  if (bytes.size() < payload_at) return {};
  std::uint8_t layer = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view entry =
        bytes.substr(codec::kHeaderBytes + i * codec::kEntryBytes, codec::kEntryBytes);
    const auto at = [&](std::size_t k) { return static_cast<std::uint8_t>(entry[k]); };
    layer = static_cast<std::uint8_t>(layer + 1 + at(0) % 4);
    const std::size_t wanted = at(2) | std::size_t{at(3)} << 8;
    const std::size_t length =
        i + 1 == count ? bytes.size() - payload_at : std::min(wanted, bytes.size() - payload_at);
    container.sections[container.section_count++] = {layer, static_cast<std::uint8_t>(at(1) % 8),
                                                     bytes.substr(payload_at, length)};
    payload_at += length;
  }
  return codec::write_container(container);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  check(repaired(bytes));
  return 0;
}
