#include "store/snapshot.h"

#include <utility>

namespace terrane::store {

void Snapshot::offer(SnapshotReader reader) {
  const MutexLock lock(mutex_);
  reader_ = std::make_unique<const SnapshotReader>(std::move(reader));
}

std::optional<std::size_t> Snapshot::find(std::span<const ChunkKey> keys,
                                          std::span<codec::EncodedChunk> found, UseClock& uses) {
  const SnapshotReader* reader = begin();
  if (reader == nullptr) return std::nullopt;
  const std::unique_ptr<Snapshot, void (*)(Snapshot*)> reading(this, [](Snapshot* s) { s->end(); });
  return reader->find(keys, found, uses);
}

const SnapshotReader* Snapshot::begin() {
  const MutexLock lock(mutex_);
  while (retiring_) changed_.wait(mutex_);
  if (reader_) ++reading_;
  return reader_.get();
}

void Snapshot::end() {
  const MutexLock lock(mutex_);
  if (--reading_ == 0) changed_.notify_all();
}

void Snapshot::retire(const std::function<void()>& work) {
  {
    const MutexLock lock(mutex_);
    retiring_ = true;
    while (reading_ > 0) changed_.wait(mutex_);
    reader_.reset();
  }
  work();
  const MutexLock lock(mutex_);
  retiring_ = false;
  changed_.notify_all();
}

}  // namespace terrane::store
