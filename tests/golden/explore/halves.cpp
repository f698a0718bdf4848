#include "golden/explore/halves.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "status_code.h"

namespace terrane::golden {
namespace {

using Time = rpc::Viewer::Clock::time_point;

constexpr std::size_t kMaxRequestBytes = 262'144;

Time to_time(Milliseconds now) { return Time(std::chrono::hours(1)) + now; }

/// The bytes of a chunk: of no meaning here, and the same every time.
std::string chunk_bytes(const Tile& tile) { return "chunk " + to_text(tile); }

std::string list(const char* name, const std::vector<Tile>& tiles) {
  std::string text;
  for (const Tile& tile : tiles) text.append(text.empty() ? "" : ";").append(to_text(tile));
  return text.empty() ? text : std::string(" ") + name + "=" + text;
}

}  // namespace

ClientHalf::ClientHalf(const Setting& setting) : setting_(setting), client_(setting.options) {}

std::vector<Event> ClientHalf::take(const Event& input) {
  if (input.what == "<") return receive(input);
  if (input.what == "poll") return {news(input.at)};
  if (input.what == "move")
    static_cast<void>(client_.move(to_pose(input.details), to_time(input.at)));
  if (input.what == "end") {
    std::istringstream in(input.details);
    int code = 0;
    Error error;
    in >> code >> std::ws;
    std::getline(in, error.message);
    error.code = client::to_code(code);
    open_ = false;
    client_.end_stream(std::move(error), std::nullopt, to_time(input.at), 0);
  }
  return {};
}

std::vector<Event> ClientHalf::receive(const Event& input) {
  const Time now = to_time(input.at);
  const std::string bytes = from_hex(input.details);
  const auto chunks = client_.receive(bytes, now);
  if (!chunks) {
    open_ = false;
    return {{input.at, "refuse", std::to_string(static_cast<int>(chunks.error().code))}};
  }
  for (const auto& [tile, encoded, size] : *chunks)
    client_.arrive({tile, std::make_shared<const Chunk>(), nullptr}, setting_.took, now);
  client_.finish_message();
  return {};
}

std::vector<Event> ClientHalf::drive(Milliseconds at) {
  const Time now = to_time(at);
  std::vector<Event> events;
  if (client_.is_overdue(now)) {
    events.push_back({at, "lost", ""});
    open_ = false;
    client_.end_stream({ErrorCode::kUnavailable, "silent"}, std::nullopt, now, 0);
  }
  if (client_.is_stream_due(now)) {
    events.push_back({at, "open", ""});
    client_.open_stream();
    open_ = true;
  }
  while (open_) {
    const auto message = client_.next_message(now);
    if (!message) break;
    events.push_back({at, ">", to_hex(*message)});
  }
  return events;
}

Event ClientHalf::news(Milliseconds now) {
  const ExploreNews news = client_.take_news();
  std::vector<Tile> arrived, failed;
  for (const ArrivedChunk& chunk : news.arrived) arrived.push_back(chunk.tile);
  for (const FailedChunk& chunk : news.failed) failed.push_back(chunk.tile);
  std::string text = news.state == ExploreState::kStreaming    ? "streaming"
                     : news.state == ExploreState::kConnecting ? "connecting"
                                                               : "ended";
  text +=
      list("arrived", arrived) + list("failed", failed) + list("out_of_range", news.out_of_range);
  if (news.world_changed) text += " world_changed";
  if (news.error) text += " error=" + std::to_string(static_cast<int>(news.error->code));
  return {now, "news", text};
}

ServerHalf::ServerHalf(const Setting& setting, std::set<Tile> failing)
    : failing_(std::move(failing)) {
  auto world = std::make_shared<worldgen::World>();
  world->name = setting.options.world.name;
  world->fingerprint = 7;
  world->chunk_size = 16;
  world->max_lod = 4;
  worlds_.emplace(world->name, world);
}

void ServerHalf::receive(const std::string& bytes, Milliseconds at) {
  if (ending_) return;
  v1::ExploreRequest request;
  if (!request.ParseFromString(bytes)) return end({ErrorCode::kInvalidArgument, "no request"});
  const auto done = on_request(request, to_time(at));
  if (!done) end(done.error());
}

Result<void> ServerHalf::on_request(const v1::ExploreRequest& request, Time now) {
  if (request.has_hello()) {
    auto query = rpc::check(request.hello(), worlds_);
    if (!query) return tl::unexpected(query.error());
    query_ = *std::move(query);
    viewer_.emplace(*query_, pace_, kMaxRequestBytes, 1, now);
    return on_move(request.hello().move(), now);
  }
  if (!viewer_) return fail(ErrorCode::kInvalidArgument, "no hello");
  if (request.has_move()) return on_move(request.move(), now);
  if (request.has_ack()) return viewer_->acknowledge(request.ack(), now);
  return take(rpc::TileList(rpc::TileList::Kind::kForget, request.forget().tiles()));
}

Result<void> ServerHalf::take(rpc::TileList list) {
  while (!list.is_done()) {
    if (const auto stops = viewer_->take_slice(list); !stops) return tl::unexpected(stops.error());
  }
  return {};
}

Result<void> ServerHalf::on_move(const v1::Move& move, Time now) {
  const auto pose = rpc::check(move, *query_->world);
  if (!pose) return tl::unexpected(pose.error());
  static_cast<void>(viewer_->move(*pose, move.number(), now));
  return take(rpc::TileList(rpc::TileList::Kind::kHave, move.have()));
}

void ServerHalf::take(const std::string& command) {
  std::istringstream in(command);
  std::string verb, value;
  in >> verb >> value;
  if (verb == "fails") failing_.insert(to_tile(value));
  if (verb == "mends") failing_.clear();
  if (verb == "changes_world") viewer_->change_world(std::stoull(value));
  if (verb == "drops_world") viewer_->change_world(std::nullopt);
  if (verb == "goes_away") {
    end({ErrorCode::kUnavailable, "the server is draining"});
    viewer_->go_away(Milliseconds(std::stoll(value)));
  }
}

void ServerHalf::end(const Error& error) {
  if (ending_) return;
  ending_ = error;
  if (viewer_) static_cast<void>(viewer_->stop_all());
}

void ServerHalf::answer_asks(Time now) {
  for (auto asks = viewer_->asks(now); !asks.empty(); asks = viewer_->asks(now)) {
    for (const rpc::Viewer::Ask& ask : asks) {
      Result<codec::EncodedChunk> chunk =
          std::make_shared<const std::string>(chunk_bytes(ask.tile));
      if (failing_.contains(ask.tile)) chunk = fail(ErrorCode::kInternal, "no luck");
      viewer_->answer(ask.id, std::move(chunk), now);
    }
  }
}

std::vector<Event> ServerHalf::drive(Milliseconds at) {
  std::vector<Event> events;
  if (ended_) return events;
  const Time now = to_time(at);
  if (viewer_ && !ending_) {
    if (const auto acknowledged = viewer_->check_acknowledged(now); !acknowledged) {
      end(acknowledged.error());
    } else {
      answer_asks(now);
    }
  }
  const bool may_write = viewer_ && (!ending_ || ending_->code == ErrorCode::kUnavailable);
  while (may_write && viewer_->worth_a_write(now)) {
    events.push_back({at, "<", to_hex(viewer_->take_batch(now).wire)});
    if (!ending_) answer_asks(now);
  }
  if (ending_) {
    ended_ = true;
    events.push_back(
        {at, "end", std::to_string(static_cast<int>(ending_->code)) + " " + ending_->message});
  }
  return events;
}

namespace {

/// Takes out what is due.
std::vector<Event> take_due(std::vector<Event>& events, Milliseconds now) {
  const auto due = std::stable_partition(events.begin(), events.end(),
                                         [now](const Event& event) { return event.at <= now; });
  std::vector<Event> taken(std::make_move_iterator(events.begin()), std::make_move_iterator(due));
  events.erase(events.begin(), due);
  return taken;
}

/// The server from stream to stream.
struct Server {
  std::optional<ServerHalf> half;
  std::set<Tile> failing;
};

/// What the server is told, by the client and by the conversation.
void tell_server(Server& server, const Setting& setting, const Event& event) {
  std::istringstream command(event.details);
  std::string verb, tile;
  if (event.what == "server") command >> verb >> tile;
  if (verb == "fails") server.failing.insert(to_tile(tile));
  if (verb == "mends") server.failing.clear();
  if (event.what == "open") server.half.emplace(setting, server.failing);
  if (event.what == "refuse" || event.what == "lost" || event.what == "gone") server.half.reset();
  if (server.half && event.what == ">") server.half->receive(from_hex(event.details), event.at);
  if (server.half && event.what == "server") server.half->take(event.details);
}

bool is_for_server(const Event& event) {
  return event.what == "open" || event.what == "refuse" || event.what == "lost" ||
         event.what == ">";
}

}  // namespace

Conversation converse(const Setting& setting, std::vector<Event> inputs, Milliseconds until) {
  Conversation conversation{setting, {}};
  std::vector<Event> to_client, to_server;
  for (Event& input : inputs) {
    const bool is_server = input.what == "server" || input.what == "gone";
    (is_server ? to_server : to_client).push_back(std::move(input));
  }
  ClientHalf client(setting);
  Server server;
  const auto note = [&](const std::vector<Event>& events) {
    for (const Event& event : events) {
      conversation.events.push_back(event);
      if (is_for_server(event) && setting.server_replays)
        to_server.push_back({event.at + setting.delay, event.what, event.details});
    }
  };
  for (Milliseconds now{0}; now <= until; ++now) {
    for (const Event& event : take_due(to_server, now)) {
      if (!is_for_server(event)) conversation.events.push_back(event);
      tell_server(server, setting, event);
    }
    if (server.half) {
      for (Event& event : server.half->drive(now)) {
        event.at += setting.delay;
        to_client.push_back(std::move(event));
      }
    }
    for (const Event& event : take_due(to_client, now)) {
      conversation.events.push_back(event);
      if (!setting.client_replays) {  // the script speaks for the client
        if (is_for_server(event))
          to_server.push_back({event.at + setting.delay, event.what, event.details});
        continue;
      }
      note(client.take(event));
      note(client.drive(now));
    }
    if (setting.client_replays) note(client.drive(now));
  }
  return conversation;
}

std::vector<Event> replay_server(const Conversation& conversation) {
  const Setting& setting = conversation.setting;
  std::vector<Event> to_server, said;
  for (const Event& event : conversation.events) {
    if (event.what == "server" || event.what == "gone") to_server.push_back(event);
    if (is_for_server(event))
      to_server.push_back({event.at + setting.delay, event.what, event.details});
  }
  Server server;
  const Milliseconds until = conversation.events.back().at;
  for (Milliseconds now{0}; now + setting.delay <= until; ++now) {
    for (const Event& event : take_due(to_server, now)) tell_server(server, setting, event);
    if (!server.half) continue;
    for (Event& event : server.half->drive(now)) {
      event.at += setting.delay;
      said.push_back(std::move(event));
    }
  }
  return said;
}

}  // namespace terrane::golden
