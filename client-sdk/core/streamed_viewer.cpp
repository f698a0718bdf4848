#include "streamed_viewer.h"

#include <cstring>
#include <utility>

#include "codec/chunk_codec.h"
#include "terrane/result_macros.h"

namespace terrane::core {

Result<void> StreamedViewer::move(const Pose& pose, TimePoint now) {
  const Lock lock(mutex_);
  return client_.move(pose, now);
}

ExploreNews StreamedViewer::take_news() {
  const Lock lock(mutex_);
  return client_.take_news();
}

bool StreamedViewer::has_news() const {
  const Lock lock(mutex_);
  return client_.has_news();
}

std::shared_ptr<const Chunk> StreamedViewer::chunk(const Tile& tile) const {
  const Lock lock(mutex_);
  return client_.chunk(tile);
}

ExploreStats StreamedViewer::stats() const {
  const Lock lock(mutex_);
  return client_.stats();
}

bool StreamedViewer::makes_chunks() const {
  const Lock lock(mutex_);
  return client_.makes_chunks();
}

bool StreamedViewer::wants_made() const {
  const Lock lock(mutex_);
  return client_.wants_made();
}

void StreamedViewer::made(const Tile& tile, std::uint32_t hash) {
  const Lock lock(mutex_);
  client_.made(tile, hash);
}

bool StreamedViewer::wants_stream(TimePoint now) const {
  const Lock lock(mutex_);
  return client_.is_stream_due(now);
}

void StreamedViewer::set_token(std::string token) {
  const Lock lock(mutex_);
  client_.set_token(std::move(token));
}

void StreamedViewer::opened() {
  const Lock lock(mutex_);
  message_.reset();
  ++stream_;
  open_ = true;  // before memory may end: then it is closed() like others
  client_.open_stream();
}

std::size_t StreamedViewer::next_message(TimePoint now, void* buffer, std::size_t capacity) {
  const Lock lock(mutex_);
  if (!open_) return 0;
  if (!message_) message_ = client_.next_message(now);
  if (!message_) return 0;
  const std::size_t size = message_->size();
  if (buffer != nullptr && size <= capacity) {
    std::memcpy(buffer, message_->data(), size);
    message_.reset();
  }
  return size;
}

Result<void> StreamedViewer::receive(std::string_view bytes, TimePoint now) {
  const Lock one_at_a_time(receiving_);
  std::vector<client::ExploreClient::ReceivedChunk> chunks;
  std::uint64_t stream = 0;
  {
    const Lock lock(mutex_);
    if (client_.state() == ExploreState::kEnded) {
      return fail(ErrorCode::kFailedPrecondition,
                  "this explorer has ended: terrane_explorer_get_error says why");
    }
    if (!open_)
      return fail(ErrorCode::kFailedPrecondition, "no stream is open: terrane_explorer_opened");
    TERRANE_ASSIGN_OR_RETURN(chunks, client_.receive(bytes, now));
    if (client_.is_ending())
      return fail(ErrorCode::kCancelled,
                  "the connection is to be closed: the server says why, or "
                  "has made another chunk than this explorer");
    stream = stream_;
  }
  for (const auto& chunk : chunks) take_in(stream, chunk, now);
  const Lock lock(mutex_);
  if (stream == stream_) client_.finish_message();
  return {};
}

void StreamedViewer::take_in(std::uint64_t stream,
                             const client::ExploreClient::ReceivedChunk& received, TimePoint now) {
  const auto start = std::chrono::steady_clock::now();
  const Tile tile = received.tile;
  ArrivedChunk arrived{tile, nullptr, nullptr};
  if (with_encoded_) arrived.encoded = std::make_shared<const std::string>(received.encoded);
  if (!decode_) {
    const Lock lock(mutex_);
    if (stream == stream_) client_.arrive(std::move(arrived), {}, now);
    return;
  }
  auto decoded = codec::decode(received.encoded, tile.coord, layers_);
  if (decoded && (decoded->size != received.size || decoded->lod != tile.lod)) {
    decoded = fail(ErrorCode::kDataLoss,
                   "the chunk is of lod " + std::to_string(decoded->lod) + " with " +
                       std::to_string(decoded->size) + " samples an edge, not of lod " +
                       std::to_string(tile.lod) + " with " + std::to_string(received.size));
  }
  auto chunk = decoded ? std::make_shared<const Chunk>(*std::move(decoded)) : nullptr;
  const auto took = std::chrono::steady_clock::now() - start;
  const Lock lock(mutex_);
  if (stream != stream_) return;  // closed meanwhile
  if (chunk) {
    arrived.chunk = std::move(chunk);
    client_.arrive(std::move(arrived), took, now);
  } else {
    client_.fail_chunk({tile, std::move(decoded).error()});
  }
}

void StreamedViewer::closed(Error error, std::optional<std::chrono::milliseconds> pushback,
                            TimePoint now, double jitter) {
  const Lock lock(mutex_);
  if (!open_ && !client_.is_stream_due(now)) return;
  if (!open_) client_.open_stream();  // in vain
  open_ = false;
  ++stream_;
  message_.reset();
  if (client_.state() == ExploreState::kEnded) return;  // a receive has failed for good
  client_.end_stream(std::move(error), pushback, now, jitter);
}

std::optional<StreamedViewer::TimePoint> StreamedViewer::next_look() const {
  const Lock lock(mutex_);
  return client_.next_look();
}

bool StreamedViewer::is_overdue(TimePoint now) const {
  const Lock lock(mutex_);
  return client_.is_overdue(now);
}

}  // namespace terrane::core
