#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "call.h"
#include "terrane/v1/explore.pb.h"

namespace terrane::client {

/// One Explore call, from its start to its end. Lives until that end even if nobody refers to it.
/// Threads: any.
class ExploreStream final : public grpc::ClientBidiReactor<v1::ExploreRequest, v1::ExploreResponse>,
                            public std::enable_shared_from_this<ExploreStream> {
 public:
  /// What the stream asks and tells, on threads of gRPC.
  struct Events {
    /// What to say now, if anything: called whenever something may be said, by one thread at a
    /// time. Must not call the stream.
    std::function<std::optional<v1::ExploreRequest>()> next;
    /// Called for each response, one after the other. @return false to end the stream
    std::function<bool(v1::ExploreResponse&)> received;
    /// Called once, last, when the stream refers to itself no longer.
    std::function<void(const AttemptError&)> ended;
  };

  ExploreStream(std::shared_ptr<const Connection> connection, Events events);

  /// @param wait_for_connection  as long as it takes; else a server that is not there ends the
  ///   stream at once
  void start(bool wait_for_connection);

  /// There may be something to say. After start(). Blocks: no.
  void flush();

  /// Ends the stream soon. Blocks: no.
  void cancel() { context_.TryCancel(); }

  void OnWriteDone(bool ok) override;
  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  const std::shared_ptr<const Connection> connection_;
  const Events events_;
  grpc::ClientContext context_;
  v1::ExploreResponse response_;
  std::shared_ptr<ExploreStream> self_;  // from start() to OnDone

  std::mutex mutex_;  // guards what follows
  bool open_ = false;
  bool writing_ = false;
  v1::ExploreRequest request_;
};

}  // namespace terrane::client
