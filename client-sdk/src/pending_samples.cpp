#include "terrane/pending_samples.h"

#include <algorithm>
#include <utility>

#include "pending_samples_impl.h"
#include "terrane/result_macros.h"
#include "wire.h"

namespace terrane {

PendingSamples::PendingSamples(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PendingSamples::PendingSamples(PendingSamples&&) noexcept = default;
PendingSamples& PendingSamples::operator=(PendingSamples&& other) noexcept {
  close();
  impl_ = std::move(other.impl_);
  return *this;
}
PendingSamples::~PendingSamples() { close(); }

void PendingSamples::close() {
  if (impl_ && !impl_->close()) (void)impl_.release();
}

std::optional<Result<std::vector<PointSample>>> PendingSamples::poll() { return impl_->poll(); }

PendingSamples::Impl::Impl(std::shared_ptr<const client::Connection> connection, WorldRef world,
                           std::vector<BlockPos> points, std::size_t step)
    : connection_(std::move(connection)),
      world_(std::move(world)),
      points_(std::move(points)),
      step_(step),
      attempts_(connection_->options) {
  samples_.reserve(points_.size());
}

std::optional<Result<std::vector<PointSample>>> PendingSamples::Impl::poll() {
  if (is_told_) return std::nullopt;
  auto done = go_on();
  if (done && !*done) return std::nullopt;
  is_told_ = true;
  return std::move(done).map([this](bool) { return std::move(samples_); });
}

/// @return whether all samples are there
Result<bool> PendingSamples::Impl::go_on() {
  TERRANE_RETURN_IF_ERROR(connection_->check_process());
  while (samples_.size() < points_.size()) {
    if (!call_) {
      if (std::chrono::steady_clock::now() < next_attempt_) {
        connection_->reconnect();
        return false;
      }
      TERRANE_RETURN_IF_ERROR(begin_attempt());
    }
    const auto status = call_->poll();
    if (!status && !call_->is_lost()) return false;
    auto failure =
        status ? connection_->failure_of(*status, call_->context()) : client::lost_call();
    auto call = std::exchange(call_, nullptr);
    if (status && status->ok()) {
      attempts_.progressed();
      TERRANE_RETURN_IF_ERROR(
          client::append_samples(call->response(), static_cast<int>(asked_for().size()), samples_));
    } else {
      if (!status) connection_->leave_behind(std::move(call));
      TERRANE_RETURN_IF_ERROR(after_failed_attempt(std::move(failure)));
    }
  }
  return true;
}

std::span<const BlockPos> PendingSamples::Impl::asked_for() const {
  const auto rest = std::span(points_).subspan(samples_.size());
  return rest.first(std::min(step_, rest.size()));
}

Result<void> PendingSamples::Impl::begin_attempt() {
  const v1::SamplePointsRequest request = client::to_message(world_, asked_for());
  auto call = std::make_unique<Call>(connection_->watch());
  attempts_.begin(call->context());
  TERRANE_RETURN_IF_ERROR(connection_->introduce(call->context(), client::region_of(request)));
  call_ = std::move(call);
  call_->start(attempts_.deadline(), [&](auto* context, auto* queue) {
    return connection_->stub->AsyncSamplePoints(context, request, queue);
  });
  return {};
}

Result<void> PendingSamples::Impl::after_failed_attempt(client::AttemptError failure) {
  const auto wait = attempts_.after(failure);
  if (!wait) return tl::unexpected(attempts_.final_error(std::move(failure.error)));
  next_attempt_ = std::chrono::steady_clock::now() + *wait;
  return {};
}

bool PendingSamples::Impl::close() {
  if (!connection_->check_process()) return false;
  if (call_ && !call_->end()) connection_->leave_behind(std::exchange(call_, nullptr));
  call_.reset();
  return true;
}

}  // namespace terrane
