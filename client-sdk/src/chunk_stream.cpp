#include "terrane/chunk_stream.h"

#include <limits>
#include <utility>

#include "chunk_stream_impl.h"
#include "terrane/result_macros.h"
#include "wire.h"

namespace terrane {
namespace {

/// A stream goes on for as long as its deadline lasts, unless it is to try only once.
client::RetryPolicy policy(const ClientOptions& options) {
  constexpr std::chrono::milliseconds kMaxBackoff{1000};
  const bool once = options.max_attempts == 1;
  return {.max_attempts = once ? 1 : std::numeric_limits<int>::max(), .max_backoff = kMaxBackoff};
}

bool may_be_tried_again(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kResourceExhausted ||
         code == ErrorCode::kInternal;
}

}  // namespace

ChunkStream::ChunkStream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChunkStream::ChunkStream(ChunkStream&&) noexcept = default;
ChunkStream& ChunkStream::operator=(ChunkStream&& other) noexcept {
  ChunkStream former(std::move(*this));
  impl_ = std::move(other.impl_);
  return *this;
}
ChunkStream::~ChunkStream() {
  if (impl_ && !impl_->close()) (void)impl_.release();
}

Result<std::optional<ChunkOrFailure>> ChunkStream::next() { return impl_->next(); }
Result<std::optional<EncodedChunkOrFailure>> ChunkStream::next_encoded() {
  return impl_->next_encoded();
}
void ChunkStream::cancel() { impl_->cancel(); }

ChunkStream::Impl::Impl(std::shared_ptr<const client::Connection> connection, ChunksRequest request)
    : connection_(std::move(connection)),
      request_(std::move(request)),
      attempts_(connection_->options, policy(connection_->options)),
      pending_(client::PendingChunks::of(request_.area)) {
  if (!pending_) {
    broken_ = pending_.error();
  } else {
    open();
  }
}

void ChunkStream::Impl::open() {
  if (auto here = connection_->check_process(); !here) {
    broken_ = std::move(here).error();
    return;
  }
  v1::GetChunksRequest message;
  *message.mutable_world() = client::to_message(request_.world);
  message.set_lod(request_.lod);
  if (auto added = client::add_layers(request_.layers, message.mutable_layers()); !added) {
    broken_ = std::move(added).error();
    return;
  }
  const auto* rectangle = std::get_if<ChunkRectangle>(&request_.area);
  const auto rest = pending_->rest();
  const bool whole = rest.size() == pending_->asked();
  if (rectangle && whole) {
    *message.mutable_rectangle()->mutable_first() = client::to_message(rectangle->first);
    *message.mutable_rectangle()->mutable_last() = client::to_message(rectangle->last);
  } else {
    for (const ChunkCoord coord : rest)
      *message.mutable_list()->add_coords() = client::to_message(coord);
  }
  client::add_formats(message.mutable_formats());
  *message.mutable_focus() = client::to_message(request_.focus.value_or(pending_->focus()));

  try_again_.clear();
  batch_.Clear();
  next_chunk_ = next_failure_ = 0;
  auto call = std::make_unique<Call>(connection_->watch());
  attempts_.begin(call->context());
  if (auto known = connection_->introduce(call->context(), client::region_of(message)); !known) {
    broken_ = std::move(known).error();
    return;
  }
  call->start(attempts_.deadline(), [&](auto* context, auto* queue, void* tag) {
    return connection_->stub->AsyncGetChunks(context, message, queue, tag);
  });
  const MutexLock lock(mutex_);
  call_ = std::move(call);
  if (cancelled_) call_->cancel();
}

Result<std::optional<ChunkOrFailure>> ChunkStream::Impl::next() {
  TERRANE_ASSIGN_OR_RETURN(const std::optional<EncodedChunkOrFailure> item, next_encoded());
  if (!item) return std::optional<ChunkOrFailure>();
  const EncodedChunkOrFailure& answer = *item;
  if (!answer) return ChunkOrFailure(tl::unexpected(answer.error()));
  auto chunk = client::to_chunk(*answer, request_.lod, request_.layers);
  if (!chunk) return ChunkOrFailure(tl::unexpected(ChunkFailure{answer->coord, chunk.error()}));
  return ChunkOrFailure(*std::move(chunk));
}

Result<std::optional<EncodedChunkOrFailure>> ChunkStream::Impl::next_encoded() {
  TERRANE_RETURN_IF_ERROR(connection_->check_process());
  for (;;) {
    if (cancelled()) return fail(ErrorCode::kCancelled, "the stream was cancelled");
    if (broken_) return tl::unexpected(*broken_);
    auto item = from_batch();
    if (!item) {
      broken_ = item.error();
      end_now();
    }
    if (!item || *item) return item;
    if (!call_) return Item{};
    next_chunk_ = next_failure_ = 0;
    if (!call_->read(batch_)) finish_attempt();
  }
}

Result<ChunkStream::Impl::Item> ChunkStream::Impl::from_batch() {
  while (next_chunk_ < batch_.chunks_size()) {
    auto item = chunk_item(*batch_.mutable_chunks(next_chunk_++));
    if (!item || *item) return item;
  }
  while (next_failure_ < batch_.failures_size()) {
    auto item = failure_item(batch_.failures(next_failure_++));
    if (!item || *item) return item;
  }
  batch_.Clear();
  if (giving_up_ && !try_again_.empty()) {
    auto node = try_again_.extract(try_again_.begin());
    (void)pending_->take(node.key());
    return Item(tl::unexpected(ChunkFailure{node.key(), std::move(node.mapped())}));
  }
  return Item{};
}

Result<ChunkStream::Impl::Item> ChunkStream::Impl::chunk_item(v1::Chunk& message) {
  const ChunkCoord coord = client::to_coord(message.coord());
  if (!pending_->take(coord)) {
    return fail(ErrorCode::kDataLoss, "the server answered chunk " + client::describe(coord) +
                                          ", which was not asked for or had already arrived");
  }
  try_again_.erase(coord);
  attempts_.progressed();
  return Item(client::to_encoded(message));
}

Result<ChunkStream::Impl::Item> ChunkStream::Impl::failure_item(const v1::ChunkFailure& message) {
  const ChunkCoord coord = client::to_coord(message.coord());
  Error error{client::to_code(message.code()), message.message()};
  if (error.code == ErrorCode::kCancelled) error.code = ErrorCode::kUnavailable;
  if (!pending_->contains(coord)) {
    return fail(ErrorCode::kDataLoss,
                "the server failed chunk " + client::describe(coord) +
                    ", which was not asked for or had already arrived: " + error.message);
  }
  if (may_be_tried_again(error.code)) {
    try_again_.insert_or_assign(coord, std::move(error));
    return Item{};
  }
  (void)pending_->take(coord);
  return Item(tl::unexpected(ChunkFailure{coord, std::move(error)}));
}

void ChunkStream::Impl::finish_attempt() {
  const auto status = call_->finish();
  const bool cancelled_here = cancelled();
  auto failure = status ? connection_->failure_of(*status, call_->context(), cancelled_here)
                        : client::lost_call();
  if (!status) leave_attempt_behind();
  forget_attempt();
  if (cancelled_here || pending_->size() == 0) return;
  if (status && status->ok()) failure.error = left_out();
  after_failed_attempt(std::move(failure));
}

/// The failure of an attempt that ended well but without some chunks.
Error ChunkStream::Impl::left_out() const {
  if (try_again_.size() == pending_->size()) return try_again_.begin()->second;
  return {ErrorCode::kInternal, "the server ended the stream without answering " +
                                    std::to_string(pending_->size() - try_again_.size()) +
                                    " of the chunks"};
}

void ChunkStream::Impl::after_failed_attempt(client::AttemptError failure) {
  const auto wait = attempts_.after(failure);
  if (!wait) {
    giving_up_ = true;
    if (try_again_.size() != pending_->size()) {
      broken_ = attempts_.final_error(std::move(failure.error));
      broken_->message += "; " + std::to_string(pending_->size()) + " of " +
                          std::to_string(pending_->asked()) + " chunks have not arrived";
    }
    return;
  }
  connection_->wait(*wait, [this] { return cancelled(); });
  open();
}

void ChunkStream::Impl::cancel() {
  if (!connection_->check_process()) return;
  const MutexLock lock(mutex_);
  cancelled_ = true;
  if (call_) call_->cancel();
}

bool ChunkStream::Impl::close() {
  if (!connection_->check_process()) return false;
  end_now();
  return true;
}

/// Ends the attempt that is under way, if any.
void ChunkStream::Impl::end_now() {
  if (!call_) return;
  if (!call_->end()) leave_attempt_behind();
  forget_attempt();
}

void ChunkStream::Impl::leave_attempt_behind() {
  const MutexLock lock(mutex_);
  connection_->leave_behind(std::move(call_));
}

void ChunkStream::Impl::forget_attempt() {
  std::unique_ptr<Call> ended;
  const MutexLock lock(mutex_);
  ended.swap(call_);
}

bool ChunkStream::Impl::cancelled() {
  const MutexLock lock(mutex_);
  return cancelled_;
}

}  // namespace terrane
