#include "grpc_explorer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "terrane/result_macros.h"
#include "wire.h"

namespace terrane::client {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kBetweenLooks{10};

}  // namespace

GrpcExplorer::GrpcExplorer(std::shared_ptr<const Connection> connection, ExploreOptions options)
    : connection_(std::move(connection)),
      decode_(options.decode),
      with_encoded_(options.with_encoded || !options.decode),
      layers_(options.layers),
      client_(std::move(options)),
      random_(std::random_device{}()) {}

bool GrpcExplorer::close() {
  if (!connection_->check_process()) return false;
  const auto end = Clock::now() + kGoodbye;
  std::shared_ptr<ExploreStream> stream;
  {
    const MutexLock lock(mutex_);
    is_closing_ = true;
    ++stream_number_;
    stream = std::exchange(stream_, nullptr);
  }
  if (stream) stream->cancel();  // be it that it has not begun
  stream.reset();
  if (!connection_->errands().forget(drive_, end)) return false;
  const MutexLock lock(mutex_);
  while (streams_ > 0 && changed_.wait_until(mutex_, end)) {
  }
  return streams_ == 0;
}

Result<void> GrpcExplorer::move(const Pose& pose) {
  TERRANE_RETURN_IF_ERROR(connection_->check_process());
  {
    const MutexLock lock(mutex_);
    TERRANE_RETURN_IF_ERROR(client_.move(pose, Clock::now()));
  }
  connection_->errands().ask_for(drive_);
  return {};
}

ExploreNews GrpcExplorer::poll() {
  ExploreNews news;
  if (auto here = connection_->check_process(); !here) {
    news.state = ExploreState::kEnded;
    news.error = std::move(here).error();
    return news;
  }
  {
    const MutexLock lock(mutex_);
    news = client_.take_news();
  }
  connection_->errands().ask_for(drive_);
  return news;
}

bool GrpcExplorer::wait(milliseconds timeout) {
  if (!connection_->check_process()) return true;  // poll() says so
  const auto end =
      Clock::now() + std::clamp(timeout, milliseconds(0), milliseconds(std::chrono::hours(24)));
  for (;;) {
    connection_->errands().ask_for(drive_);
    const MutexLock lock(mutex_);
    if (client_.has_news()) return true;
    const auto now = Clock::now();
    if (now >= end) return false;
    // whoever has to look may be busy
    const auto look =
        std::max<Clock::time_point>(client_.next_look().value_or(end), now + kBetweenLooks);
    changed_.wait_until(mutex_, std::min(look, end));
  }
}

std::shared_ptr<const Chunk> GrpcExplorer::chunk(const Tile& tile) const {
  if (!connection_->check_process()) return nullptr;
  const MutexLock lock(mutex_);
  return client_.chunk(tile);
}

ExploreStats GrpcExplorer::stats() const {
  if (!connection_->check_process()) return {};
  const MutexLock lock(mutex_);
  return client_.stats();
}

/// Opens a stream when one is due, gives up one whose server is silent, and says what there is to
/// say. Never under the lock: a stream takes its own, and ours after that.
void GrpcExplorer::drive() {
  std::shared_ptr<ExploreStream> lost, opened, open;
  std::uint64_t opened_number = 0;
  bool wait_for_connection = false;
  std::string region;
  {
    const MutexLock lock(mutex_);
    if (is_closing_) return;
    const auto now = Clock::now();
    if (client_.is_overdue(now)) {
      lost = stream_;
      let_go();
      lose({ErrorCode::kUnavailable, "server " + connection_->options.address +
                                         " has been silent for " +
                                         std::to_string(client_.silence().count()) + " ms"},
           std::nullopt);
    }
    if (client_.is_stream_due(now)) {
      wait_for_connection = client_.waits_for_connection();
      region = client_.region();
      opened = open_stream();
      opened_number = stream_number_;
    } else {
      open = stream_;
    }
  }
  if (lost) lost->cancel();
  if (opened) {
    if (auto known = opened->introduce(region); known) {
      opened->start(wait_for_connection);
    } else {
      ended(opened_number, {std::move(known).error(), std::nullopt});
    }
  }
  if (open) open->flush();
}

std::shared_ptr<ExploreStream> GrpcExplorer::open_stream() {
  client_.open_stream();
  const std::uint64_t stream = ++stream_number_;
  ++streams_;
  stream_ = std::make_shared<ExploreStream>(
      connection_, ExploreStream::Events{
                       [this, stream] { return next_message(stream); },
                       [this, stream](std::string_view bytes) { return receive(stream, bytes); },
                       [this, stream](const AttemptError& failure) { ended(stream, failure); }});
  return stream_;
}

std::optional<std::string> GrpcExplorer::next_message(std::uint64_t stream) {
  const MutexLock lock(mutex_);
  if (stream != stream_number_) return std::nullopt;
  const auto look = client_.next_look();
  auto message = client_.next_message(Clock::now());
  // who waits for the server must not sleep past the time by which it has to answer
  if (client_.next_look() != look) changed_.notify_all();
  return message;
}

ExploreStream::Next GrpcExplorer::receive(std::uint64_t stream, std::string_view bytes) {
  using Next = ExploreStream::Next;
  std::vector<ExploreClient::ReceivedChunk> chunks;
  {
    const MutexLock lock(mutex_);
    if (stream != stream_number_) return Next::kEnds;
    auto received = client_.receive(bytes, Clock::now());
    if (!received) {
      let_go();
      changed_.notify_all();
      return Next::kEnds;
    }
    if (client_.is_ending()) return Next::kCloses;
    chunks = *std::move(received);
  }
  for (const auto& chunk : chunks) {
    if (!take_in(stream, chunk)) return Next::kEnds;
  }
  const MutexLock lock(mutex_);
  if (stream != stream_number_) return Next::kEnds;
  client_.finish_message();
  if (client_.has_news()) changed_.notify_all();
  return Next::kGoesOn;
}

bool GrpcExplorer::take_in(std::uint64_t stream, const ExploreClient::ReceivedChunk& chunk) {
  const auto start = Clock::now();
  const Tile tile = chunk.tile;
  ArrivedChunk arrived{tile, nullptr, nullptr};
  std::optional<Error> error;
  if (decode_) {  // not under the lock: it takes a while
    auto decoded = to_chunk({tile.coord, std::string(chunk.encoded)}, tile.lod, layers_);
    if (decoded && decoded->size != chunk.size) {
      error = {ErrorCode::kDataLoss, "the chunk has " + std::to_string(decoded->size) +
                                         " samples an edge, but the world's have " +
                                         std::to_string(chunk.size)};
    } else if (decoded) {
      arrived.chunk = std::make_shared<const Chunk>(*std::move(decoded));
    } else {
      error = decoded.error();
    }
  }
  if (with_encoded_) arrived.encoded = std::make_shared<const std::string>(chunk.encoded);
  const auto now = Clock::now();
  const MutexLock lock(mutex_);
  if (stream != stream_number_) return false;
  if (error) {
    client_.fail_chunk({tile, *std::move(error)});
  } else {
    client_.arrive(std::move(arrived), decode_ ? now - start : Clock::duration::zero(), now);
  }
  return true;
}

void GrpcExplorer::ended(std::uint64_t stream, const AttemptError& failure) {
  std::shared_ptr<ExploreStream> gone;
  {
    const MutexLock lock(mutex_);
    if (stream == stream_number_) {
      gone = stream_;
      let_go();
      Error error = failure.error;
      if (error.code == ErrorCode::kUnavailable)
        error.message = "server " + connection_->options.address + ": " + error.message;
      lose(std::move(error), failure.pushback);
    }
  }
  gone.reset();  // before the Explorer may go: it must be the last to let go of the channel
  const MutexLock lock(mutex_);
  --streams_;
  changed_.notify_all();
}

void GrpcExplorer::lose(Error error, std::optional<milliseconds> pushback) {
  const double jitter = std::uniform_real_distribution<double>(0.0, 1.0)(random_);
  client_.end_stream(std::move(error), pushback, Clock::now(), jitter);
  changed_.notify_all();
}

/// What the stream still says or asks counts for nothing.
void GrpcExplorer::let_go() {
  ++stream_number_;
  stream_ = nullptr;
}

}  // namespace terrane::client
