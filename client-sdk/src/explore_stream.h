#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/client_callback.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "call.h"
#include "terrane/mutex.h"

namespace terrane::client {

/// One Explore call, from its start to its end: carries bytes, and knows nothing of what they say.
/// Lives until that end even if nobody refers to it. Threads: any.
class ExploreStream final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                            public std::enable_shared_from_this<ExploreStream> {
 public:
  /// What becomes of the stream after a response.
  enum class Next : std::uint8_t {
    kGoesOn,
    kCloses,  // nothing more is said, and the server ends it
    kEnds
  };

  /// What the stream asks and tells, on threads of gRPC.
  struct Events {
    /// What to say now, if anything: called whenever something may be said, by one thread at a
    /// time. Must not call the stream.
    std::function<std::optional<std::string>()> next;
    /// Called for each response, one after the other.
    std::function<Next(std::string_view)> received;
    /// Called once, last, when the stream refers to itself no longer.
    std::function<void(const AttemptError&)> ended;
  };

  ExploreStream(std::shared_ptr<const Connection> connection, Events events);

  /// As Connection::introduce(). Before start(), which need not follow.
  [[nodiscard]] Result<void> introduce(const std::string& region) {
    return connection_->introduce(context_, region);
  }

  /// @param wait_for_connection  as long as it takes; else a server that is not there ends the
  ///   stream at once
  void start(bool wait_for_connection) ABSL_LOCKS_EXCLUDED(mutex_);

  /// There may be something to say. After start(). Blocks: no.
  void flush() ABSL_LOCKS_EXCLUDED(mutex_);

  /// Ends the stream soon. Blocks: no.
  void cancel() { context_.TryCancel(); }

  void OnWriteDone(bool ok) override;
  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  void close() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<const Connection> connection_;
  const Events events_;
  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  grpc::ByteBuffer response_;
  std::shared_ptr<ExploreStream> self_;  // from start() to OnDone

  Mutex mutex_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool closes_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ByteBuffer request_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::client
