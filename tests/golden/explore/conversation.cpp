#include "golden/explore/conversation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "terrane/v1/explore.pb.h"

namespace terrane::golden {
namespace {

std::string number(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string header(const Setting& setting) {
  std::ostringstream out;
  out << "# " << setting.title << "\n";
  out << "world " << setting.options.world.name << "\nseed " << setting.options.world.seed << "\n";
  out << "view_distances";
  for (const int distance : setting.options.view_distances) out << " " << distance;
  out << "\nkept_chunks " << setting.options.kept_chunks << "\nmax_waiting "
      << setting.options.max_waiting << "\ndecode_ns " << setting.took.count() << "\ndelay_ms "
      << setting.delay.count() << "\nreplays" << (setting.client_replays ? " client" : "")
      << (setting.server_replays ? " server" : "") << "\n\n";
  return out.str();
}

template <typename Message>
std::string fields(const char* name, const std::string& hex) {
  Message message;
  if (!message.ParseFromString(from_hex(hex))) return std::string("# no ") + name + "\n";
  const std::string text = message.ShortDebugString();
  return std::string("# ") + name + (text.empty() ? " without a field" : ": " + text) + "\n";
}

void read_setting(const std::string& key, std::istringstream& value, Setting& setting) {
  ExploreOptions& options = setting.options;
  std::int64_t count = 0;
  if (key == "world") value >> options.world.name;
  if (key == "seed") value >> options.world.seed;
  if (key == "kept_chunks") value >> options.kept_chunks;
  if (key == "max_waiting") value >> options.max_waiting;
  if (key == "decode_ns" && value >> count) setting.took = std::chrono::nanoseconds(count);
  if (key == "delay_ms" && value >> count) setting.delay = Milliseconds(count);
  if (key == "view_distances") {
    options.view_distances.clear();
    for (int distance = 0; value >> distance;) options.view_distances.push_back(distance);
  }
  if (key == "replays") {
    setting.client_replays = setting.server_replays = false;
    for (std::string side; value >> side;) {
      (side == "client" ? setting.client_replays : setting.server_replays) = true;
    }
  }
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kDigits[value >> 4];
    hex += kDigits[value & 15];
  }
  return hex;
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

std::string to_text(const Tile& tile) {
  std::ostringstream out;
  out << static_cast<int>(tile.lod) << "/" << tile.coord.x << "," << tile.coord.y;
  return out.str();
}

Tile to_tile(std::string_view text) {
  std::istringstream in{std::string(text)};
  int lod = 0;
  char separator = 0;
  Tile tile;
  in >> lod >> separator >> tile.coord.x >> separator >> tile.coord.y;
  tile.lod = static_cast<Lod>(lod);
  return tile;
}

std::string to_text(const Pose& pose) {
  std::string text = number(pose.x);
  for (const double value :
       {pose.y, pose.velocity_x, pose.velocity_y, pose.direction_x, pose.direction_y})
    text.append(" ").append(number(value));
  return text;
}

Pose to_pose(const std::string& text) {
  std::istringstream in(text);
  Pose pose;
  in >> pose.x >> pose.y >> pose.velocity_x >> pose.velocity_y >> pose.direction_x >>
      pose.direction_y;
  return pose;
}

std::string write(const Conversation& conversation) {
  std::string text = header(conversation.setting);
  for (const Event& event : conversation.events) {
    if (event.what == ">") text += fields<v1::ExploreRequest>("ExploreRequest", event.details);
    if (event.what == "<") text += fields<v1::ExploreResponse>("ExploreResponse", event.details);
    text += std::to_string(event.at.count()) + " " + event.what;
    if (!event.details.empty()) text += " " + event.details;
    text += "\n";
  }
  return text;
}

Conversation read(const std::string& text) {
  Conversation conversation;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first[0] < '0' || first[0] > '9') {
      read_setting(first, words, conversation.setting);
      continue;
    }
    Event event{Milliseconds(std::stoll(first)), {}, {}};
    words >> event.what >> std::ws;
    std::getline(words, event.details);
    conversation.events.push_back(std::move(event));
  }
  return conversation;
}

}  // namespace terrane::golden
