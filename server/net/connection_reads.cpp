#include "net/connection_reads.h"

#include <sys/socket.h>

#include "net/socket_inode.h"

namespace terrane::net {
namespace {

// The system makes room for twice as much. It counts some hundred bytes for each segment besides,
// so that this is what a thousand small requests take.
constexpr int kHeld = 1 << 20;

}  // namespace

void ConnectionReads::note(const Endpoint& peer, int descriptor, ino_t socket) {
  const MutexLock lock(mutex_);
  connections_[peer] = {descriptor, socket};
}

void ConnectionReads::forget(const Endpoint& peer, ino_t socket) {
  const MutexLock lock(mutex_);
  const auto found = connections_.find(peer);
  if (found != connections_.end() && found->second.socket == socket) connections_.erase(found);
}

/// The descriptor may be closed at any time, and another's from then on: one that is met by mistake
/// is released.
bool ConnectionReads::hold(const Endpoint& peer, bool held) {
  const MutexLock lock(mutex_);
  const auto found = connections_.find(peer);
  if (found == connections_.end()) return false;
  const auto [descriptor, socket] = found->second;
  if (inode_of(descriptor) != socket) return false;
  const auto set = [descriptor = descriptor](int value) {
    return setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &value, sizeof value) == 0;
  };
  const bool done = set(held ? kHeld : 1);
  if (inode_of(descriptor) == socket) return done;
  set(1);
  return false;
}

}  // namespace terrane::net
