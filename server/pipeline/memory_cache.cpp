#include "pipeline/memory_cache.h"

#include <utility>

namespace terrane::pipeline {
namespace {

// key twice, two allocations' headers, the string and its counts
constexpr std::size_t kEntryBytes = 256;

}  // namespace

std::vector<codec::EncodedChunk> MemoryCache::find(std::span<const ChunkKey> keys) {
  std::vector<codec::EncodedChunk> found(keys.size());
  if (max_bytes_ == 0) return found;
  const MutexLock lock(mutex_);
  // all at once, or each waits for memory in turn
  for (const ChunkKey& key : keys) entries_.prefetch(key);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto at = entries_.find(keys[i]);
    if (at == entries_.end()) continue;
    at->second.found = true;
    found[i] = at->second.chunk;
  }
  return found;
}

void MemoryCache::add(const ChunkKey& key, codec::EncodedChunk chunk) {
  const std::size_t bytes = chunk->size() + kEntryBytes;
  const MutexLock lock(mutex_);
  if (bytes > max_bytes_ || !entries_.try_emplace(key, Entry{std::move(chunk)}).second) return;
  try {
    queue_.push_back(key);
  } catch (...) {
    entries_.erase(key);
    throw;
  }
  bytes_ += bytes;
  while (bytes_ > max_bytes_) evict_or_spare_next();
}

void MemoryCache::remove(WorldFingerprint fingerprint, std::optional<std::uint64_t> seed) {
  const MutexLock lock(mutex_);
  for (std::size_t left = queue_.size(); left > 0; --left) {  // once round
    const ChunkKey& key = queue_.front();
    if (key.fingerprint == fingerprint && (!seed || key.seed == *seed)) {
      const auto at = entries_.find(key);
      bytes_ -= at->second.chunk->size() + kEntryBytes;
      entries_.erase(at);
    } else {
      queue_.push_back(key);
    }
    queue_.pop_front();
  }
}

MemoryCache::Usage MemoryCache::usage() const {
  const MutexLock lock(mutex_);
  return {bytes_, entries_.size()};
}

void MemoryCache::evict_or_spare_next() {
  const auto at = entries_.find(queue_.front());
  if (std::exchange(at->second.found, false)) {
    queue_.push_back(at->first);
  } else {
    bytes_ -= at->second.chunk->size() + kEntryBytes;
    entries_.erase(at);
  }
  queue_.pop_front();
}

}  // namespace terrane::pipeline
