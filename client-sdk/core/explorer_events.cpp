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
  waiting_.clear();
  next_ = 0;
  for (const Tile& tile : news.out_of_range)
    waiting_.push_back({event(TERRANE_OUT_OF_RANGE_NOW, tile), nullptr});
  for (ArrivedChunk& arrived : news.arrived)
    waiting_.push_back({event(TERRANE_ARRIVED, arrived.tile), std::move(arrived.chunk)});
  for (const FailedChunk& failed : news.failed) {
    waiting_.push_back({event(TERRANE_FAILED, failed.tile), nullptr});
    waiting_.back().event.code = static_cast<terrane_code>(failed.error.code);
  }
  if (news.world_changed) waiting_.push_back({event(TERRANE_WORLD_CHANGED), nullptr});
  if (news.state != state_ || news.error != error_) {
    state_ = news.state;
    error_ = std::move(news.error);
    waiting_.push_back({event(TERRANE_STATE), nullptr});
    waiting_.back().event.state = static_cast<std::uint32_t>(state_);
    waiting_.back().event.code = error_ ? static_cast<terrane_code>(error_->code) : TERRANE_OK;
  }
}

std::size_t Events::give(terrane_event* events, std::size_t capacity, terrane_land& land) {
  release_given();
  std::size_t count = 0;
  for (; count < capacity && has_some(); ++next_) {
    Waiting& waiting = waiting_[next_];
    terrane_event& told = events[count];
    told = waiting.event;
    const Tile tile = from_c(told.tile);
    if (told.kind == TERRANE_ARRIVED) {
      try {
        given_.reserve(given_.size() + 1);
        // without heights it is no land, and there is nothing to be drawn of it
        (void)land.land.put(waiting.chunk);
        given_.push_back(new terrane_chunk(std::move(waiting.chunk)));
      } catch (const std::bad_alloc&) {
        break;  // what was told so far counts, and this one comes next time
      }
      told.chunk = given_.back();
    } else if (told.kind == TERRANE_OUT_OF_RANGE_NOW) {
      land.land.remove(tile);
    }
    ++count;
  }
  return count;
}

}  // namespace terrane::core
