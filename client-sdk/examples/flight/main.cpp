// Flight: a world to fly over and to walk in, made in this process by terrane_core, or streamed by
// a server, which knows a client by TERRANE_TOKEN.
//
//   terrane worlds continents --save continents.world     (once, where there is a server)
//   flight continents.world --seed 385 --at 8112,224
//   flight ws://127.0.0.1:4151 --world continents --seed 385
//
// Mouse: look. WASD: move, space up, C down, shift faster. F: walk or fly. T: time passes.
// Esc: end.
#include <SDL.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

#include "check.h"
#include "land.h"
#include "player.h"
#include "report.h"
#include "scene.h"

namespace flight {
namespace {

constexpr double kBudgetMs = 1.25;    // a frame, for what has come
constexpr double kCheckBudgetMs = 8;  // the same, for a check of what is drawn and not how smoothly
constexpr int kPatience = 20'000;     // frames without anything new, of a millisecond each
constexpr double kDegree = 0.017453292519943295;

struct Options {
  std::string source, world = "continents", shots, script;
  std::uint64_t seed = 7;
  double at[5] = {0, 0, 60, 0, -6};  // x, y, blocks above the ground; heading, pitch in degrees
  double hour = 10;
  int width = 1280, height = 720, frames = 600, every = 60, radius = 8;
  bool checks = false, judged = false, unseen = false;
};

constexpr const char* kUsage =
    "usage: flight WORLD_FILE|ws://HOST:PORT [--judged] [--world NAME] [--seed N]\n"
    "  [--at X,Y[,HEIGHT[,HEADING[,PITCH]]]] [--size WxH] [--hour 0-24] [--near CHUNKS]\n"
    "  [--script tour|walk|still [--frames N] [--check | --unseen] [--shots DIRECTORY [--every "
    "FRAMES]]]\n";

Options parse(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string name = argv[k];
    if (name == "--check") {
      options.checks = true;
    } else if (name == "--judged") {
      options.judged = true;
    } else if (name == "--unseen") {
      options.unseen = true;
    } else if (!name.starts_with("--")) {
      options.source = name;
    } else {
      if (++k == argc) throw std::invalid_argument(kUsage);
      const char* value = argv[k];
      if (name == "--world")
        options.world = value;
      else if (name == "--seed")
        options.seed = std::strtoull(value, nullptr, 10);
      else if (name == "--at")
        std::sscanf(value, "%lf,%lf,%lf,%lf,%lf", &options.at[0], &options.at[1], &options.at[2],
                    &options.at[3], &options.at[4]);
      else if (name == "--size")
        std::sscanf(value, "%dx%d", &options.width, &options.height);
      else if (name == "--hour")
        options.hour = std::atof(value);
      else if (name == "--near")
        options.radius = std::atoi(value);
      else if (name == "--script")
        options.script = value;
      else if (name == "--frames")
        options.frames = std::atoi(value);
      else if (name == "--shots")
        options.shots = value;
      else if (name == "--every")
        options.every = std::atoi(value);
      else
        throw std::invalid_argument(kUsage);
    }
  }
  if (options.source.empty()) throw std::invalid_argument(kUsage);
  return options;
}

/// The window and its context.
class Window {
 public:
  explicit Window(const Options& options) {
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    require(SDL_Init(SDL_INIT_VIDEO) == 0);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    SDL_GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, options.checks ? 0 : 1);
    SDL_GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, options.checks ? 0 : 4);
    window_ =
        SDL_CreateWindow("flight", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, options.width,
                         options.height, SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
    require(window_ != nullptr);
    context_ = SDL_GL_CreateContext(window_);
    require(context_ != nullptr);
    SDL_GL_SetSwapInterval(options.script.empty() ? 1 : 0);
    if (options.script.empty()) SDL_SetRelativeMouseMode(SDL_TRUE);
  }
  ~Window() { SDL_Quit(); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  [[nodiscard]] SDL_Window* get() const { return window_; }

 private:
  static void require(bool done) {
    if (!done) throw std::runtime_error(SDL_GetError());
  }
  SDL_Window* window_ = nullptr;
  SDL_GLContext context_ = nullptr;
};

/// The game: all that lasts from frame to frame.
class Game {
 public:
  explicit Game(const Options& options)
      : options_(options),
        window_(options),
        land_(options.source, options.judged, options.world, options.seed, options.radius),
        ground_(land_.world(), land_.info()),
        things_(land_.world(), land_.info()),
        report_(static_cast<std::size_t>(options.frames)) {
    player_.x = options.at[0];
    player_.y = options.at[1];
    player_.heading = options.at[3] * kDegree;
    player_.pitch = options.at[4] * kDegree;
    light_.hour = options.hour;
    light_.sight = land_.sight();
    light_.near_sight =
        (static_cast<float>(options.radius) - 0.25f) * static_cast<float>(land_.info().chunk_size);
  }

  int run() {
    settle();
    auto last = std::chrono::steady_clock::now();
    const auto begin = last;
    for (int frame = 0; runs_ && (options_.script.empty() || frame < options_.frames); ++frame) {
      const auto now = std::chrono::steady_clock::now();
      const double passed = std::chrono::duration<double>(now - last).count();
      const double seconds = std::min(passed, 0.25);
      last = now;
      light_.seconds += seconds;
      move(seconds);
      // where frames are slow, a larger part of them: as much of a second
      const double most = options_.checks ? kCheckBudgetMs : kBudgetMs;
      const double budget_ms = std::max(most, most * 60 * seconds);
      const FrameCost cost = land_.frame(player_.pose(), ground_, things_, budget_ms);
      if (options_.unseen) {  // as a graphics card would: the processor is the library's
        std::this_thread::sleep_until(now + std::chrono::microseconds(16'667));
      } else {
        draw(frame, cost.is_all);
        SDL_GL_SwapWindow(window_.get());
      }
      if (!options_.script.empty())
        report_.add(cost, 1000 * passed);
      else if (frame % 30 == 0)
        show_title(seconds);
    }
    if (options_.script.empty()) return 0;
    report_.tell(std::chrono::duration<double>(last - begin).count(),
                 terrane_land_count(land_.chunks()));
    return !options_.checks || check_.tell() ? 0 : 1;
  }

 private:
  /// Waits for the ground under the player; for a still picture, for all that is in sight.
  void settle() {
    const int quiet = options_.script == "still" ? 500 : 0;  // frames without anything new
    for (int k = 0; k <= quiet || land_.ground(player_.x, player_.y).known == 0; ++k) {
      if (k > kPatience) throw std::runtime_error("there is no land here");
      if (land_.frame(player_.pose(), ground_, things_, kBudgetMs).meshes > 0) k = 0;
      SDL_Delay(1);
    }
    const terrane_ground ground = land_.ground(player_.x, player_.y);
    player_.z = std::max(ground.height, ground.water) + options_.at[2];
  }

  void move(double seconds) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
      if (event.type == SDL_QUIT) runs_ = false;
      if (event.type == SDL_MOUSEMOTION && options_.script.empty()) {
        player_.heading += event.motion.xrel * 0.0025;
        player_.pitch = std::clamp(player_.pitch - event.motion.yrel * 0.0025, -1.5, 1.5);
      }
      if (event.type != SDL_KEYDOWN) continue;
      if (event.key.keysym.sym == SDLK_ESCAPE) runs_ = false;
      if (event.key.keysym.sym == SDLK_f && event.key.repeat == 0) player_.walks = !player_.walks;
    }
    if (options_.script == "tour") player_.tour(light_.seconds, seconds, land_);
    if (options_.script == "walk") {
      player_.walks = true;
      player_.step({.forward = 1}, seconds, land_);
    }
    if (!options_.script.empty()) return;
    const Uint8* keys = SDL_GetKeyboardState(nullptr);
    const auto axis = [keys](int more, int less) { return double{keys[more] * 1.0 - keys[less]}; };
    player_.step({axis(SDL_SCANCODE_W, SDL_SCANCODE_S), axis(SDL_SCANCODE_D, SDL_SCANCODE_A),
                  axis(SDL_SCANCODE_SPACE, SDL_SCANCODE_C), keys[SDL_SCANCODE_LSHIFT] != 0},
                 seconds, land_);
    if (keys[SDL_SCANCODE_T] != 0) light_.hour = std::fmod(light_.hour + seconds, 24);
  }

  void draw(int frame, bool is_all) {
    int width = 0, height = 0;
    SDL_GL_GetDrawableSize(window_.get(), &width, &height);
    const View view({player_.x, player_.y, player_.z}, player_.heading, player_.pitch,
                    static_cast<float>(width) / static_cast<float>(height),
                    player_.walks ? 0.4f : 1.5f);
    if (options_.checks) {
      scene_.draw_plain(view, ground_);
      if (light_.seconds > 1 && frame % 10 == 0)
        check_.look(view, land_.chunks(), is_all, width, height);
    } else {
      scene_.draw(view, light_, ground_, things_, land_.ground(player_.x, player_.y).height, width,
                  height);
    }
    if (options_.shots.empty() || (frame + 1) % options_.every != 0) return;
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "/%05d.png", frame + 1);
    save_picture(options_.shots + name.data(), width, height);
  }

  void show_title(double seconds) {
    const terrane_ground ground = land_.ground(player_.x, player_.y);
    terrane_kind_info biome{};
    biome.struct_size = sizeof biome;
    terrane_world_biome(land_.world(), ground.biome, &biome);
    std::array<char, 160> title{};
    std::snprintf(title.data(), title.size(), "%.0f, %.0f, %.0f up: %s - %zu chunks, %.0f frames/s",
                  player_.x, player_.y, player_.z, biome.name != nullptr ? biome.name : "",
                  terrane_land_count(land_.chunks()), 1 / std::max(seconds, 1e-3));
    SDL_SetWindowTitle(window_.get(), title.data());
  }

  const Options options_;
  Window window_;
  Land land_;
  Ground ground_;
  Things things_;
  Scene scene_;
  Player player_;
  Light light_;
  Check check_;
  Report report_;
  bool runs_ = true;
};

}  // namespace
}  // namespace flight

int main(int argc, char** argv) {
  try {
    return flight::Game(flight::parse(argc, argv)).run();
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "flight: %s\n", error.what());
    return 1;
  }
}
