#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "e2e/client.h"
#include "e2e/explore_talk.h"
#include "terrane/coord.h"

namespace terrane::e2e {

using ViewDistances = std::vector<std::uint32_t>;

/// A viewer of kWorld at a block, that looks nowhere in particular.
v1::Hello hello(const ViewDistances& distances, double x, double y);

/// The tiles that a viewer at a block is to have, by the definition of a view: explore.proto.
std::set<Tile> tiles_in_view(const ViewDistances& distances, double x, double y,
                             int chunk_size = 64);

Tile tile_at(double x, double y, Lod lod = 0, int chunk_size = 64);

/// How soon a viewer who stands still wants a tile: smaller is sooner. explore.proto.
double wanted_order(const Tile& tile, double x, double y, int chunk_size = 64);

v1::TileBlock block(Lod lod, std::int64_t x, std::int64_t y, std::uint32_t width = 1,
                    std::uint32_t height = 1);
std::vector<Tile> tiles_of(const v1::TileBlock& block);

/// GetChunk for a tile.
v1::GetChunkRequest tile_request(const Tile& tile);

/// Makes the server have the square of chunks around a block in its cache.
void warm(Client& client, double x, double y, int radius);

/// A viewer on a stream of its own, by hand. Threads: one.
class ExploreClient {
 public:
  using Clock = std::chrono::steady_clock;

  struct Arrival {
    Tile tile;
    std::string encoded;
    std::uint64_t move = 0;  // the latest that the server knew
    Clock::time_point at;
  };

  /// Opens the stream, and says hello.
  /// @param patience  the whole stream's
  /// @param calls_for  the address that a proxy would say it is; empty: none
  ExploreClient(Client& client, const v1::Hello& hello,
                std::chrono::seconds patience = std::chrono::seconds(60),
                const std::string& calls_for = "");
  /// Cancels the stream, unless it was finished.
  ~ExploreClient();
  ExploreClient(const ExploreClient&) = delete;
  ExploreClient& operator=(const ExploreClient&) = delete;

  /// Says anything. @return false when the stream has ended
  bool say(const v1::ExploreRequest& request);

  /// Says where the viewer is now.
  void move(double x, double y);

  void forget(const std::vector<v1::TileBlock>& blocks);

  /// Whether batches are acknowledged as they come: so it is, unless told otherwise.
  void acknowledge(bool yes) { acknowledges_ = yes; }

  /// The next response, noted and acknowledged. Blocks. @return false when the stream has ended
  bool read();

  /// Reads until it is so. @return false when the stream has ended before
  bool read_until(const std::function<bool()>& done);

  /// Reads until all tiles in view are there. @return false when the stream has ended before
  bool read_view(const ViewDistances& distances, double x, double y);

  /// Says no more, and reads what comes.
  grpc::Status finish();
  /// Cancels, and throws away what comes.
  void cancel();

  /// All chunks that came, in order.
  [[nodiscard]] const std::vector<Arrival>& arrivals() const { return arrivals_; }
  /// Those that came from the `first`-th on.
  [[nodiscard]] std::multiset<Tile> tiles_from(std::size_t first) const;
  /// The latest bytes of each.
  [[nodiscard]] const std::map<Tile, std::string>& held() const { return held_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t unacknowledged() const { return unacknowledged_; }
  [[nodiscard]] std::uint64_t last_move() const { return moves_; }
  [[nodiscard]] const std::vector<Tile>& out_of_range() const { return out_of_range_; }
  [[nodiscard]] const std::optional<v1::Welcome>& welcome() const { return welcome_; }
  [[nodiscard]] const std::optional<v1::GoAway>& go_away() const { return go_away_; }
  [[nodiscard]] const std::optional<v1::WorldChanged>& world_changed() const {
    return world_changed_;
  }
  [[nodiscard]] int responses() const { return responses_; }

 private:
  std::unique_ptr<ExploreTalk> talk_;
  bool acknowledges_ = true, finished_ = false;
  std::uint64_t moves_ = 0, bytes_ = 0, unacknowledged_ = 0;
  int responses_ = 0;
  std::vector<Arrival> arrivals_;
  std::map<Tile, std::string> held_;
  std::vector<Tile> out_of_range_;
  std::optional<v1::Welcome> welcome_;
  std::optional<v1::GoAway> go_away_;
  std::optional<v1::WorldChanged> world_changed_;
};

}  // namespace terrane::e2e
