#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.h"
#include "cli/find/portrait.h"
#include "cli/find/search.h"
#include "cli/parse.h"
#include "cli/query/locate_names.h"
#include "cli/terminal/text.h"
#include "cli/whole_file.h"
#include "terrane/result_macros.h"
#include "worldgen/compiled_world.h"
#include "worldgen/float_environment.h"

namespace terrane::cli {
namespace {

constexpr const char* kClearLine = "\r\x1b[K";

struct FindOptions {
  std::vector<std::string> wishes;
  BlockPos place;
  std::uint64_t first = 1;
  std::int64_t count = 100'000;
  int wanted = 10;
  int threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 256u));
  std::string pictures;  // a directory; empty: none
  bool json = false;
};

/// "river 84 blocks north-east", "land over 60 %", "4 biomes", "no sea".
std::string evidence_text(const Wish& wish, const Evidence& evidence, BlockPos place) {
  if (wish.absent) return wish.text;
  if (wish.kind == Wish::Kind::kBiomes)
    return counted(static_cast<std::size_t>(evidence.biomes), "biome");
  std::string what = wish.text.substr(0, wish.text.find(" within"));
  if (wish.percent > 0) return what + " (" + std::to_string(evidence.percent) + " %)";
  if (!evidence.block) return what;
  const std::string way = direction(place, *evidence.block);
  if (*evidence.block == place) return what + " " + way;
  const double x = static_cast<double>(evidence.block->x - place.x),
               y = static_cast<double>(evidence.block->y - place.y);
  return what + " " +
         counted(static_cast<std::size_t>(std::lround(std::sqrt(x * x + y * y))), "block") + " " +
         way;
}

void print(const Judge& judge, const FoundSeed& found, const FindOptions& options,
           const std::string& picture) {
  if (!options.json) {
    std::cout << found.seed << " ";
    for (std::size_t i = 0; i < found.evidence.size(); ++i) {
      std::cout << (i > 0 ? ", " : " ")
                << evidence_text(judge.wishes()[i], found.evidence[i], options.place);
    }
    std::cout << (picture.empty() ? "" : "  " + picture) << std::endl;
    return;
  }
  std::cout << "{\"seed\":\"" << found.seed << "\",\"wishes\":[";
  for (std::size_t i = 0; i < found.evidence.size(); ++i) {
    const Wish& wish = judge.wishes()[i];
    const Evidence& evidence = found.evidence[i];
    std::cout << (i > 0 ? "," : "") << "{\"wish\":" << json_string(wish.text);
    if (evidence.block)
      std::cout << ",\"x\":" << evidence.block->x << ",\"y\":" << evidence.block->y;
    if (wish.percent > 0) std::cout << ",\"percent\":" << evidence.percent;
    if (wish.kind == Wish::Kind::kBiomes) std::cout << ",\"biomes\":" << evidence.biomes;
    std::cout << '}';
  }
  std::cout << ']';
  if (!picture.empty()) std::cout << ",\"picture\":" << json_string(picture);
  std::cout << '}' << std::endl;
}

/// Says how far the search is, and in the end how to go on.
class Report {
 public:
  explicit Report(std::uint64_t first)
      : first_(first), next_(first), bar_(isatty(STDERR_FILENO) == 1) {}

  void at(std::uint64_t next) {
    next_ = next;
    is_last_ = next == 0;
    if (bar_) std::cerr << kClearLine << text() << std::flush;
  }
  void clear() const {
    if (bar_) std::cerr << kClearLine << std::flush;
  }
  void say_how_to_go_on() const {
    clear();
    std::cerr << "terrane: " << text();
    if (!is_last_) {
      std::cerr << "; the same command with --from " << next_ << " goes on from here\n";
    } else {
      std::cerr << "; there are none beyond\n";
    }
  }

 private:
  [[nodiscard]] std::string text() const {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
    const auto seeds = static_cast<double>(next_ - first_);
    return "looked at " + counted(next_ - first_, "seed") + ", " +
           rounded(time.count() > 0 ? seeds / time.count() : 0, 0) + " a second";
  }

  const std::uint64_t first_;
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> is_last_ = false;  // there is no next one
  const bool bar_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Makes the directory of pictures.
Result<void> check(const FindOptions& options) {
  if (options.pictures.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(options.pictures, error);
  if (!error) return {};
  return fail(ErrorCode::kInvalidArgument,
              "--pictures " + options.pictures + ": " + error.message());
}

/// The generator's own form of a session's world.
Result<worldgen::World> compiled(const Session& session) {
  TERRANE_ASSIGN_OR_RETURN(const auto bytes, session.client.compiled_world(session.world.name));
  return worldgen::load_compiled_world(bytes).map_error([](const Error& error) {
    return Error{ErrorCode::kFailedPrecondition,
                 "this program can't make the server's world; is it of another release? (" +
                     error.message + ")"};
  });
}

/// Whether wishes can be looked for in a world, and around the place.
Result<void> check(const FindOptions& options, const std::vector<Wish>& wishes,
                   const worldgen::World& world) {
  const std::int64_t most =
      max_block_coord(world.chunk_size) - kFarthestWish - kHarbourOpening - 1024;
  for (const std::int64_t axis : {options.place.x, options.place.y}) {
    if (axis >= -most && axis <= most) continue;
    return fail(ErrorCode::kInvalidArgument, "--near " + position(options.place) +
                                                 " is too near to the world's edge, or beyond");
  }
  for (const Wish& wish : wishes) {
    const auto wanted = wish.kind == Wish::Kind::kRiver  ? worldgen::FreshWater::kRiver
                        : wish.kind == Wish::Kind::kLake ? worldgen::FreshWater::kLake
                                                         : worldgen::FreshWater::kNone;
    if (std::any_of(world.biomes.begin(), world.biomes.end(),
                    [&](const worldgen::Biome& row) { return row.water == wanted; }))
      continue;
    if (wanted == worldgen::FreshWater::kNone) continue;
    return fail(ErrorCode::kInvalidArgument,
                "wish '" + wish.text +
                    "': no biome of this world is for such water, so it can't be told from other");
  }
  return {};
}

Result<Judge> make_judge(const worldgen::World& world, const Session& session,
                         const FindOptions& options) {
  std::vector<Wish> wishes;
  for (const std::string& text : options.wishes) {
    TERRANE_ASSIGN_OR_RETURN(wishes.emplace_back(), parse_wish(text, session.world));
  }
  TERRANE_RETURN_IF_ERROR(check(options, wishes, world));
  return Judge(world, session.world, std::move(wishes), options.place);
}

/// Draws a seed's picture, if there are to be some. @return the file, or nothing
Result<std::string> draw(const worldgen::World& world, const Session& session, const Judge& judge,
                         const FoundSeed& found, const FindOptions& options, Interrupt& interrupt) {
  if (options.pictures.empty()) return std::string();
  std::int64_t radius = 500;
  for (const Wish& wish : judge.wishes()) radius = std::max(radius, wish.within);
  TERRANE_ASSIGN_OR_RETURN(const auto png,
                           portrait_of(world, session.world, found.seed, options.place, radius));
  const std::filesystem::path file =
      std::filesystem::path(options.pictures) / ("seed-" + std::to_string(found.seed) + ".png");
  TERRANE_RETURN_IF_ERROR(write_whole_file(file.string(), png, interrupt));
  return file.string();
}

Result<void> run(const GlobalOptions& globals, const FindOptions& options, Interrupt& interrupt) {
  if (!globals.realm.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "a realm has its seed already: look for seeds of a --world");
  }
  TERRANE_RETURN_IF_ERROR(check(options));
  worldgen::set_default_float_environment();
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_ASSIGN_OR_RETURN(const auto world, compiled(session));
  TERRANE_ASSIGN_OR_RETURN(const auto judge, make_judge(world, session, options));
  const std::uint64_t others = std::numeric_limits<std::uint64_t>::max() - options.first;
  const SeedRange range{options.first,
                        1 + std::min(static_cast<std::uint64_t>(options.count) - 1, others)};
  Report report(options.first);
  int shown = 0;
  Result<void> drawn;
  interrupt.before_exit([&report] { report.say_how_to_go_on(); });
  const auto tell = [&](std::uint64_t next, const std::vector<FoundSeed>& all) {
    for (const FoundSeed& found : all) {
      const auto picture = draw(world, session, judge, found, options, interrupt);
      const MutexLock lock(interrupt.exit_mutex());
      if (!picture) {
        drawn = tl::unexpected(picture.error());
        return false;
      }
      report.clear();
      print(judge, found, options, *picture);
      report.at(found.seed + 1);
      if (++shown == options.wanted) return false;
    }
    const MutexLock lock(interrupt.exit_mutex());
    report.at(next);
    return true;
  };
  search_seeds(judge, range, options.threads, tell);
  interrupt.before_exit({});
  report.say_how_to_go_on();
  if (!drawn || shown > 0) return drawn;
  return fail(ErrorCode::kNotFound, "no seed of those fulfils it all");
}

}  // namespace

void add_find(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<FindOptions>();
  FlagSet command = line.add_command("find", "Seeds whose land is as you wish, with pictures");
  command.add("wish", options->wishes, "What must be there; all of them must")
      .required()
      .type_name("WISH...");
  command.add_parsed("--near", options->place, parse_block_pos, "Block that the wishes are about")
      .type_name("X,Y")
      .shows_default("0,0");
  command
      .add_parsed("--from", options->first, parse_seed, "First seed to look at, and the next, ...")
      .type_name("SEED")
      .shows_default("1");
  command.add("--count", options->count, "How many seeds to look at, at most")
      .type_name("SEEDS")
      .within(1, std::numeric_limits<std::int64_t>::max())
      .shows_default();
  command.add("--found", options->wanted, "Stop after so many that will do")
      .type_name("SEEDS")
      .within(1, 1'000'000)
      .shows_default();
  command.add("--pictures", options->pictures, "Draw a small picture of each into this directory")
      .type_name("DIR");
  command.add("--threads", options->threads, "How many processors to use")
      .type_name("N")
      .within(1, 256)
      .shows_default("all");
  command.add("--json", options->json, "An object a line for each seed");
  command.footer(
      "A WISH is: [no] WHAT [over P%] [within BLOCKS] [DIRECTION]. WHAT is land, sea, river,\n"
      "lake, water, harbour, \"height BLOCKS\" (ground so high), \"N biomes\" (so many kinds), or\n"
      "the name of a biome or of a kind of structure. Without \"within\", 500 blocks are meant,\n"
      "and of land the very block. DIRECTION is north (towards smaller y), north-east, ...; P%\n"
      "of the ground there, else anything of it will do. A harbour is sea with land within 400\n"
      "blocks on most sides, and a way out.\n"
      "\n"
      "The land is made here, with the server's world, and not by the server. First few samples\n"
      "are looked at, then more of seeds that may do; what is said to be there is there. What\n"
      "is smaller than a 32nd of a wish's distance may be missed. The same command finds the\n"
      "same seeds.\n"
      "\n"
      "Examples: terrane find land \"sea within 150\" \"river within 500\"\n"
      "          terrane find land \"harbour within 800\" \"4 biomes within 2000\" --pictures DIR\n"
      "          terrane find \"desert over 60%\" \"height 250 within 4000 north\" --json");
  command.runs([=, &globals, &interrupt] { return run(globals, *options, interrupt); });
}

}  // namespace terrane::cli
