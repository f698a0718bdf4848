#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore_client.h"
#include "golden/explore/conversation.h"
#include "rpc/streams/viewer.h"

/// The two sides of a conversation, on virtual time that goes on by a millisecond at a time.
namespace terrane::golden {

/// A game, and the SDK's machine for it.
class ClientHalf {
 public:
  explicit ClientHalf(const Setting& setting);

  /// Something happens to the client: "move", "poll", "<" or "end".
  /// @return what the client does about it at once, other than to say something: see drive()
  std::vector<Event> take(const Event& input);

  /// What the client does and says by itself at this time.
  std::vector<Event> drive(Milliseconds now);

 private:
  std::vector<Event> receive(const Event& input);
  [[nodiscard]] Event news(Milliseconds now);

  const Setting setting_;
  client::ExploreClient client_;
  bool open_ = false;
};

/// A server's viewer, whose chunks take no time to make.
class ServerHalf {
 public:
  /// @param failing  chunks that can't be made
  ServerHalf(const Setting& setting, std::set<Tile> failing);

  /// A message of the client; or what the conversation calls "server", see README.md.
  void receive(const std::string& bytes, Milliseconds now);
  void take(const std::string& command);

  /// What the server says at this time: "<" and "end".
  std::vector<Event> drive(Milliseconds now);

 private:
  Result<void> on_request(const v1::ExploreRequest& request, rpc::Viewer::Clock::time_point now);
  Result<void> on_move(const v1::Move& move, rpc::Viewer::Clock::time_point now);
  Result<void> take(rpc::TileList list);
  void answer_asks(rpc::Viewer::Clock::time_point now);
  void end(const Error& error);

  const rpc::ExplorePace pace_;
  worlds::WorldCatalog worlds_;
  std::optional<rpc::ExploreQuery> query_;
  std::optional<rpc::Viewer> viewer_;
  std::set<Tile> failing_;
  std::optional<Error> ending_;
  bool ended_ = false;
};

/// Both together. @param inputs  of the game, of the connection and of the server, in order of time
[[nodiscard]] Conversation converse(const Setting& setting, std::vector<Event> inputs,
                                    Milliseconds until);

/// What the server says when it is told what the conversation tells it, at the client's times.
[[nodiscard]] std::vector<Event> replay_server(const Conversation& conversation);

}  // namespace terrane::golden
