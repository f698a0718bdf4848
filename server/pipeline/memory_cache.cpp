#include "pipeline/memory_cache.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace terrane::pipeline {
namespace {

// key, pointer, two allocations' headers, the string and its counts
constexpr std::size_t kEntryBytes = 192;
// its key and what it takes to find it
constexpr std::size_t kBlockBytes = 448;

constexpr std::size_t kFoundAtOnce = 64;

/// Into the processor's cache, to be written: make_shared has put it around the string.
void prefetch_owners(const std::string& chunk) {
  const auto* const string = reinterpret_cast<const char*>(&chunk);
  __builtin_prefetch(string - 1, 1);
  __builtin_prefetch(string + sizeof(std::string) - 1, 1);
}

}  // namespace

ChunkKey MemoryCache::block_of(const ChunkKey& key) {
  return {
      key.fingerprint, key.seed, key.lod, {key.coord.x >> kBlockBits, key.coord.y >> kBlockBits}};
}

unsigned MemoryCache::place_of(const ChunkKey& key) {
  constexpr std::int64_t kMask = (1 << kBlockBits) - 1;
  return static_cast<unsigned>((key.coord.y & kMask) << kBlockBits | (key.coord.x & kMask));
}

std::vector<codec::EncodedChunk> MemoryCache::find(std::span<const ChunkKey> keys) {
  std::vector<codec::EncodedChunk> found(keys.size());
  if (max_bytes_ == 0) return found;
  const MutexLock lock(mutex_);
  for (std::size_t from = 0; from < keys.size(); from += kFoundAtOnce) {
    const std::size_t count = std::min(kFoundAtOnce, keys.size() - from);
    find_some(keys.subspan(from, count), std::span(found).subspan(from, count));
  }
  return found;
}

/// In steps: what the next one reads is on its way from memory for all of them at once.
void MemoryCache::find_some(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found) {
  std::array<ChunkKey, kFoundAtOnce> at;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    at[i] = block_of(keys[i]);
    if (i == 0 || at[i] != at[i - 1]) blocks_.prefetch(at[i]);
  }
  std::array<Block*, kFoundAtOnce> blocks;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && at[i] == at[i - 1]) {
      blocks[i] = blocks[i - 1];
    } else {
      const auto block = blocks_.find(at[i]);
      blocks[i] = block == blocks_.end() ? nullptr : block->second.get();
    }
    if (blocks[i] == nullptr) continue;
    __builtin_prefetch(&blocks[i]->chunks[place_of(keys[i])]);
    __builtin_prefetch(&blocks[i]->found, 1);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (blocks[i] == nullptr) continue;
    const unsigned place = place_of(keys[i]);
    if (!blocks[i]->chunks[place]) {
      blocks[i] = nullptr;
      continue;
    }
    blocks[i]->found |= static_cast<std::uint16_t>(1u << place);
    prefetch_owners(*blocks[i]->chunks[place]);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (blocks[i] != nullptr) found[i] = blocks[i]->chunks[place_of(keys[i])];
  }
}

void MemoryCache::add(const ChunkKey& key, codec::EncodedChunk chunk) {
  const unsigned place = place_of(key);
  const std::size_t bytes = chunk->size() + kEntryBytes;
  const MutexLock lock(mutex_);
  if (bytes + kBlockBytes > max_bytes_) return;
  auto [at, is_new] = blocks_.try_emplace(block_of(key));
  if (!is_new && at->second->chunks[place]) return;
  try {
    if (is_new) at->second = std::make_unique<Block>();
    queue_.push_back(key);
  } catch (...) {
    if (is_new) blocks_.erase(at);
    throw;
  }
  Block& block = *at->second;
  block.chunks[place] = std::move(chunk);
  block.found &= static_cast<std::uint16_t>(~(1u << place));
  ++block.kept;
  bytes_ += bytes + (is_new ? kBlockBytes : 0);
  while (bytes_ > max_bytes_) evict_or_spare_next();
}

void MemoryCache::remove(WorldFingerprint fingerprint, std::optional<std::uint64_t> seed) {
  const MutexLock lock(mutex_);
  for (std::size_t left = queue_.size(); left > 0; --left) {  // once round
    const ChunkKey& key = queue_.front();
    if (key.fingerprint == fingerprint && (!seed || key.seed == *seed)) {
      take_out(key);
    } else {
      queue_.push_back(key);
    }
    queue_.pop_front();
  }
}

MemoryCache::Usage MemoryCache::usage() const {
  const MutexLock lock(mutex_);
  return {bytes_, queue_.size()};
}

/// But for the queue.
void MemoryCache::take_out(const ChunkKey& key) {
  const auto at = blocks_.find(block_of(key));
  Block& block = *at->second;
  bytes_ -= std::exchange(block.chunks[place_of(key)], nullptr)->size() + kEntryBytes;
  if (--block.kept > 0) return;
  bytes_ -= kBlockBytes;
  blocks_.erase(at);
}

void MemoryCache::evict_or_spare_next() {
  const ChunkKey& key = queue_.front();
  const auto bit = static_cast<std::uint16_t>(1u << place_of(key));
  std::uint16_t& found = blocks_.find(block_of(key))->second->found;
  if ((found & bit) != 0) {
    found &= static_cast<std::uint16_t>(~bit);
    queue_.push_back(key);
  } else {
    take_out(key);
  }
  queue_.pop_front();
}

}  // namespace terrane::pipeline
