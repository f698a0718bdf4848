#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "explore_client.h"
#include "lock.h"

namespace terrane::core {

/// The client's side of an Explore stream, for several threads. Chunks are decoded by the one that
/// brings them, which holds up nobody.
class StreamedViewer {
 public:
  using TimePoint = client::ExploreClient::TimePoint;

  /// @param makes_chunks  as of client::ExploreClient
  explicit StreamedViewer(ExploreOptions options, bool makes_chunks = false)
      : decode_(options.decode),
        with_encoded_(options.with_encoded || !options.decode),
        layers_(options.layers),
        client_(std::move(options), makes_chunks) {}

  [[nodiscard]] Result<void> move(const Pose& pose, TimePoint now);
  [[nodiscard]] ExploreNews take_news();
  [[nodiscard]] bool has_news() const;
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const;
  [[nodiscard]] ExploreStats stats() const;

  // as client::ExploreClient has them
  [[nodiscard]] bool makes_chunks() const;
  [[nodiscard]] bool wants_made() const;
  void made(const Tile& tile, std::uint32_t hash);

  // as terrane.h has them
  [[nodiscard]] bool wants_stream(TimePoint now) const;
  void set_token(std::string token);
  void opened();
  /// Nothing longer than `capacity` is given away: its length is returned.
  [[nodiscard]] std::size_t next_message(TimePoint now, void* buffer, std::size_t capacity);
  [[nodiscard]] Result<void> receive(std::string_view bytes, TimePoint now);
  void closed(Error error, std::optional<std::chrono::milliseconds> pushback, TimePoint now,
              double jitter);
  [[nodiscard]] std::optional<TimePoint> next_look() const;
  [[nodiscard]] bool is_overdue(TimePoint now) const;

 private:
  void take_in(std::uint64_t stream, const client::ExploreClient::ReceivedChunk& received,
               TimePoint now);

  const bool decode_;
  const bool with_encoded_;
  const LayerMask layers_;
  Mutex receiving_;  // held as long as a message is taken in: before mutex_
  mutable Mutex mutex_;
  client::ExploreClient client_;        // guarded by mutex_, and so are the others
  std::optional<std::string> message_;  // given by client_, and not yet by next_message()
  bool open_ = false;                   // whether there is a stream
  std::uint64_t stream_ = 0;  // its number; what an earlier one brought counts for nothing
};

}  // namespace terrane::core
