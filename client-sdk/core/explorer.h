#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "chunk_handle.h"
#include "judged_viewer.h"
#include "land.h"
#include "local_viewer.h"
#include "streamed_viewer.h"

namespace terrane::core {

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

  std::variant<terrane::core::StreamedViewer, terrane::core::LocalViewer,
               terrane::core::JudgedViewer>
      viewer;
  terrane_land land;  // of the thread that polls, and so are the events
  terrane::core::Events events;
};
