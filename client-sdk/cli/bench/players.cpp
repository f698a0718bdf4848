#include "cli/bench/players.h"

#include <algorithm>
#include <string>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRound{1};

}  // namespace

Players::Players(const std::vector<Client>& clients, const World& world, const WorldRef& ref,
                 Options options, double longest_s)
    : clients_(clients), world_(world), ref_(ref), options_(options), longest_(longest_s) {}

Result<void> Players::appear(const Pose& pose) {
  ViewAccount account(options_.view_distance, world_.chunk_size);
  TERRANE_ASSIGN_OR_RETURN(auto explorer, clients_[players_.size() % clients_.size()].explore(
                                              {.world = ref_,
                                               .view_distances = {options_.view_distance},
                                               // all are to come from the
                                               // server
                                               .kept_chunks = 0,
                                               .max_waiting = account.in_view(),
                                               .decode = options_.decode}));
  players_.push_back({.explorer = std::move(explorer), .account = std::move(account)});
  return jump(players_.size() - 1, pose);
}

Result<void> Players::jump(std::size_t player, const Pose& to) {
  const auto now = Clock::now();
  TERRANE_RETURN_IF_ERROR(players_[player].explorer.move(to));
  players_[player].account.jump(to, now);
  last_arrival_ = now;
  return {};
}

Result<void> Players::move(std::size_t player, const Pose& to) {
  const auto now = Clock::now();
  TERRANE_RETURN_IF_ERROR(players_[player].explorer.move(to));
  players_[player].account.move(to, now);
  return {};
}

Result<void> Players::take(Player& player) {
  const ExploreNews news = player.explorer.poll();
  const auto now = Clock::now();
  if (news.error) last_error_ = *news.error;
  if (news.state == ExploreState::kEnded) return tl::unexpected(last_error_);
  if (!news.failed.empty()) {
    const auto& [tile, error] = news.failed.front();
    return fail(error.code, "chunk " + std::to_string(tile.coord.x) + "," +
                                std::to_string(tile.coord.y) + ": " + error.message);
  }
  for (const Tile& tile : news.out_of_range) player.account.leave(tile.coord, now);
  for (const ArrivedChunk& chunk : news.arrived) {
    last_arrival_ = now;
    last_error_ = {};
    if (!player.account.arrive(chunk.tile.coord, now)) continue;
    ++player.wanted;
    if (chunk.encoded) player.wanted_bytes += chunk.encoded->size();
  }
  return {};
}

Result<void> Players::take(Clock::time_point until) {
  do {
    const auto round_end = players_.size() == 1 ? until : std::min(until, Clock::now() + kRound);
    Player& waited_for = players_[turn_++ % players_.size()];
    for (auto now = Clock::now(); now < round_end; now = Clock::now()) {
      if (!waited_for.explorer.wait(std::chrono::ceil<milliseconds>(round_end - now))) continue;
      TERRANE_RETURN_IF_ERROR(take(waited_for));
    }
    for (Player& player : players_) {
      TERRANE_RETURN_IF_ERROR(take(player));
    }
    TERRANE_RETURN_IF_ERROR(note_round(Clock::now()));
  } while (Clock::now() < until);
  return {};
}

Result<void> Players::note_round(Clock::time_point now) {
  if (players_.size() > 1 && last_look_ != Clock::time_point()) {
    resolution_ms_.push_back(std::chrono::duration<double, std::milli>(now - last_look_).count());
  }
  last_look_ = now;
  const auto waits = [](const Player& player) { return !player.account.full(); };
  const auto waiting = std::count_if(players_.begin(), players_.end(), waits);
  if (waiting == 0) last_arrival_ = now;
  if (now - last_arrival_ < longest_) return {};
  if (last_error_.code == ErrorCode::kUnavailable) return tl::unexpected(last_error_);
  return fail(ErrorCode::kDeadlineExceeded,
              "no chunk for " + std::to_string(static_cast<int>(longest_.count())) + " s, and " +
                  std::to_string(waiting) + " of " + std::to_string(players_.size()) +
                  " players wait for some");
}

Traffic& Traffic::operator+=(const Traffic& other) {
  chunks += other.chunks;
  bytes += other.bytes;
  wanted += other.wanted;
  wanted_bytes += other.wanted_bytes;
  reconnects += other.reconnects;
  return *this;
}

Traffic Traffic::operator-(const Traffic& before) const {
  return {chunks - before.chunks, bytes - before.bytes, wanted - before.wanted,
          wanted_bytes - before.wanted_bytes, reconnects - before.reconnects};
}

Traffic Players::traffic(std::size_t player) const {
  const Player& one = players_[player];
  const ExploreStats stats = one.explorer.stats();
  return {stats.chunks, stats.bytes, one.wanted, one.wanted_bytes, stats.reconnects};
}

Traffic Players::traffic() const {
  Traffic all;
  for (std::size_t i = 0; i < players_.size(); ++i) all += traffic(i);
  return all;
}

Result<void> Players::take_until_full(double share) {
  const auto lacks = [share](const Player& player) {
    const auto in_view = static_cast<double>(player.account.in_view());
    return !player.account.on_land() ||
           static_cast<double>(player.account.waiting()) > (1 - share) * in_view;
  };
  while (std::any_of(players_.begin(), players_.end(), lacks)) {
    TERRANE_RETURN_IF_ERROR(take(Clock::now() + kRound));
  }
  return {};
}

}  // namespace terrane::cli
