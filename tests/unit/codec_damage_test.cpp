#include <gtest/gtest.h>

#include "codec/chunk_codec.h"
#include "codec/container.h"
#include "unit/codec_chunks.h"

namespace terrane::codec {
namespace {

using namespace terrane::test;

TEST(codec_damage, a_chunk_cut_off_anywhere_is_refused) {
  for (const Chunk& chunk :
       {hilly_chunk(32), extreme_chunk(16), only(hilly_chunk(16), 0), full_chunk(32)}) {
    const std::string bytes = encode(chunk);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      // A buffer of exactly this length, so that reading past it is caught where memory is checked.
      const std::vector<char> cut(bytes.begin(),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(length));
      const Result<Chunk> decoded = decode({cut.data(), cut.size()}, {});
      ASSERT_FALSE(decoded) << "cut to " << length << " of " << bytes.size();
      EXPECT_EQ(decoded.error().code, ErrorCode::kDataLoss);
    }
  }
}

TEST(codec_damage, every_flipped_bit_is_noticed) {
  for (const Chunk& chunk : {hilly_chunk(64), smooth_chunk(16, 5), full_chunk(16)}) {
    const std::string good = encode(chunk);
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
      std::string bytes = good;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
      const Result<Chunk> decoded = decode(bytes, chunk.coord);
      ASSERT_FALSE(decoded) << "bit " << bit;
      EXPECT_EQ(decoded.error().code, ErrorCode::kDataLoss);
      EXPECT_FALSE(select_layers(bytes, kAllLayers)) << "bit " << bit;
    }
  }
}

/// The frame of `bytes` around one changed payload, with a checksum that is right: what a hostile
/// server can send.
std::string with_payload(const Container& container, std::size_t index, std::string_view payload) {
  Container changed = container;
  changed.sections[index].payload = payload;
  return write_container(changed);
}

/// Whatever the payload, decoding ends with an error or with a whole layer.
void expect_survives(const std::string& bytes) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  const Result<Chunk> decoded = decode({exact.data(), exact.size()}, {});
  if (!decoded) {
    EXPECT_EQ(decoded.error().code, ErrorCode::kDataLoss);
    EXPECT_FALSE(decoded.error().message.empty());
  } else {
    EXPECT_EQ(decoded->height_q4.size(), sample_count(*decoded));
    EXPECT_EQ(decoded->biome.size(), sample_count(*decoded));
    EXPECT_LE(decoded->placements.size(), sample_count(*decoded));
    EXPECT_LE(decoded->structures.size(), sample_count(*decoded));
    EXPECT_LE(decoded->rooms.size(), sample_count(*decoded));
    EXPECT_TRUE(*decode(encode(*decoded), {}) == *decoded) << "what is accepted can be said again";
  }
}

TEST(codec_damage, payloads_with_flipped_bits_and_right_checksums_do_no_harm) {
  for (const Chunk& chunk :
       {hilly_chunk(32), extreme_chunk(16), smooth_chunk(16), full_chunk(32)}) {
    const std::string good = encode(chunk);
    const Container container = *read_container(good);
    for (std::size_t section = 0; section < container.section_count; ++section) {
      const std::string payload(container.sections[section].payload);
      for (std::size_t bit = 0; bit < 8 * payload.size(); ++bit) {
        std::string changed = payload;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
        expect_survives(with_payload(container, section, changed));
      }
    }
  }
}

TEST(codec_damage, payloads_cut_off_with_right_checksums_are_refused) {
  for (const Chunk& chunk :
       {hilly_chunk(32), extreme_chunk(16), smooth_chunk(16), full_chunk(32)}) {
    const std::string good = encode(chunk);
    const Container container = *read_container(good);
    for (std::size_t section = 0; section < container.section_count; ++section) {
      const std::string_view payload = container.sections[section].payload;
      for (std::size_t length = 0; length < payload.size(); ++length) {
        EXPECT_FALSE(decode(with_payload(container, section, payload.substr(0, length)), {}))
            << section << " cut to " << length;
      }
      EXPECT_FALSE(decode(with_payload(container, section, std::string(payload) + '\0'), {}))
          << section << " with a byte more";
    }
  }
}

TEST(codec_damage, random_payloads_do_no_harm) {
  std::mt19937 random(99);
  const std::string good = encode(full_chunk(16));
  const Container container = *read_container(good);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t section = random() % container.section_count;
    // Half of them go on as a good payload after a few random bytes, to come further.
    std::string payload(random() % 300, '\0');
    for (char& byte : payload) byte = static_cast<char>(random());
    if (round % 2 == 0) {
      payload = container.sections[section].payload;
      for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
        payload[random() % payload.size()] = static_cast<char>(random());
    }
    expect_survives(with_payload(container, section, payload));
  }
}

TEST(codec_damage, random_bytes_are_refused) {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (round % 2 == 0) bytes.replace(0, std::min<std::size_t>(bytes.size(), 4), "TRC\x02");
    if (bytes == std::string_view("TRC\x02", 4)) continue;
    EXPECT_FALSE(decode(bytes, {}));
  }
}

}  // namespace
}  // namespace terrane::codec
