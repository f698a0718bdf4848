#include "golden/explore/scenarios.h"

#include <functional>
#include <utility>

#include "explore_messages.h"
#include "golden/explore/halves.h"
#include "terrane/v1/explore.pb.h"

namespace terrane::golden {
namespace {

using Inputs = std::vector<Event>;

Setting setting(const char* name, const char* title) {
  Setting setting;
  setting.name = name;
  setting.title = title;
  setting.options.world = {"classic", 1, {}};
  setting.options.view_distances = {2, 1};
  setting.options.kept_chunks = 64;
  return setting;
}

Event move(int at, double chunk_x, double chunk_y, double velocity_x = 0) {
  const Pose pose{.x = 16 * chunk_x + 8,
                  .y = 16 * chunk_y + 8,
                  .velocity_x = velocity_x,
                  .direction_x = velocity_x == 0 ? 0.0 : 1.0};
  return {Milliseconds(at), "move", to_text(pose)};
}

Event poll(int at) { return {Milliseconds(at), "poll", ""}; }
Event server(int at, const char* command) { return {Milliseconds(at), "server", command}; }
Event end(int at, const char* status) { return {Milliseconds(at), "end", status}; }
Event says(int at, const v1::ExploreResponse& response) {
  return {Milliseconds(at), "<", to_hex(response.SerializeAsString())};
}

void set(v1::Chunk& chunk, const Tile& tile) {
  chunk.set_lod(tile.lod);
  chunk.mutable_coord()->set_x(tile.coord.x);
  chunk.mutable_coord()->set_y(tile.coord.y);
  chunk.set_encoded("chunk");
}

v1::ExploreResponse welcome() {
  v1::ExploreResponse response;
  response.mutable_welcome()->set_fingerprint(7);
  response.mutable_welcome()->set_chunk_size(16);
  response.mutable_welcome()->set_format(2);
  response.mutable_welcome()->set_heartbeat_ms(5000);
  return response;
}

v1::ExploreResponse batch(std::uint64_t number, const Tile& tile) {
  v1::ExploreResponse response;
  response.set_batch(number);
  set(*response.add_chunks(), tile);
  return response;
}

Conversation walk() {
  Inputs inputs{move(0, 0, 0), poll(100)};
  for (int step = 1; step <= 6; ++step) {
    inputs.push_back(move(100 + 50 * step, step, 0, 320));
    inputs.push_back(poll(140 + 50 * step));
  }
  inputs.push_back(move(600, 3, 0, -320));
  inputs.push_back(poll(700));
  return converse(setting("walk",
                          "Hello, welcome, chunks and acks; a walk of six chunks, of which the "
                          "first leave range; and back to where some of them are still kept."),
                  inputs, Milliseconds(800));
}

Conversation jump() {
  return converse(setting("jump", "A jump while chunks are on their way, and another one back."),
                  {move(0, 0, 0), move(25, 1000, -1000), poll(200), move(300, 0, 0), poll(400)},
                  Milliseconds(500));
}

Conversation resume() {
  Setting checkers = setting("resume",
                             "The connection breaks; the viewer walks on meanwhile. The new stream "
                             "pins the world and is told what is at hand and in range.");
  return converse(checkers,
                  {move(0, 0, 0),
                   poll(200),
                   end(300, "14 the connection broke"),
                   {Milliseconds(300), "gone", ""},
                   move(320, 2, 1),
                   poll(330),
                   poll(600)},
                  Milliseconds(700));
}

Conversation go_away() {
  return converse(setting("go_away",
                          "The server is about to stop: the client comes back no sooner than it "
                          "was told, and says what it has."),
                  {move(0, 0, 0), poll(200), server(250, "goes_away 700"), poll(400), poll(1200)},
                  Milliseconds(1300));
}

Conversation world_changed() {
  return converse(setting("world_changed",
                          "The server is given another world of this name, then none; the stream "
                          "goes on with the old one."),
                  {move(0, 0, 0), poll(200), server(250, "changes_world 9"), poll(300),
                   server(350, "drops_world"), poll(400), move(450, 1, 0), poll(600)},
                  Milliseconds(700));
}

Conversation failures() {
  return converse(
      setting("failures",
              "A chunk cannot be had: the game is told, and it is tried again only once it has "
              "been out of range."),
      {server(10, "fails 0/1,0"), move(0, 0, 0), poll(200), server(250, "mends"), move(300, 0, 1),
       poll(400), move(450, 100, 0), move(500, 0, 0), poll(700)},
      Milliseconds(800));
}

Conversation slow_game() {
  Setting slow = setting("slow_game",
                         "A game that does not poll: acks are held back, and after half a minute "
                         "the server ends the stream and says why. The client comes back.");
  slow.options.max_waiting = 4;
  return converse(slow, {move(0, 0, 0), poll(31'000), poll(31'500)}, Milliseconds(31'600));
}

Conversation heartbeat() {
  return converse(setting("heartbeat", "Nothing to say for eleven seconds but signs of life."),
                  {move(0, 0, 0), poll(200)}, Milliseconds(11'000));
}

Conversation silence() {
  Setting quiet = setting("silence",
                          "A server that is silent for three heartbeats counts as lost: the client "
                          "opens another stream.");
  quiet.server_replays = false;
  return converse(
      quiet,
      {move(0, 0, 0), says(20, welcome()), says(30, batch(1, {0, {0, 0}})), poll(40), poll(15'040)},
      Milliseconds(15'200));
}

Conversation forget() {
  Setting scripted = setting("forget",
                             "A client that drops chunks says so, and is sent those in view again. "
                             "The SDK keeps what it has: here a script speaks for the client.");
  scripted.client_replays = false;
  const explore::TileBlock row{0, -1, 0, 3, 1, {}};
  v1::ExploreRequest request;
  v1::TileBlock& block = *request.mutable_forget()->add_tiles();
  block.set_x(row.x);
  block.set_width(row.width);
  const auto send = [](int at, const std::string& bytes) {
    return Event{Milliseconds(at), ">", to_hex(bytes)};
  };
  Inputs inputs{{Milliseconds(0), "open", ""},
                send(0, client::write_hello(scripted.options,
                                            {.format = 2, .move = {1, {.x = 8, .y = 8}, {}}}))};
  for (int at = 25; at < 100; at += 5) inputs.push_back(send(at, client::write_ack(1, 0)));
  inputs.push_back(send(200, request.SerializeAsString()));
  return converse(scripted, inputs, Milliseconds(300));
}

/// The server says something that no server says after its welcome and one chunk.
Conversation refused(const char* name, const char* title, const v1::ExploreResponse& bad) {
  Setting hostile = setting(name, title);
  hostile.server_replays = false;
  return converse(hostile,
                  {move(0, 0, 0), says(20, welcome()), says(30, batch(1, {0, {0, 0}})), poll(35),
                   says(40, bad), poll(50), move(60, 1, 1), poll(5000)},
                  Milliseconds(5000));
}

void add_refusals(std::vector<Conversation>& all) {
  all.push_back(refused("refused_second_welcome", "A server that welcomes twice.", welcome()));
  all.push_back(
      refused("refused_batch", "A batch whose number does not grow.", batch(1, {0, {1, 0}})));
  all.push_back(refused("refused_level", "A chunk of a level that the viewer does not see.",
                        batch(2, {3, {0, 0}})));
  all.push_back(refused("refused_place", "A chunk outside of the world.",
                        batch(2, {0, {(std::int64_t{1} << 40) + 1, 0}})));
  v1::ExploreResponse bad;
  bad.add_out_of_range()->set_width(65);
  all.push_back(refused("refused_block", "A block of tiles that is too wide.", bad));
  bad.clear_out_of_range();
  bad.add_out_of_range()->set_width(3);
  bad.mutable_out_of_range(0)->set_bits("\x0f");
  all.push_back(refused("refused_bits", "A bit is set where a block has no tile.", bad));

  Setting early = setting("refused_no_welcome", "A server that says something before its welcome.");
  early.server_replays = false;
  all.push_back(converse(early, {move(0, 0, 0), says(20, batch(1, {0, {0, 0}})), poll(30)},
                         Milliseconds(40)));
  Setting garbage = setting("refused_bytes", "Bytes that are no message.");
  garbage.server_replays = false;
  all.push_back(converse(garbage, {move(0, 0, 0), {Milliseconds(20), "<", "0aff01"}, poll(30)},
                         Milliseconds(40)));
  Setting other = setting("refused_world",
                          "After a break the server has another world: the client ends, for a new "
                          "Explorer must be made.");
  other.server_replays = false;
  v1::ExploreResponse new_world = welcome();
  new_world.mutable_welcome()->set_fingerprint(8);
  all.push_back(converse(other,
                         {move(0, 0, 0), says(20, welcome()), end(30, "14 the connection broke"),
                          poll(40), says(200, new_world), poll(210)},
                         Milliseconds(220)));
}

}  // namespace

std::vector<Conversation> all_conversations() {
  std::vector<Conversation> all{walk(),     jump(),      resume(),    go_away(), world_changed(),
                                failures(), slow_game(), heartbeat(), silence(), forget()};
  add_refusals(all);
  return all;
}

}  // namespace terrane::golden
