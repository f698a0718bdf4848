#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "cli/commands.h"
#include "cli/explore/trip.h"
#include "cli/parse.h"
#include "cli/query/spawn_search.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFrame_s = 1.0 / 30;
// after a pause the walk goes on from where it was
constexpr double kLongestFrame_s = 0.25;
// what follows an escape within this belongs to it
constexpr std::chrono::milliseconds kEscapeWait{25};
constexpr double kWalkingSpeed = 30;  // blocks a second
constexpr int kMaxFrames = 100'000;

struct ExploreOptions {
  std::optional<BlockPos> at;
  int lod = 0;
  MapStyle style = MapStyle::kRelief;
  double speed = kWalkingSpeed;
  int frames = 0;  // 0: in the terminal
  std::string keys;
  ScreenSize size{80, 24};
};

Result<BlockPos> start(const ExploreOptions& options, const Session& session) {
  if (options.at) return *options.at;
  TERRANE_ASSIGN_OR_RETURN(const auto found, find_spawn({}, session));
  return found ? found->block : BlockPos{};
}

Result<ExploreControls> controls_for(const ExploreOptions& options, const Session& session) {
  const World& world = session.world;
  if (options.lod > world.max_lod) {
    return fail(ErrorCode::kOutOfRange, "world '" + world.name + "' has no level of detail " +
                                            std::to_string(options.lod) + ": --lod takes 0 to " +
                                            std::to_string(world.max_lod));
  }
  TERRANE_RETURN_IF_ERROR(layers_for(options.style, world));
  TERRANE_ASSIGN_OR_RETURN(const auto block, start(options, session));
  Walker walker(block, options.speed, world.chunk_size);
  if (!walker.jump(block))
    return fail(ErrorCode::kOutOfRange, "--at " + position(block) + " is outside of the world");
  ExploreControls controls{
      .walker = walker, .lod = static_cast<Lod>(options.lod), .style = options.style};
  controls.chance.seed(std::random_device()());
  return controls;
}

/// In a terminal, until a key ends it.
Result<void> walk(ExploreTrip& trip, Terminal& terminal, ColorDepth depth) {
  const std::chrono::duration<double> frame(kFrame_s);
  auto drawn = Clock::now(), heard = drawn;
  std::string typed;
  while (!trip.over()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(drawn + frame - Clock::now());
    TERRANE_ASSIGN_OR_RETURN(const auto bytes,
                             terminal.read(std::max(left, std::chrono::milliseconds(0))));
    const auto now = Clock::now();
    if (!bytes.empty()) heard = now;
    typed += bytes;
    std::string_view rest = typed;
    while (const auto key = take_key(rest, now - heard >= kEscapeWait)) trip.press(*key);
    typed.erase(0, typed.size() - rest.size());
    if (now < drawn + frame) continue;

    const double seconds =
        std::min(std::chrono::duration<double>(now - drawn).count(), kLongestFrame_s);
    drawn = now;
    const ScreenSize size = terminal.size();
    TERRANE_RETURN_IF_ERROR(trip.step(seconds, size.columns, size.rows));
    TERRANE_RETURN_IF_ERROR(terminal.show(trip.screen(), depth));
  }
  return {};
}

/// Without one: a key each frame, and the last frame as text once all of its land is there.
Result<void> rehearse(ExploreTrip& trip, const ExploreOptions& options,
                      const GlobalOptions& globals, ColorDepth depth) {
  const auto [columns, rows] = options.size;
  std::string_view keys = options.keys;
  for (int frame = 0; frame < options.frames && !trip.over(); ++frame) {
    if (const auto key = take_key(keys, true)) trip.press(*key);
    TERRANE_RETURN_IF_ERROR(trip.step(kFrame_s, columns, rows));
  }
  const auto deadline = Clock::now() + std::chrono::duration<double>(globals.timeout_s);
  while (!trip.complete()) {
    if (Clock::now() > deadline)
      return fail(ErrorCode::kDeadlineExceeded, "not all of the land has come");
    trip.wait(std::chrono::milliseconds(100));
    TERRANE_RETURN_IF_ERROR(trip.step(0, columns, rows));
  }
  std::cout << as_lines(trip.screen(), depth);
  return {};
}

Result<void> run(const GlobalOptions& globals, const ExploreOptions& options,
                 Interrupt& interrupt) {
  if (options.frames == 0) {
    if (const auto terminal = Terminal::check(STDIN_FILENO, STDOUT_FILENO); !terminal) {
      return fail(terminal.error().code,
                  terminal.error().message +
                      "; --frames 1 prints what it would show, terrane map draws it");
    }
  }
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_ASSIGN_OR_RETURN(auto controls, controls_for(options, session));
  const ColorDepth depth = color_depth(std::getenv("COLORTERM"));
  ExploreTrip trip(session, std::move(controls), depth);
  if (options.frames > 0) return rehearse(trip, options, globals, depth);
  Terminal terminal(STDIN_FILENO, STDOUT_FILENO, interrupt);
  return walk(trip, terminal, depth);
}

}  // namespace

void add_explore(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<ExploreOptions>();
  FlagSet command = line.add_command("explore", "Walks the world in the terminal");
  command.add_parsed("--at", options->at, parse_block_pos, "Block to start at")
      .type_name("X,Y")
      .shows_default("where spawn finds a place");
  command.add("--lod", options->lod, "Level of detail: a pixel every 2^lod blocks")
      .within(0, static_cast<int>(kMaxLod))
      .shows_default();
  command
      .add_parsed("--layer", options->style, parse_map_style,
                  "relief, biome, height, temperature, humidity, water, forest or rocks")
      .type_name("LAYER")
      .shows_default("relief");
  command
      .add("--speed", options->speed,
           "Of walking, in blocks a second; running is 10, flying 100 times as fast")
      .within_numbers(1, 10'000)
      .shows_default();
  const Flag frames =
      command
          .add("--frames", options->frames,
               "Without a terminal: passes so many frames of 1/30 s, and prints the last one")
          .within(1, kMaxFrames);
  command.add("--keys", options->keys, "Keys to press in these frames, one in each").needs(frames);
  command
      .add_parsed("--size", options->size, parse_screen_size,
                  "Of the frame that is printed, in characters")
      .type_name("CxR")
      .shows_default("80x24")
      .needs(frames);
  std::string footer = "Keys\n";
  for (const KeyHelp& key : kExploreHelp) {
    footer.append("  ").append(pad_right(std::string(key.keys), 20)).append(key.what).append("\n");
  }
  command.footer(
      footer +
      "\n"
      "A tapped key walks for 0.7 s. One character shows two samples, one above the other, north\n"
      "up. What has not come yet is hatched. Terminals that can show all colours say so with\n"
      "COLORTERM=truecolor; others get 256.\n"
      "\n"
      "Examples: terrane --seed 6 explore --lod 3\n"
      "          terrane explore --at -2000,500 --frames 1 --size 120x40");
  command.runs([=, &globals, &interrupt] { return run(globals, *options, interrupt); });
}

}  // namespace terrane::cli
