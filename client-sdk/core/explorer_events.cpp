#include <new>

#include "explorer.h"

namespace terrane::core {
namespace {

terrane_event event(std::uint32_t kind, const Tile& tile = {}) {
  terrane_event event{};
  event.kind = kind;
  event.tile = to_c(tile);
  return event;
}

}  // namespace

void Events::release_given() {
  for (terrane_chunk* chunk : given_) terrane_chunk_release(chunk);
  given_.clear();
}

void Events::add(ExploreNews news) {
  next_ = 0;
  tells_state_ = news.state != state_ || news.error != error_;
  state_ = news.state;
  if (tells_state_) error_ = std::move(news.error);
  news_ = std::move(news);
}

std::size_t Events::count() const {
  return news_.out_of_range.size() + news_.arrived.size() + news_.failed.size() +
         (news_.differs ? 1 : 0) + (news_.world_changed ? 1 : 0) + (tells_state_ ? 1 : 0);
}

/// @param index  of all that there are
terrane_event Events::tell(std::size_t index, terrane_land& land) {
  if (index < news_.out_of_range.size()) {
    const Tile& tile = news_.out_of_range[index];
    land.land.remove(tile);
    return event(TERRANE_OUT_OF_RANGE_NOW, tile);
  }
  index -= news_.out_of_range.size();
  if (index < news_.arrived.size()) return tell_arrived(news_.arrived[index], land);
  index -= news_.arrived.size();
  if (index < news_.failed.size()) {
    terrane_event told = event(TERRANE_FAILED, news_.failed[index].tile);
    told.code = static_cast<terrane_code>(news_.failed[index].error.code);
    return told;
  }
  index -= news_.failed.size();
  if (news_.differs && index-- == 0) return event(TERRANE_DIFFERS, *news_.differs);
  if (news_.world_changed && index == 0) return event(TERRANE_WORLD_CHANGED);
  terrane_event told = event(TERRANE_STATE);
  told.state = static_cast<std::uint32_t>(state_);
  told.code = error_ ? static_cast<terrane_code>(error_->code) : TERRANE_OK;
  return told;
}

terrane_event Events::tell_arrived(const ArrivedChunk& arrived, terrane_land& land) {
  given_.reserve(given_.size() + 1);
  // without heights it is no land, and there is nothing to be drawn of it
  (void)land.land.put(arrived.chunk);
  given_.push_back(new terrane_chunk(arrived.chunk));
  terrane_event told = event(TERRANE_ARRIVED, arrived.tile);
  told.chunk = given_.back();
  return told;
}

std::size_t Events::give(terrane_event* events, std::size_t capacity, terrane_land& land) {
  release_given();
  std::size_t given = 0;
  try {
    for (; given < capacity && has_some(); ++given, ++next_) events[given] = tell(next_, land);
  } catch (const std::bad_alloc&) {  // what was told so far counts, and this one comes next time
  }
  if (!has_some()) {  // nor are chunks held that nobody else holds any more
    news_ = {};
    next_ = 0;
    tells_state_ = false;
  }
  return given;
}

}  // namespace terrane::core
