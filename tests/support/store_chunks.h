#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/chunk_store.h"

namespace terrane::test {

inline ChunkKey key_of(std::int64_t i) {
  return {.fingerprint = 7, .seed = 9, .lod = 0, .coord = {i % 64 - 32, i / 64 - 32}};
}

/// Stands for an encoded chunk: `bytes` bytes that differ for every `i` and do not repeat inside.
inline codec::EncodedChunk chunk_of(std::int64_t i, std::size_t bytes = 3000) {
  std::string text = "<chunk " + std::to_string(i) + ">";
  std::uint64_t state = static_cast<std::uint64_t>(i) + 1;
  while (text.size() < bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text.push_back(static_cast<char>(state >> 56));
  }
  return std::make_shared<const std::string>(std::move(text));
}

/// Opens a store or throws the reason why not.
inline std::unique_ptr<store::ChunkStore> open_store(const store::StoreOptions& options) {
  auto opened = store::ChunkStore::open(options);
  if (!opened) throw std::runtime_error(opened.error().message);
  return *std::move(opened);
}

/// Options whose batches wait for flush(): nothing happens by time.
inline store::StoreOptions untimed(const std::filesystem::path& directory) {
  store::StoreOptions options;
  options.directory = directory;
  options.max_bytes = std::uint64_t{64} << 20;
  options.commit_interval_ms = 3'600'000;
  options.check_wait_ms = 3'600'000;
  return options;
}

inline codec::EncodedChunk find_one(store::ChunkStore& store, const ChunkKey& key) {
  return store.find({&key, 1}).at(0);
}

/// Whether the store holds exactly the right bytes for key_of(i).
inline bool holds(store::ChunkStore& store, std::int64_t i) {
  const auto found = find_one(store, key_of(i));
  return found && *found == *chunk_of(i);
}

}  // namespace terrane::test
