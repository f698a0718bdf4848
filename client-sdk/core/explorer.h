#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "chunk_handle.h"
#include "explore_client.h"
#include "land.h"
#include "local_viewer.h"
#include "lock.h"

namespace terrane::core {

/// The client's side of an Explore stream, for several threads. Chunks are decoded by the one that
/// brings them, which holds up nobody.
class StreamedViewer {
 public:
  using TimePoint = client::ExploreClient::TimePoint;

  explicit StreamedViewer(ExploreOptions options)
      : decode_(options.decode),
        with_encoded_(options.with_encoded || !options.decode),
        layers_(options.layers),
        client_(std::move(options)) {}

  [[nodiscard]] Result<void> move(const Pose& pose, TimePoint now);
  [[nodiscard]] ExploreNews take_news();
  [[nodiscard]] bool has_news() const;
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const;
  [[nodiscard]] ExploreStats stats() const;

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

/// News as events for C, a few at a time; what they tell of is put into the land as they are given.
/// Threads: one at a time.
class Events {
 public:
  Events() = default;
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() { release_given(); }

  [[nodiscard]] bool has_some() const { return next_ < count(); }
  /// Only where there are none.
  void add(ExploreNews news);
  /// @return how many; their chunks live until the next call
  std::size_t give(terrane_event* events, std::size_t capacity, terrane_land& land);

  /// Of the state that was told of last.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] terrane_event tell(std::size_t index, terrane_land& land);
  [[nodiscard]] terrane_event tell_arrived(const ArrivedChunk& arrived, terrane_land& land);
  void release_given();

  ExploreNews news_;      // as it came: nothing to be put together where memory may end
  std::size_t next_ = 0;  // event of it to be given
  bool tells_state_ = false;
  std::vector<terrane_chunk*> given_;
  ExploreState state_ = ExploreState::kConnecting;
  std::optional<Error> error_;
};

}  // namespace terrane::core

/// An explorer as C holds it.
struct terrane_explorer {
  template <typename... Args>
  explicit terrane_explorer(Args&&... args) : viewer(std::forward<Args>(args)...) {
    land.of_explorer = true;
  }

  std::variant<terrane::core::StreamedViewer, terrane::core::LocalViewer> viewer;
  terrane_land land;  // of the thread that polls, and so are the events
  terrane::core::Events events;
};
