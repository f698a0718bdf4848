#include "explore_book.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>
#include <utility>

#include "codec/container.h"
#include "explore_checks.h"
#include "tile_rows.h"
#include "wire.h"

namespace terrane::client {
namespace {

constexpr double kDecodeWeight = 0.125;  // of the latest chunk in the average
constexpr std::size_t kMostLeft =
    std::size_t{1}  // tiles of one list of those out of range: more than any server
    // has to say
    << 19;
// chunks that a server may send while it is made to wait
constexpr std::size_t kMostUnwaited = 4096;
constexpr std::size_t kMostTilesSaid = 65536;  // in one message; the next one says the rest

std::string text(const Tile& tile) {
  return describe(tile.coord) + " of lod " + std::to_string(tile.lod);
}

bool is_chunk_size(std::uint32_t size) {
  return size >= kMinChunkSize && size <= kMaxChunkSize && std::has_single_bit(size);
}

}  // namespace

ExploreBook::ExploreBook(ExploreOptions options)
    : options_(std::move(options)),
      sight_(options_.view_distances),
      chunks_(options_.kept_chunks) {}

Result<void> ExploreBook::move(const Pose& pose, TimePoint now) {
  if (auto checked = check(pose, sight_.chunk_size() > 0 ? sight_.chunk_size() : kMaxChunkSize);
      !checked)
    return checked;
  if (has_pose() && pose == sight_.pose()) return {};
  const auto from = has_pose() ? sight_.underfoot() : std::nullopt;
  sight_.set_pose(pose);
  ++move_number_;
  move_due_ = true;
  note_jump(from, now);
  const auto back = chunks_.bring_back(sight_);
  stats_.kept += back.size();
  have_.insert(back.begin(), back.end());
  note_underfoot(now);
  return {};
}

/// A jump: to where neither the chunk underfoot nor one beside it is at hand. Walking on while that
/// has not come is none.
void ExploreBook::note_jump(const std::optional<Tile>& from, TimePoint now) {
  const auto at = sight_.underfoot();
  if (move_number_ == 1) jumped_ = now;
  if (!at || !from || *at == *from) return;
  const auto beside = [](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 1; };
  if (jumped_ && beside(at->coord.x, from->coord.x) && beside(at->coord.y, from->coord.y)) return;
  for (const std::int64_t y : {-1, 0, 1}) {
    for (const std::int64_t x : {-1, 0, 1}) {
      const Tile near{at->lod, {at->coord.x + x, at->coord.y + y}};
      if (chunks_.holds(near) || chunks_.keeps(near)) return;
    }
  }
  jumped_ = now;
  stats_.first = {};
}

void ExploreBook::note_underfoot(TimePoint now) {
  const auto at = sight_.underfoot();
  if (!jumped_ || !at || !chunks_.holds(*at)) return;
  stats_.first = std::max(std::chrono::nanoseconds(1), std::chrono::nanoseconds(now - *jumped_));
  jumped_.reset();
}

ExploreStats ExploreBook::stats() const {
  ExploreStats stats = stats_;
  stats.in_range = chunks_.held();
  stats.waiting = chunks_.waiting();
  stats.decode_us = decode_ns_ / 1000;
  return stats;
}

bool ExploreBook::has_news() const {
  return chunks_.has_news() || !failed_.empty() || world_changed_;
}

void ExploreBook::tell(ExploreNews& news) {
  chunks_.tell(news);
  news.failed = std::exchange(failed_, {});
  news.world_changed = std::exchange(world_changed_, false);
}

void ExploreBook::begin_stream() {
  said_hello_ = welcomed_ = last_was_move_ = false;
  received_ = finished_ = acknowledged_ = 0;
  chunks_.drop_unseen(sight_);  // the new server will not say so
}

std::optional<v1::ExploreRequest> ExploreBook::next_message() {
  if (!said_hello_) return hello();
  v1::ExploreRequest message;
  if (move_due_ && !(last_was_move_ && owes_ack())) {
    *message.mutable_move() = move_message();
    last_was_move_ = true;
    return message;
  }
  if (!owes_ack()) return std::nullopt;
  message.mutable_ack()->set_batch(finished_);
  message.mutable_ack()->set_chunk_ns(static_cast<std::uint64_t>(decode_ns_));
  acknowledged_ = finished_;
  last_was_move_ = false;
  return message;
}

v1::ExploreRequest ExploreBook::hello() {
  v1::ExploreRequest message;
  v1::Hello& hello = *message.mutable_hello();
  *hello.mutable_world() = to_message(options_.world);
  (void)add_layers(options_.layers, hello.mutable_layers());  // checked when the Explorer was made
  for (const int distance : options_.view_distances)
    hello.add_view_distances(static_cast<std::uint32_t>(distance));
  hello.add_formats(codec::kFormatVersion);
  have_.clear();
  for (const Tile& tile : chunks_.all_held()) have_.insert(tile);
  *hello.mutable_move() = move_message();
  said_hello_ = true;
  return message;
}

v1::Move ExploreBook::move_message() {
  const Pose& pose = sight_.pose();
  v1::Move move;
  move.set_number(move_number_);
  move.set_x(pose.x);
  move.set_y(pose.y);
  move.set_velocity_x(pose.velocity_x);
  move.set_velocity_y(pose.velocity_y);
  move.set_direction_x(pose.direction_x);
  move.set_direction_y(pose.direction_y);
  auto said = have_.begin();
  for (std::size_t i = 0; i < kMostTilesSaid && said != have_.end(); ++i) ++said;
  add_rows({have_.begin(), said}, move.mutable_have());
  have_.erase(have_.begin(), said);
  move_due_ = !have_.empty();
  return move;
}

Result<void> ExploreBook::receive(const v1::ExploreResponse& response) {
  if (response.has_welcome() == welcomed_) {
    return fail(ErrorCode::kDataLoss, welcomed_ ? "the server welcomed this viewer twice"
                                                : "the server sent something before its welcome");
  }
  if (response.has_welcome()) {
    if (auto received = receive_welcome(response); !received) return received;
  }
  if (response.chunks_size() > 0) {
    if (response.batch() <= received_) {
      return fail(ErrorCode::kDataLoss, "the server sent batch " +
                                            std::to_string(response.batch()) + " after batch " +
                                            std::to_string(received_) + "; they must grow from 1");
    }
    received_ = response.batch();
  }
  if (response.has_world_changed()) world_changed_ = true;
  if (auto received = receive_out_of_range(response); !received) return received;
  return receive_failures(response);
}

Result<void> ExploreBook::receive_welcome(const v1::ExploreResponse& response) {
  const v1::Welcome& welcome = response.welcome();
  const auto pinned = options_.world.fingerprint;
  if (pinned && *pinned != welcome.fingerprint()) {
    return fail(ErrorCode::kFailedPrecondition,
                "world '" + options_.world.name +
                    "' is not the one pinned or seen before: its fingerprint was " +
                    std::to_string(*pinned) + ", now it is " +
                    std::to_string(welcome.fingerprint()) +
                    "; drop its chunks and make a new Explorer");
  }
  if (!is_chunk_size(welcome.chunk_size()) ||
      (was_welcomed() && welcome.chunk_size() != static_cast<std::uint32_t>(sight_.chunk_size()))) {
    return fail(
        ErrorCode::kDataLoss,
        "the server's welcome says chunks of " + std::to_string(welcome.chunk_size()) + " samples" +
            (was_welcomed() ? ", before it said " + std::to_string(sight_.chunk_size()) : ""));
  }
  if (welcome.format() != codec::kFormatVersion) {
    return fail(ErrorCode::kDataLoss,
                "the server sends chunks in format version " + std::to_string(welcome.format()) +
                    "; asked for was version " + std::to_string(codec::kFormatVersion));
  }
  welcomed_ = true;
  // pinned from now on: never two worlds in one Explorer
  options_.world.fingerprint = welcome.fingerprint();
  sight_.set_chunk_size(static_cast<int>(welcome.chunk_size()));
  return {};
}

Result<void> ExploreBook::receive_out_of_range(const v1::ExploreResponse& response) {
  const auto tiles = to_tiles(response.out_of_range(), kMostLeft);
  if (!tiles) return tl::unexpected(tiles.error());
  for (const Tile& tile : *tiles) {
    if (!chunks_.holds(tile)) continue;
    if (sight_.sees(tile, Sight::kMargin)) {  // the viewer has come back meanwhile
      have_.insert(tile);
      move_due_ = true;
    } else {
      chunks_.drop(tile);
      have_.erase(tile);
    }
  }
  return {};
}

Result<void> ExploreBook::receive_failures(const v1::ExploreResponse& response) {
  for (const v1::ChunkFailure& failure : response.failures()) {
    const Tile tile{static_cast<Lod>(std::min(failure.lod(), std::uint32_t{kMaxLod} + 1)),
                    to_coord(failure.coord())};
    if (!sight_.exists(tile)) {
      return fail(ErrorCode::kDataLoss, "the server failed chunk " + text(tile) +
                                            ", which was not asked for: " + failure.message());
    }
    if (auto room = check_room(); !room) return room;
    failed_.push_back({tile, {to_code(failure.code()), failure.message()}});
  }
  return {};
}

Result<std::optional<Tile>> ExploreBook::expect(const v1::Chunk& chunk) {
  const Tile tile{static_cast<Lod>(std::min(chunk.lod(), std::uint32_t{kMaxLod} + 1)),
                  to_coord(chunk.coord())};
  if (!sight_.exists(tile))
    return fail(ErrorCode::kDataLoss,
                "the server sent chunk " + text(tile) + ", which was not asked for");
  if (auto room = check_room(); !room) return tl::unexpected(room.error());
  ++stats_.chunks;
  stats_.bytes += chunk.encoded().size();
  if (chunks_.holds(tile) || chunks_.bring_back(tile)) {
    ++stats_.repeated;
    return std::nullopt;
  }
  return tile;
}

/// Bounds what a server can fill the memory with.
Result<void> ExploreBook::check_room() const {
  // while those that were left are still on their way out
  const std::size_t most_held = 2 * sight_.most_tiles() + kMostUnwaited;
  if (chunks_.held() >= most_held) {
    return fail(ErrorCode::kDataLoss,
                "the server sent more than " + std::to_string(most_held) +
                    " chunks without taking any back, more than twice as many as can be in sight");
  }
  const std::size_t most_waiting = options_.most_waiting + kMostUnwaited;
  if (chunks_.waiting() + failed_.size() >= most_waiting) {
    return fail(ErrorCode::kDataLoss, "the server sent more than " + std::to_string(most_waiting) +
                                          " chunks without an acknowledgement");
  }
  return {};
}

void ExploreBook::arrive(ArrivedChunk arrived, std::chrono::nanoseconds took, TimePoint now) {
  const auto ns = static_cast<double>(took.count());
  decode_ns_ = decode_ns_ == 0 ? ns : decode_ns_ + kDecodeWeight * (ns - decode_ns_);
  chunks_.add(std::move(arrived));
  note_underfoot(now);
}

void ExploreBook::fail_chunk(FailedChunk failed) { failed_.push_back(std::move(failed)); }

}  // namespace terrane::client
