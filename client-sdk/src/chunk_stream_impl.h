#pragma once

#include <map>
#include <memory>
#include <optional>

#include "call.h"
#include "pending_chunks.h"
#include "terrane/chunk_stream.h"
#include "terrane/mutex.h"

namespace terrane {

/// One GetChunks call and its later attempts. Threads: one at a time, except cancel().
class ChunkStream::Impl {
 public:
  /// Sends the request; a request that is wrong in itself shows up in the first next().
  Impl(std::shared_ptr<const client::Connection> connection, ChunksRequest request);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] Result<std::optional<ChunkOrFailure>> next();
  [[nodiscard]] Result<std::optional<EncodedChunkOrFailure>> next_encoded();
  void cancel();

  /// Ends what is under way. Before the destructor, last.
  /// @return false if this may not be destroyed: in a child process, which has no threads of gRPC
  [[nodiscard]] bool close();

 private:
  using Call = client::ReadCall<v1::GetChunksResponse>;
  using Item = std::optional<EncodedChunkOrFailure>;

  void open();
  [[nodiscard]] Result<Item> from_batch();
  [[nodiscard]] Result<Item> chunk_item(v1::Chunk& message);
  [[nodiscard]] Result<Item> failure_item(const v1::ChunkFailure& message);
  void finish_attempt();
  void after_failed_attempt(client::AttemptError failure);
  [[nodiscard]] Error left_out() const;
  void end_now();
  void leave_attempt_behind();
  void forget_attempt();
  [[nodiscard]] bool cancelled();

  const std::shared_ptr<const client::Connection> connection_;
  const ChunksRequest request_;
  client::Attempts attempts_;
  Result<client::PendingChunks> pending_;
  std::optional<Error> broken_;            // what ended the stream as a whole
  std::map<ChunkCoord, Error> try_again_;  // failed in this attempt, but another attempt may do
  bool giving_up_ = false;                 // no further attempt: try_again_ is handed out

  v1::GetChunksResponse batch_;
  int next_chunk_ = 0;
  int next_failure_ = 0;
  Mutex mutex_;  // against cancel()
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  /// Set while an attempt is under way. Exchanged by the stream's own thread alone, and under the
  /// mutex; so that thread reads it without.
  std::unique_ptr<Call> call_;
};

}  // namespace terrane
