#include "pipeline/recent_chunks.h"

#include <utility>

namespace terrane::pipeline {
namespace {

constexpr std::size_t kEntryBytes = 256;  // key twice, two allocations' headers, the string and its counts

}  // namespace

codec::EncodedChunk RecentChunks::find(const ChunkKey& key) {
  const std::lock_guard lock(mutex_);
  const auto at = entries_.find(key);
  if (at == entries_.end()) return nullptr;
  at->second.found = true;
  return at->second.chunk;
}

void RecentChunks::add(const ChunkKey& key, codec::EncodedChunk chunk) {
  const std::size_t bytes = chunk->size() + kEntryBytes;
  const std::lock_guard lock(mutex_);
  if (bytes > max_bytes_ || !entries_.try_emplace(key, Entry{std::move(chunk)}).second) return;
  queue_.push_back(key);
  bytes_ += bytes;
  while (bytes_ > max_bytes_) evict();
}

void RecentChunks::evict() {
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
