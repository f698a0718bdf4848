#include "rpc/streams/viewer.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "rpc/checks/refused_field.h"
#include "rpc/chunk_wire.h"
#include "rpc/streams/welcome.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

constexpr double kTypicalShare = 1.0 / 16;  // weight of the newest chunk in what is typical
// squares of 8 x 8 tiles that one message calls out of range: a fraction of a millisecond's work
constexpr std::size_t kMaxLeftInMessage = 1024;
static_assert(64 * kMaxLeftInMessage <= explore::kMaxTilesInMessage);
// what a slice of a list may cost, in rows of a block; to check a block counts as four
constexpr std::size_t kSliceRows = 8192, kRowsOfCheck = 4;
// before another look whether there is room for chunks again
constexpr std::chrono::milliseconds kHoldPause{50};
// for what is out of range: dropping it is work, and nobody waits for that
constexpr std::chrono::milliseconds kLeftPause{50};
// for which Move has been taken in, where it jumps and no batch says so before
constexpr std::chrono::milliseconds kJumpPause{500};
constexpr std::chrono::milliseconds kMinPause{50}, kMaxPause{250};
constexpr int kMaxDoublings = 3;      // of these, one for each time in a row
constexpr int kMaxTurnDoublings = 5;  // of the least, for what is in a hurry
constexpr std::size_t kMaxMade = 4;   // chunks of the client's own that wait to be judged

}  // namespace

Viewer::Viewer(const ExploreQuery& query, const ExplorePace& pace, std::size_t max_request_bytes,
               std::uint32_t seed, Clock::time_point now)
    : pace_(pace),
      chunk_size_(query.world->chunk_size),
      judges_(query.judges),
      view_(query.world->chunk_size, judges_ ? explore::ViewDistances{} : query.distances),
      random_(seed),
      depth_(pace.min_in_flight),
      ask_at_(now),
      written_at_(now) {
  *news_.mutable_welcome() = make_welcome(*query.world, pace, max_request_bytes);
}

Viewer::Stops Viewer::move(const Pose& pose, std::uint64_t number, Clock::time_point now) {
  jumped_ |= is_jump(pose);
  pose_ = pose;
  move_ = number;
  explore::View::Left left = view_.move(pose);
  Stops stops;
  for (const Tile& tile : left.asked) drop(tile, stops);
  if (left_.empty() && !left.held.empty()) left_at_ = now;
  left_.insert(left_.end(), left.held.begin(), left.held.end());
  note_underfoot();
  note_lacking(now);
  rank_ready();
  return stops;
}

bool Viewer::lacks_underfoot() const {
  return view_.wants(underfoot()) && view_.state(underfoot()) != explore::TileState::kHeld;
}

void Viewer::note_lacking(Clock::time_point now) {
  const bool lacks = lacks_underfoot();
  if (!lacks) lacking_since_.reset();
  if (lacks && !lacking_since_) lacking_since_ = now;
}

void Viewer::note_underfoot() {
  hurries_ = view_.wants(underfoot()) && view_.state(underfoot()) == explore::TileState::kUnknown;
}

Result<Viewer::Stops> Viewer::take_slice(TileList& list) {
  Stops stops;
  for (std::size_t budget = kSliceRows; budget > 0 && !list.is_done();) {
    const explore::TileBlock block = to_block(list.blocks[list.next]);
    if (list.row == 0) {
      TERRANE_ASSIGN_OR_RETURN(
          list.tiles, explore::check_some_blocks({&block, 1}, list.field(),
                                                 static_cast<std::size_t>(list.next), list.tiles));
    }
    budget -= std::min(budget, kRowsOfCheck);
    take_rows(list, block, budget, stops);
  }
  if (list.is_done()) note_underfoot();
  return stops;
}

/// Rows of one block, from list.row on, as many as there is budget for.
void Viewer::take_rows(TileList& list, const explore::TileBlock& block, std::size_t& budget,
                       Stops& stops) {
  const std::uint32_t width = std::max(block.width, 1u), height = std::max(block.height, 1u);
  const auto lod = static_cast<Lod>(block.lod);
  if (!view_.may_reach({lod, {block.x, block.y}}, width, height)) list.row = height;
  for (; list.row < height && budget > 0; ++list.row, --budget) {
    const Tile first{lod, {block.x, block.y + list.row}};
    const std::uint64_t bits = explore::row_of_block(block, list.row);
    if (list.kind == TileList::Kind::kForget) {
      view_.forget_row(first, bits);
    } else {
      view_.claim_row(first, bits, [&](const Tile& tile) { drop(tile, stops); });
    }
  }
  if (list.row < height) return;
  list.row = 0;
  ++list.next;
}

/// Of what was asked for: what is on its way is to be stopped, what is here is thrown away.
void Viewer::drop(const Tile& tile, Stops& stops) {
  const auto asked = std::find_if(asked_.begin(), asked_.end(),
                                  [&](const Asked& one) { return one.tile == tile; });
  if (asked != asked_.end()) {
    stops.push_back(std::move(asked->stop));
    asked_.erase(asked);
  }
  const auto ready = std::find_if(ready_.begin(), ready_.end(),
                                  [&](const Ready& one) { return one.tile == tile; });
  if (ready != ready_.end()) {
    ++wasted_;
    ready_bytes_ -= ready->chunk->size();
    ready_.erase(ready);
  }
}

void Viewer::rank_ready() {
  for (Ready& ready : ready_) ready.urgency = view_.urgency(ready.tile);
  std::sort(ready_.begin(), ready_.end(),
            [](const Ready& a, const Ready& b) { return a.urgency > b.urgency; });
}

Result<void> Viewer::acknowledge(const v1::Ack& message, Clock::time_point now) {
  const auto longest =
      static_cast<std::uint64_t>(std::chrono::nanoseconds(std::chrono::minutes(1)).count());
  const std::chrono::nanoseconds per_chunk(
      static_cast<std::int64_t>(std::min(message.chunk_ns(), longest)));
  if (window_.acknowledge(message.batch(), per_chunk, now)) return {};
  return refuse_field({.reason = ErrorReason::kFieldOutOfRange,
                       .field = "ack.batch",
                       .value = std::to_string(message.batch()),
                       .limit = std::to_string(batch_)},
                      fmt::format("the latest batch sent is {}", batch_));
}

Tile Viewer::underfoot() const { return {0, explore::tile_at(pose_, chunk_size_, 0)}; }

schedule::Priority Viewer::priority_of(const Tile& tile) const {
  return tile == underfoot() ? schedule::Priority::kPlayerWaits : schedule::Priority::kView;
}

/// About a window's worth ahead of what can be sent; never so little that workers wait for the
/// client.
std::size_t Viewer::room_to_ask() const {
  const auto by_window =
      static_cast<std::size_t>(static_cast<double>(window_.size()) / typical_bytes_);
  const std::size_t most =
      std::min(depth_, std::clamp(by_window, pace_.min_in_flight, pace_.max_in_flight));
  if (ready_bytes_ >= pace_.max_unsent_per_viewer) return 0;
  const std::size_t taken = asked_.size() + ready_.size();
  return most > taken ? most - taken : 0;
}

void Viewer::judge(const MadeChunk& made) {
  if (made_.size() == kMaxMade) made_.pop_front();
  made_.push_back(made);
}

std::vector<Viewer::Ask> Viewer::asks_to_judge(std::size_t max) {
  std::vector<Ask> asks;
  for (; !made_.empty() && asks.size() < max; made_.pop_front()) {
    const auto& [tile, hash] = made_.front();
    Asked& asked = asked_.emplace_back(Asked{next_id_++, tile, schedule::Priority::kView, {}});
    asks.push_back({asked.id, tile, asked.priority, asked.stop.get_token(), hash});
  }
  return asks;
}

std::vector<Viewer::Ask> Viewer::asks(Clock::time_point now, std::size_t max) {
  std::vector<Ask> asks;
  const bool pauses = now < ask_at_;
  if (judges_ && !pauses) return asks_to_judge(std::min(room_to_ask(), max));
  if (pauses && !hurries_) return asks;
  for (const Tile& tile : view_.take(std::min(room_to_ask(), pauses ? 1 : max))) {
    hurries_ = false;
    Asked& asked = asked_.emplace_back(Asked{next_id_++, tile, priority_of(tile), {}});
    asks.push_back({asked.id, tile, asked.priority, asked.stop.get_token()});
  }
  return asks;
}

std::optional<schedule::Priority> Viewer::wants_turn(Clock::time_point now) const {
  if (judges_ && made_.empty()) return std::nullopt;
  if (room_to_ask() == 0 || now < turn_at_) return std::nullopt;
  if (hurries_) return schedule::Priority::kPlayerWaits;
  if (now < ask_at_) return std::nullopt;
  return schedule::Priority::kView;
}

std::optional<Tile> Viewer::more_urgent() {
  if (judges_) return std::nullopt;
  for (Asked& asked : asked_) {
    if (asked.priority == schedule::Priority::kPlayerWaits ||
        priority_of(asked.tile) == asked.priority)
      continue;
    asked.priority = schedule::Priority::kPlayerWaits;
    return asked.tile;
  }
  return std::nullopt;
}

void Viewer::answer(std::uint64_t id, Result<codec::EncodedChunk> chunk, Clock::time_point now) {
  const auto asked =
      std::find_if(asked_.begin(), asked_.end(), [id](const Asked& one) { return one.id == id; });
  if (asked == asked_.end()) {
    if (chunk) ++wasted_;
    return;
  }
  const Tile tile = asked->tile;
  asked_.erase(asked);
  if (chunk && !*chunk) return;
  if (chunk) {
    const auto bytes = (*chunk)->size();
    typical_bytes_ += kTypicalShare * (static_cast<double>(bytes) - typical_bytes_);
    depth_ = std::min(depth_ + 1, pace_.max_in_flight);
    put_off_ = turns_put_off_ = 0;
    if (ready_.empty()) ready_since_ = now;
    const double urgency = view_.urgency(tile);
    const auto place = std::find_if(ready_.begin(), ready_.end(),
                                    [&](const Ready& one) { return one.urgency < urgency; });
    ready_.insert(place, {urgency, tile, *std::move(chunk)});
    ready_bytes_ += bytes;
  } else if (chunk.error().code == ErrorCode::kInternal ||
             chunk.error().code == ErrorCode::kDataLoss) {
    view_.set(tile, explore::TileState::kFailed);
    append_failure(failures_, tile.coord, chunk.error(), tile.lod);
  } else {
    view_.set(tile, explore::TileState::kUnknown);
    refused(now);
  }
}

/// The server has too much to do: asks for less at a time, and for nothing until some of it has
/// come, or for a while.
void Viewer::refused(Clock::time_point now) {
  depth_ = std::max<std::size_t>(depth_ / 2, 1);
  put_off(now);
}

void Viewer::put_off(Clock::time_point now) {
  if (hurries_) turn_at_ = now + kMinPause * (1 << std::min(turns_put_off_++, kMaxTurnDoublings));
  if (now < ask_at_) return;  // of several that were asked for together
  const auto pause =
      std::uniform_int_distribution<std::int64_t>(kMinPause.count(), kMaxPause.count())(random_);
  ask_at_ = now + std::chrono::milliseconds(pause << std::min(put_off_++, kMaxDoublings));
}

Viewer::Stops Viewer::stop_all() {
  Stops stops;
  for (Asked& asked : asked_) stops.push_back(std::move(asked.stop));
  asked_.clear();
  ready_.clear();
  ready_bytes_ = 0;
  ask_at_ = Clock::time_point::max();
  hurries_ = false;
  return stops;
}

void Viewer::go_away(std::chrono::milliseconds resume_after) {
  news_.mutable_go_away()->set_resume_after_ms(static_cast<std::uint32_t>(resume_after.count()));
}

void Viewer::change_world(std::optional<WorldFingerprint> now) {
  v1::WorldChanged& changed = *news_.mutable_world_changed();
  changed.clear_fingerprint();
  if (now) changed.set_fingerprint(*now);
}

bool Viewer::has_news() const {
  return news_.has_welcome() || news_.has_go_away() || news_.has_world_changed() ||
         !failures_.empty();
}

/// When the client is told what it may drop, if no batch takes that along before.
Viewer::Clock::time_point Viewer::left_until() const {
  if (left_.empty()) return Clock::time_point::max();
  return has_much_to_tell() ? left_at_ : left_at_ + kLeftPause;
}

/// When the client is told which Move has been taken in, if no batch says so before. One that jumps
/// and jumps is sent no chunk; and whether it has gone, what it has said before may hide.
Viewer::Clock::time_point Viewer::silent_until() const {
  return written_at_ + (jumped_ ? std::min(kJumpPause, pace_.heartbeat) : pace_.heartbeat);
}

bool Viewer::may_send_chunks() const {
  return !held_ && !ready_.empty() &&
         (window_.outstanding() == 0 || ready_.back().chunk->size() <= window_.room());
}

bool Viewer::worth_a_write(Clock::time_point now) const {
  if (has_news() || now >= silent_until() || now >= left_until()) return true;
  if (!may_send_chunks()) return false;
  const bool full = ready_.size() >= pace_.batch_chunks || ready_bytes_ >= window_.batch_bytes();
  const bool near = ready_.back().urgency < 0;
  return full || near || asked_.empty() || now >= ready_since_ + pace_.linger;
}

Viewer::Batch Viewer::take_batch(Clock::time_point now) {
  Batch batch;
  // with as little as can be to do for the client
  const bool hurried = may_send_chunks() && ready_.back().urgency < 0;
  if (may_send_chunks()) add_chunks(batch, now);
  if (!hurried || now >= left_until()) add_out_of_range();
  news_.set_move(move_);
  news_.set_batch(batch.chunks > 0 ? batch_ : 0);
  batch.wire.append(std::exchange(failures_, {}));
  news_.AppendToString(&batch.wire);
  news_.Clear();
  written_at_ = now;
  jumped_ = false;
  return batch;
}

/// Says what the client may drop, as much of it as is told at once.
void Viewer::add_out_of_range() {
  std::vector<explore::Octet> told;
  told.reserve(std::min(left_.size(), kMaxLeftInMessage));
  while (!left_.empty() && told.size() < kMaxLeftInMessage) {
    explore::Octet octet = left_.front();
    left_.pop_front();
    octet.bits &= ~view_.held(octet.lod, octet.at);  // it is back
    if (octet.bits != 0) told.push_back(octet);
  }
  if (left_.empty()) left_.shrink_to_fit();
  add_blocks(explore::octets_to_blocks(std::move(told)), *news_.mutable_out_of_range());
}

std::size_t Viewer::bytes() const {
  constexpr std::size_t kMessage = 512;  // of news that wait: few and small
  return view_.bytes() + left_.size() * sizeof(explore::Octet) +
         asked_.capacity() * (sizeof(Asked) + kMessage) + ready_.capacity() * sizeof(Ready) +
         ready_bytes_ + failures_.capacity() + kMessage;
}

void Viewer::add_chunks(Batch& batch, Clock::time_point now) {
  const std::size_t room = window_.room(), most = window_.batch_bytes();
  batch.wire.reserve(std::min(ready_bytes_, most + ready_.back().chunk->size()) +
                     ready_.size() * kMaxChunkFraming);
  while (!ready_.empty() && batch.chunks < pace_.batch_chunks) {
    const Ready& next = ready_.back();
    const std::size_t bytes = batch.bytes + next.chunk->size();
    if (batch.chunks > 0 && (batch.bytes >= most || bytes > room)) break;
    append_chunk(batch.wire, next.tile.coord, *next.chunk, next.tile.lod);
    view_.set(next.tile, explore::TileState::kHeld);
    if (lacking_since_ && next.tile == underfoot())
      batch.waited_underfoot = now - *std::exchange(lacking_since_, std::nullopt);
    batch.bytes = bytes;
    ++batch.chunks;
    ready_.pop_back();
  }
  ready_bytes_ -= batch.bytes;
  ready_since_ = now;
  window_.sent(++batch_, batch.bytes, batch.chunks, now);
}

Viewer::Clock::time_point Viewer::look_again_at(Clock::time_point now) const {
  Clock::time_point at = std::min(silent_until(), left_until());
  if (may_send_chunks()) at = std::min(at, ready_since_ + pace_.linger);
  if (held_ && !ready_.empty()) at = std::min(at, now + kHoldPause);
  if (ask_at_ > now) at = std::min(at, ask_at_);
  if (turn_at_ > now) at = std::min(at, turn_at_);
  if (const auto oldest = window_.oldest()) at = std::min(at, *oldest + pace_.slow_client);
  return at;
}

Result<void> Viewer::check_acknowledged(Clock::time_point now) const {
  const auto oldest = window_.oldest();
  if (!oldest || now < *oldest + pace_.slow_client) return {};
  Error error{ErrorCode::kDeadlineExceeded,
              fmt::format("batch {} has not been acknowledged for {} ms (Welcome.ack_deadline_ms): "
                          "acknowledge each batch once it has been dealt with; a client that comes "
                          "back is served",
                          window_.oldest_batch(), pace_.slow_client.count())};
  error.reason = ErrorReason::kClientTooSlow;
  error.limit = fmt::format("{} ms", pace_.slow_client.count());
  return tl::unexpected(std::move(error));
}

}  // namespace terrane::rpc
