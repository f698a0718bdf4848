#include "terrane/explorer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "explorer_impl.h"
#include "wire.h"

namespace terrane {

using client::AttemptError;
using client::ExploreStream;
using std::chrono::milliseconds;

Explorer::Explorer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Explorer::Explorer(Explorer&&) noexcept = default;
Explorer& Explorer::operator=(Explorer&&) noexcept = default;
Explorer::~Explorer() = default;

Result<void> Explorer::move(const Pose& pose) { return impl_->move(pose); }
ExploreNews Explorer::poll() { return impl_->poll(); }
bool Explorer::wait(milliseconds timeout) { return impl_->wait(timeout); }
std::shared_ptr<const Chunk> Explorer::chunk(const Tile& tile) const { return impl_->chunk(tile); }
ExploreStats Explorer::stats() const { return impl_->stats(); }

Explorer::Impl::Impl(std::shared_ptr<const client::Connection> connection, ExploreOptions options)
    : connection_(std::move(connection)),
      decode_(options.decode),
      layers_(options.layers),
      book_(std::move(options)),
      random_(std::random_device{}()) {}

Explorer::Impl::~Impl() {
  std::unique_lock lock(mutex_);
  ++stream_number_;
  if (const auto stream = std::exchange(stream_, nullptr)) {
    lock.unlock();
    stream->cancel();
    lock.lock();
  }
  changed_.wait(lock, [this] { return streams_ == 0; });
}

Result<void> Explorer::Impl::move(const Pose& pose) {
  {
    const std::lock_guard lock(mutex_);
    if (auto moved = book_.move(pose, Clock::now()); !moved) return moved;
  }
  drive();
  return {};
}

ExploreNews Explorer::Impl::poll() {
  ExploreNews news;
  {
    const std::lock_guard lock(mutex_);
    book_.tell(news);
    news.state = told_state_ = reconnection_.state();
    news.error = told_error_ = reconnection_.error();
  }
  drive();
  return news;
}

bool Explorer::Impl::wait(milliseconds timeout) {
  const auto end =
      Clock::now() + std::clamp(timeout, milliseconds(0), milliseconds(std::chrono::hours(24)));
  for (;;) {
    drive();
    std::unique_lock lock(mutex_);
    if (has_news()) return true;
    if (Clock::now() >= end) return false;
    const auto look = book_.has_pose() ? reconnection_.next_look() : std::nullopt;
    changed_.wait_until(lock, look ? std::min(*look, end) : end);
  }
}

bool Explorer::Impl::has_news() const {
  return book_.has_news() || reconnection_.state() != told_state_ ||
         reconnection_.error() != told_error_;
}

std::shared_ptr<const Chunk> Explorer::Impl::chunk(const Tile& tile) const {
  const std::lock_guard lock(mutex_);
  return book_.chunk(tile);
}

ExploreStats Explorer::Impl::stats() const {
  const std::lock_guard lock(mutex_);
  ExploreStats stats = book_.stats();
  stats.reconnects = reconnection_.reconnects();
  return stats;
}

/// Opens a stream when one is due, gives up one whose server is silent, and says what there is to
/// say. Never under the lock: a stream takes its own, and ours after that.
void Explorer::Impl::drive() {
  std::shared_ptr<ExploreStream> lost, opened, open;
  bool wait_for_connection = false;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (reconnection_.is_overdue(now)) {
      lost = std::exchange(stream_, nullptr);
      ++stream_number_;
      lose({ErrorCode::kUnavailable, "server " + connection_->options.address +
                                         " has been silent for " +
                                         std::to_string(reconnection_.silence().count()) + " ms"},
           std::nullopt);
    }
    if (book_.has_pose() && reconnection_.is_due(now)) {
      wait_for_connection = reconnection_.has_failed();
      opened = open_stream();
    } else {
      open = stream_;
    }
  }
  if (lost) lost->cancel();
  if (opened) opened->start(wait_for_connection);
  if (open) open->flush();
}

std::shared_ptr<ExploreStream> Explorer::Impl::open_stream() {
  book_.begin_stream();
  reconnection_.opened();
  const std::uint64_t stream = ++stream_number_;
  ++streams_;
  stream_ = std::make_shared<ExploreStream>(
      connection_,
      ExploreStream::Events{
          [this, stream] { return next_message(stream); },
          [this, stream](v1::ExploreResponse& response) { return receive(stream, response); },
          [this, stream](const AttemptError& failure) { ended(stream, failure); }});
  return stream_;
}

std::optional<v1::ExploreRequest> Explorer::Impl::next_message(std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  if (stream != stream_number_) return std::nullopt;
  // it has gone out, else nobody would ask for more
  if (book_.said_hello()) reconnection_.connected(Clock::now());
  return book_.next_message();
}

bool Explorer::Impl::receive(std::uint64_t stream, v1::ExploreResponse& response) {
  {
    const std::lock_guard lock(mutex_);
    if (stream != stream_number_) return false;
    const auto now = Clock::now();
    if (auto received = book_.receive(response); !received) {
      give_up(received.error());
      return false;
    }
    reconnection_.heard(now, !response.has_welcome());
    if (response.has_welcome())
      reconnection_.welcomed(milliseconds(response.welcome().heartbeat_ms()));
    if (response.has_go_away())
      reconnection_.told_to_leave(milliseconds(response.go_away().resume_after_ms()), now);
  }
  for (v1::Chunk& chunk : *response.mutable_chunks()) {
    if (!receive_chunk(stream, chunk)) return false;
  }
  const std::lock_guard lock(mutex_);
  if (stream != stream_number_) return false;
  if (response.chunks_size() > 0) book_.finish_batch(response.batch());
  if (has_news()) changed_.notify_all();
  return true;
}

bool Explorer::Impl::receive_chunk(std::uint64_t stream, v1::Chunk& message) {
  std::optional<Tile> tile;
  {
    const std::lock_guard lock(mutex_);
    if (stream != stream_number_) return false;
    const auto expected = book_.expect(message);
    if (!expected) {
      give_up(expected.error());
      return false;
    }
    tile = *expected;
  }
  if (!tile) return true;
  const auto start = Clock::now();
  ArrivedChunk arrived{*tile, nullptr, nullptr};
  std::optional<Error> error;
  if (decode_) {  // not under the lock: it takes a while
    auto chunk = client::to_chunk(client::to_encoded(message), tile->lod, layers_);
    if (chunk) {
      arrived.chunk = std::make_shared<const Chunk>(*std::move(chunk));
    } else {
      error = chunk.error();
    }
  } else {
    arrived.encoded = std::make_shared<const std::string>(std::move(*message.mutable_encoded()));
  }
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  if (stream != stream_number_) return false;
  if (error) {
    book_.fail_chunk({*tile, *error});
  } else {
    book_.arrive(std::move(arrived), decode_ ? now - start : Clock::duration::zero(), now);
  }
  return true;
}

void Explorer::Impl::ended(std::uint64_t stream, const AttemptError& failure) {
  std::shared_ptr<ExploreStream> gone;
  std::unique_lock lock(mutex_);
  if (stream == stream_number_) {
    ++stream_number_;
    gone = std::exchange(stream_, nullptr);
    Error error = failure.error;
    if (error.code == ErrorCode::kUnavailable)
      error.message = "server " + connection_->options.address + ": " + error.message;
    if (error.code == ErrorCode::kFailedPrecondition && book_.was_welcomed()) {
      error.message =
          "the world has changed since this Explorer was made; make a new one: " + error.message;
    }
    lose(std::move(error), failure.pushback);
  }
  lock.unlock();
  gone.reset();  // before the Explorer may go: it must be the last to let go of the channel
  lock.lock();
  --streams_;
  changed_.notify_all();
}

void Explorer::Impl::lose(Error error, std::optional<milliseconds> pushback) {
  const double jitter = std::uniform_real_distribution<double>(0.0, 1.0)(random_);
  reconnection_.failed(std::move(error), pushback, Clock::now(), jitter);
  changed_.notify_all();
}

void Explorer::Impl::give_up(Error error) {
  ++stream_number_;
  stream_ = nullptr;
  reconnection_.gave_up(std::move(error));
  changed_.notify_all();
}

}  // namespace terrane
