#include "terrane/explorer.h"

#include <utility>

#include "explorer_impl.h"

namespace terrane {

Explorer::Explorer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Explorer::Explorer(Explorer&&) noexcept = default;
Explorer& Explorer::operator=(Explorer&& other) noexcept {
  Explorer former(std::move(*this));
  impl_ = std::move(other.impl_);
  return *this;
}
Explorer::~Explorer() {
  if (impl_ && !impl_->close()) (void)impl_.release();  // lost, rather than a thread that waits
}

Result<void> Explorer::move(const Pose& pose) { return impl_->move(pose); }
ExploreNews Explorer::poll() { return impl_->poll(); }
bool Explorer::wait(std::chrono::milliseconds timeout) { return impl_->wait(timeout); }
std::shared_ptr<const Chunk> Explorer::chunk(const Tile& tile) const { return impl_->chunk(tile); }
ExploreStats Explorer::stats() const { return impl_->stats(); }

}  // namespace terrane
