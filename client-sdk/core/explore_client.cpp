#include "explore_client.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "codec/container.h"
#include "explore_checks.h"
#include "status_code.h"
#include "terrane/result_macros.h"

namespace terrane::client {
namespace {

constexpr double kDecodeWeight = 0.125;  // of the latest chunk in the average
// chunks that a server may send while it is made to wait
constexpr std::size_t kMaxUnwaited = 4096;
constexpr std::size_t kMaxFailureBytes = 4096;  // of one failure's text
// between two chunks that are to be judged: a difference is noticed within a second, and a minute
// of them takes less than a kilobyte
constexpr std::chrono::milliseconds kBetweenMade{900};

std::string text(const Tile& tile) {
  std::string text = "(";
  text.append(std::to_string(tile.coord.x)).append(", ").append(std::to_string(tile.coord.y));
  return text.append(") of lod ").append(std::to_string(tile.lod));
}

bool is_chunk_size(std::uint32_t size) {
  return size >= kMinChunkSize && size <= kMaxChunkSize && std::has_single_bit(size);
}

}  // namespace

ExploreClient::ExploreClient(ExploreOptions options, bool makes_chunks)
    : options_(std::move(options)),
      range_(to_distances(options_.view_distances)),
      chunks_(options_.kept_chunks),
      makes_chunks_(makes_chunks) {}

Result<void> ExploreClient::move(const Pose& pose, TimePoint now) {
  TERRANE_RETURN_IF_ERROR(check(pose, was_welcomed() ? range_.chunk_size() : kMaxChunkSize));
  if (has_pose() && pose == range_.pose()) return {};
  const auto from = has_pose() ? range_.underfoot() : std::nullopt;
  range_.set_pose(pose);
  ++move_number_;
  move_due_ = !makes_chunks_;  // else where the viewer is makes no difference to the server
  // land of the viewer's own does not come from here
  if (!makes_chunks_) jump_timing_.moved(from, range_, chunks_, now);
  if (!from || from != range_.underfoot()) {  // else every level's view is as it was
    const auto back = chunks_.bring_back(range_);
    stats_.kept += back.size();
    untold_.insert(back.begin(), back.end());
  }
  jump_timing_.came(range_, chunks_, now);
  return {};
}

ExploreStats ExploreClient::stats() const {
  ExploreStats stats = stats_;
  stats.reconnects = reconnect_timing_.reconnects();
  stats.in_range = chunks_.held();
  stats.waiting = chunks_.waiting();
  stats.decode_us = decode_ns_ / 1000;
  stats.first = jump_timing_.first();
  return stats;
}

bool ExploreClient::has_news() const {
  return chunks_.has_news() || !failed_.empty() || world_changed_ || difference_ ||
         state() != told_state_ || reconnect_timing_.error() != told_error_;
}

ExploreNews ExploreClient::take_news() {
  ExploreNews news;
  chunks_.take_news(news);
  news.failed = std::exchange(failed_, {});
  news.world_changed = std::exchange(world_changed_, false);
  news.differs = std::exchange(difference_, {});
  news.state = told_state_ = state();
  news.error = told_error_ = reconnect_timing_.error();
  return news;
}

std::optional<ExploreClient::TimePoint> ExploreClient::next_look() const {
  if (!has_pose()) return std::nullopt;
  const auto look = reconnect_timing_.next_look();
  if (!made_ || !makes_chunks_ || state() != ExploreState::kStreaming) return look;
  return look ? std::min(*look, made_at_) : made_at_;
}

void ExploreClient::open_stream() {
  reconnect_timing_.opened();
  said_hello_ = welcomed_ = last_was_move_ = ending_ = false;
  received_ = finished_ = acknowledged_ = 0;
  chunks_.drop_out_of_range(range_);  // the new server will not say so
}

void ExploreClient::end_stream(Error error, std::optional<Milliseconds> pushback, TimePoint now,
                               double jitter) {
  if (error.code == ErrorCode::kFailedPrecondition && was_welcomed()) {
    error.message =
        "the world has changed since this Explorer was made; make a new one: " + error.message;
  }
  reconnect_timing_.failed(std::move(error), pushback, now, jitter);
}

std::optional<std::string> ExploreClient::next_message(TimePoint now) {
  if (!said_hello_) return hello();
  reconnect_timing_.connected(now);  // the Hello has gone out, else nobody would ask for more
  if (makes_chunks_) return next_made(now);
  if (move_due_ && !(last_was_move_ && owes_ack())) {
    move_due_ = false;
    last_was_move_ = true;
    const auto have = take_untold();
    return write_move({move_number_, range_.pose(), have});
  }
  if (!owes_ack()) return std::nullopt;
  acknowledged_ = finished_;
  last_was_move_ = false;
  return write_ack(finished_, static_cast<std::uint64_t>(decode_ns_));
}

std::optional<std::string> ExploreClient::next_made(TimePoint now) {
  if (!welcomed_ || !made_ || now < made_at_) return std::nullopt;
  made_at_ = now + kBetweenMade;
  const auto [tile, hash] = *std::exchange(made_, std::nullopt);
  return write_made(tile, hash);
}

Result<std::vector<ExploreClient::ReceivedChunk>> ExploreClient::receive(std::string_view bytes,
                                                                         TimePoint now) {
  // gRPC makes one up where a proxy answers with a page of its own, and then ends the stream
  if (bytes.empty() && !welcomed_) return std::vector<ReceivedChunk>();
  auto received = read_response(bytes).and_then(
      [&](const ResponseMessage& response) { return take_in(response, now); });
  if (!received) reconnect_timing_.gave_up(received.error());
  return received;
}

Result<std::vector<ExploreClient::ReceivedChunk>> ExploreClient::take_in(
    const ResponseMessage& response, TimePoint now) {
  if (response.ending) {  // and nothing else
    ending_ = true;
    return std::vector<ReceivedChunk>();
  }
  TERRANE_RETURN_IF_ERROR(check_order(response));
  if (response.welcome) TERRANE_RETURN_IF_ERROR(receive_welcome(*response.welcome));
  if (!response.chunks.empty()) received_ = response.batch;
  if (response.world_changed) world_changed_ = true;
  TERRANE_RETURN_IF_ERROR(receive_out_of_range(response));
  TERRANE_RETURN_IF_ERROR(receive_failures(response));
  TERRANE_ASSIGN_OR_RETURN(auto chunks, receive_chunks(response));
  reconnect_timing_.heard(now, !response.welcome);
  if (response.welcome) reconnect_timing_.welcomed(Milliseconds(response.welcome->heartbeat_ms));
  if (response.resume_after_ms)
    reconnect_timing_.told_to_leave(Milliseconds(*response.resume_after_ms), now);
  return chunks;
}

Result<void> ExploreClient::check_order(const ResponseMessage& response) const {
  if (response.welcome.has_value() == welcomed_) {
    return fail(ErrorCode::kDataLoss, welcomed_ ? "the server welcomed this viewer twice"
                                                : "the server sent something before its welcome");
  }
  if (!response.chunks.empty() && response.batch <= received_) {
    return fail(ErrorCode::kDataLoss, "the server sent batch " + std::to_string(response.batch) +
                                          " after batch " + std::to_string(received_) +
                                          "; they must grow from 1");
  }
  return {};
}

Result<void> ExploreClient::receive_welcome(const WelcomeMessage& welcome) {
  const auto pinned = options_.world.fingerprint;
  if (pinned && *pinned != welcome.fingerprint) {
    return fail(ErrorCode::kFailedPrecondition,
                "world '" +
                    (options_.world.realm.empty() ? options_.world.name : options_.world.realm) +
                    "' is not the one pinned or seen before: its fingerprint was " +
                    std::to_string(*pinned) + ", now it is " + std::to_string(welcome.fingerprint) +
                    "; drop its chunks and make a new Explorer");
  }
  if (!is_chunk_size(welcome.chunk_size) ||
      (was_welcomed() && welcome.chunk_size != static_cast<std::uint32_t>(range_.chunk_size()))) {
    return fail(
        ErrorCode::kDataLoss,
        "the server's welcome says chunks of " + std::to_string(welcome.chunk_size) + " samples" +
            (was_welcomed() ? ", before it said " + std::to_string(range_.chunk_size()) : ""));
  }
  if (welcome.format != codec::kFormatVersion) {
    return fail(ErrorCode::kDataLoss,
                "the server sends chunks in format version " + std::to_string(welcome.format) +
                    "; asked for was version " + std::to_string(codec::kFormatVersion));
  }
  welcomed_ = true;
  // pinned from now on: never two worlds in one Explorer
  options_.world.fingerprint = welcome.fingerprint;
  range_.set_chunk_size(static_cast<int>(welcome.chunk_size));
  return {};
}

Result<void> ExploreClient::receive_out_of_range(const ResponseMessage& response) {
  if (const auto checked = explore::check_blocks(response.out_of_range, "out_of_range"); !checked)
    return fail(ErrorCode::kDataLoss,
                "the server sent tiles that cannot be: " + checked.error().message);
  explore::for_each_tile(response.out_of_range, [this](const Tile& tile) {
    if (!chunks_.holds(tile)) return;
    if (range_.is_in_range(tile)) {  // the viewer has come back meanwhile
      untold_.insert(tile);
      move_due_ = true;
    } else {
      chunks_.drop(tile);
      untold_.erase(tile);
    }
  });
  return {};
}

Result<void> ExploreClient::receive_failures(const ResponseMessage& response) {
  if (makes_chunks_) return {};  // the server's trouble: here there is such a chunk
  for (const FailureMessage& failure : response.failures) {
    TERRANE_ASSIGN_OR_RETURN(const Tile tile, check_tile(failure.tile, "failed"));
    // an honest server names a tile in view once, and again only when it has been out of range
    if (failed_.size() >= 2 * range_.max_tiles() + kMaxUnwaited) {
      return fail(ErrorCode::kDataLoss, "the server sent more than " +
                                            std::to_string(failed_.size()) +
                                            " failures, more than twice as many as are in view");
    }
    failed_.push_back({tile, {to_code(failure.code), failure.message.substr(0, kMaxFailureBytes)}});
  }
  return {};
}

Result<std::vector<ExploreClient::ReceivedChunk>> ExploreClient::receive_chunks(
    const ResponseMessage& response) {
  std::vector<ReceivedChunk> chunks;
  std::set<Tile> coming;
  for (const ChunkMessage& chunk : response.chunks) {
    TERRANE_ASSIGN_OR_RETURN(const Tile tile, check_tile(chunk.tile, "sent"));
    if (makes_chunks_) {  // no longer: all is to be had from the server, by another stream
      difference_ = tile;
      makes_chunks_ = false;
      made_.reset();
      ending_ = true;
      return chunks;
    }
    TERRANE_RETURN_IF_ERROR(check_room(coming.size()));
    ++stats_.chunks;
    stats_.bytes += chunk.encoded.size();
    if (chunks_.holds(tile) || chunks_.bring_back(tile) || !coming.insert(tile).second) {
      ++stats_.repeated;
    } else {
      chunks.push_back({tile, chunk.encoded, range_.chunk_size()});
    }
  }
  return chunks;
}

Result<Tile> ExploreClient::check_tile(const WireTile& wire, const char* did) const {
  const Tile tile{static_cast<Lod>(std::min(wire.lod, std::uint32_t{kMaxLod} + 1)), wire.coord};
  if (range_.exists(tile)) return tile;
  return fail(ErrorCode::kDataLoss, std::string("the server ") + did + " chunk " + text(tile) +
                                        ", which was not asked for");
}

/// Bounds what a server can fill the memory with. @param coming  chunks on their way to be decoded
Result<void> ExploreClient::check_room(std::size_t coming) const {
  // while those that were left are still on their way out
  const std::size_t max_held = 2 * range_.max_tiles() + kMaxUnwaited;
  if (chunks_.held() + coming >= max_held) {
    return fail(ErrorCode::kDataLoss,
                "the server sent more than " + std::to_string(max_held) +
                    " chunks without taking any back, more than twice as many as can be in view");
  }
  if (failed_.size() + coming >= max_held) {
    return fail(ErrorCode::kDataLoss, "the server sent more than " + std::to_string(max_held) +
                                          " chunks that do not decode");
  }
  const std::size_t waiting = chunks_.waiting() + coming;
  if (waiting >= kMaxUnwaited && waiting - kMaxUnwaited >= options_.max_waiting) {
    return fail(ErrorCode::kDataLoss, "the server sent more than " + std::to_string(waiting) +
                                          " chunks without an acknowledgement");
  }
  return {};
}

void ExploreClient::arrive(ArrivedChunk arrived, std::chrono::nanoseconds took, TimePoint now) {
  const auto ns = static_cast<double>(took.count());
  decode_ns_ = decode_ns_ == 0 ? ns : decode_ns_ + kDecodeWeight * (ns - decode_ns_);
  chunks_.add(std::move(arrived));
  jump_timing_.came(range_, chunks_, now);
}

void ExploreClient::fail_chunk(FailedChunk failed) { failed_.push_back(std::move(failed)); }

}  // namespace terrane::client
