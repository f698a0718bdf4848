#include "land.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "ground.h"
#include "things.h"

namespace flight {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// Asks the library for something, and counts what that takes.
auto asked(FrameCost& cost, const auto& question) {
  const Clock::time_point start = Clock::now();
  const double before = processor_ms();
  const auto answer = question();
  cost.sdk_processor_ms += processor_ms() - before;
  cost.sdk_ms += ms_since(start);
  return answer;
}

void check(terrane_code code, const terrane_error& error) {
  if (code != TERRANE_OK) throw std::runtime_error(error.message);
}

auto is_tile(const terrane_tile& tile) {
  return [&tile](const terrane_tile& other) {
    return other.x == tile.x && other.y == tile.y && other.lod == tile.lod;
  };
}

using World = std::unique_ptr<terrane_world, Destroyer<terrane_world_close>>;

World read_world(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  if (bytes.empty()) throw std::runtime_error(file + ": cannot be read");
  terrane_error error{.struct_size = sizeof error, .code = 0, .message = ""};
  terrane_world* world = nullptr;
  check(terrane_world_open(TERRANE_ABI_VERSION, bytes.data(), bytes.size(), &world, &error), error);
  return World(world);
}

}  // namespace

Land::Land(const std::string& source, bool judged, const std::string& name, std::uint64_t seed,
           int radius) {
  const bool is_server = source.find("://") != std::string::npos;
  terrane_connection_options server{};
  server.struct_size = sizeof server;
  server.urls = source.c_str();
  server.token = std::getenv("TERRANE_TOKEN");
  terrane_error error{.struct_size = sizeof error, .code = 0, .message = ""};
  if (is_server) {
    terrane_world* world = nullptr;
    check(terrane_download_world(TERRANE_ABI_VERSION, &server, name.c_str(), &world, &error),
          error);
    world_.reset(world);
  } else {
    world_ = read_world(source);
  }
  info_.struct_size = sizeof info_;
  terrane_world_get_info(world_.get(), &info_);

  terrane_explore_options options{};
  options.struct_size = sizeof options;
  options.seed = seed;
  options.world = name.c_str();
  constexpr std::uint32_t kLevels = 4;
  const std::uint32_t levels = std::min(kLevels, info_.max_lod + 1);
  std::fill_n(options.view_distances, levels, std::uint8_t{8});
  options.view_distances[0] = static_cast<std::uint8_t>(radius);
  const std::uint32_t far = std::max(8u << (levels - 1), static_cast<std::uint32_t>(radius));
  sight_ = static_cast<float>(far * info_.chunk_size);
  terrane_mesh* mesh = nullptr;
  check(terrane_mesh_create(TERRANE_ABI_VERSION, &mesh, &error), error);
  mesh_.reset(mesh);
  terrane_explorer* explorer = nullptr;
  if (is_server && !judged) {
    check(terrane_explorer_create(TERRANE_ABI_VERSION, &options, &explorer, &error), error);
  } else {
    const auto create = is_server ? terrane_explorer_create_judged : terrane_explorer_create_local;
    check(create(TERRANE_ABI_VERSION, world_.get(), &options, &explorer, &error), error);
  }
  explorer_.reset(explorer);
  if (is_server) {
    terrane_connection* connection = nullptr;
    check(terrane_connection_open(TERRANE_ABI_VERSION, &server, explorer, &connection, &error),
          error);
    connection_.reset(connection);
    if (!judged) return;
  }
  const unsigned threads = std::max(2u, std::thread::hardware_concurrency()) - 1;
  for (unsigned k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
}

Land::~Land() {
  ends_ = true;
  ++moves_;
  moves_.notify_all();
  threads_.clear();
}

void Land::work() {
  terrane_lower_thread_priority();
  while (!ends_) {
    const std::uint32_t seen = moves_;  // before it looks: a move meanwhile wakes it at once
    while (!ends_ && terrane_explorer_work(explorer_.get()) != 0) {
    }
    if (!ends_) moves_.wait(seen);
  }
}

void Land::give_up() const {
  terrane_error error{.struct_size = sizeof error, .code = 0, .message = ""};
  terrane_explorer_get_error(explorer_.get(), &error);
  throw std::runtime_error(error.message);
}

/// So that nobody's house is full of earth, and dungeons can be looked into.
void Land::open_rooms(const terrane_chunk& chunk, FrameCost& cost) {
  terrane_chunk_info info{};
  info.struct_size = sizeof info;
  terrane_chunk_get_info(&chunk, &info);
  std::array<terrane_patch, 1024> holes{};
  for (std::size_t k = 0; k < info.room_count; ++k) {
    asked(cost, [&] {
      const std::size_t count =
          terrane_room_holes(world_.get(), &info.rooms[k], chunks(), holes.data(), holes.size());
      return terrane_land_patch(terrane_explorer_land(explorer_.get()), holes.data(),
                                std::min(count, holes.size()), nullptr);
    });
  }
}

FrameCost Land::frame(const terrane_pose& pose, Ground& ground, Things& things, double budget_ms) {
  FrameCost cost;
  const Clock::time_point begin = Clock::now();
  asked(cost, [&] {
    // outside of the world nothing comes, and what is there stays
    const terrane_code code =
        terrane_explorer_move(explorer_.get(), &pose, terrane_connection_now(), nullptr);
    if (connection_) terrane_connection_flush(connection_.get());
    return code;
  });
  ++moves_;
  moves_.notify_all();

  std::array<terrane_event, 4> events{};
  for (std::size_t count = events.size();
       count == events.size() && ms_since(begin) < budget_ms * 0.5;) {
    count = asked(
        cost, [&] { return terrane_explorer_poll(explorer_.get(), events.data(), events.size()); });
    for (std::size_t k = 0; k < count; ++k) {
      if (events[k].kind == TERRANE_STATE && events[k].state == TERRANE_ENDED) give_up();
      if (events[k].tile.lod != 0) continue;
      if (events[k].kind == TERRANE_ARRIVED) {
        things.put(events[k].tile, *events[k].chunk);
        open_rooms(*events[k].chunk, cost);
      }
      if (events[k].kind == TERRANE_OUT_OF_RANGE_NOW) things.remove(events[k].tile);
    }
  }
  std::array<terrane_change, 4> changes{};
  for (std::size_t count = changes.size();
       count == changes.size() && ms_since(begin) < budget_ms;) {
    count = asked(cost, [&] {
      return terrane_land_take_changes(terrane_explorer_land(explorer_.get()), changes.data(),
                                       changes.size());
    });
    cost.is_all = count < changes.size();
    for (std::size_t k = 0; k < count; ++k) {
      const terrane_tile& tile = changes[k].tile;
      if (changes[k].kind == TERRANE_HIDE) {
        ground.hide(tile);
        if (tile.lod > 0) things.remove(tile);
        std::erase_if(forests_, is_tile(tile));
        continue;
      }
      const terrane_code code =
          asked(cost, [&] { return terrane_land_mesh(chunks(), &tile, mesh_.get(), nullptr); });
      if (code != TERRANE_OK) continue;  // gone already: a later change tells
      terrane_mesh_info info{};
      info.struct_size = sizeof info;
      terrane_mesh_get_info(mesh_.get(), &info);
      ground.put(info);
      std::erase_if(forests_, is_tile(tile));
      if (tile.lod > 0) forests_.push_back(tile);
      ++cost.meshes;
    }
  }
  // ground comes first
  do {
    if (forests_.empty()) break;
    things.put_forest(chunks(), forests_.back());
    forests_.pop_back();
  } while (ms_since(begin) < budget_ms);
  return cost;
}

terrane_ground Land::ground(double x, double y) const {
  const double place[2] = {x, y};
  terrane_ground ground{};
  terrane_land_ground(chunks(), place, 1, &ground);
  return ground;
}

terrane_obstacle Land::obstacle(const terrane_body& body) const {
  terrane_obstacle obstacle{};
  std::uint32_t count = 0;
  terrane_land_obstacles(chunks(), world(), &body, 1, &obstacle, 1, &count);
  return obstacle;
}

}  // namespace flight
