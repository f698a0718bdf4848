#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/admin/stats_text.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/text.h"
#include "terrane/admin.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

// In a row, for some minutes: a server that starts anew may have its cache to check.
constexpr int kMaxAttempts = 40;
constexpr const char* kClearLine = "\r\x1b[K";

struct PregenOptions {
  std::optional<ChunkCoord> from, to;
  std::optional<BlockPos> around;
  std::int64_t radius = 0;  // blocks
  int max_lod = 0;
  double rate = 0;
  std::uint64_t cursor = 0;
  bool json = false;
};

Result<void> check(const PregenOptions& options) {
  const bool has_corners = options.from && options.to;
  const bool has_circle = options.around && options.radius > 0;
  if (has_corners != has_circle && !(options.from && has_circle) && !(options.to && has_circle) &&
      !(options.around && has_corners))
    return {};
  return fail(ErrorCode::kInvalidArgument,
              "pregen: say where, in one of two ways: --from X,Y --to X,Y in chunks, or --around "
              "X,Y --radius BLOCKS");
}

ChunkRectangle area_of(const PregenOptions& options, const World& world) {
  if (options.from) return {*options.from, *options.to};
  const BlockPos middle = *options.around;
  const std::int64_t radius = options.radius;
  return {chunk_of({middle.x - radius, middle.y - radius}, world.chunk_size, 0),
          chunk_of({middle.x + radius, middle.y + radius}, world.chunk_size, 0)};
}

std::string progress_text(const PregenerateProgress& at, double rate) {
  std::string text = progress_bar(at.cursor, at.total);
  text += ", " + rounded(rate, rate < 10 ? 1 : 0) + "/s";
  if (at.seconds_left > 0) text += ", " + duration_text(at.seconds_left) + " left";
  if (at.yields) text += ", yields";
  return text;
}

/// Shows how far it is: a bar in a terminal, else objects where those are wanted.
class Report {
 public:
  explicit Report(const PregenOptions& options)
      : json_(options.json), bar_(!json_ && isatty(STDERR_FILENO) == 1), last_(options.cursor) {}

  void operator()(const PregenerateProgress& at) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> time = now - shown_;
    const double rate =
        time.count() > 0 ? static_cast<double>(at.cursor - last_) / time.count() : 0;
    last_ = at.cursor;
    shown_ = now;
    if (bar_) std::cerr << kClearLine << progress_text(at, rate) << std::flush;
    if (json_) {
      std::cout << "{\"cursor\":" << at.cursor << ",\"total\":" << at.total
                << ",\"generated\":" << at.generated << ",\"found\":" << at.found
                << ",\"failed\":" << at.failed << ",\"seconds_left\":" << number(at.seconds_left)
                << ",\"yields\":" << (at.yields ? "true" : "false") << "}" << std::endl;
    }
  }
  void clear() const {
    if (bar_) std::cerr << kClearLine << std::flush;
  }
  [[nodiscard]] std::uint64_t cursor() const { return last_; }

 private:
  const bool json_, bar_;
  std::uint64_t last_;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

void say_how_to_go_on(std::uint64_t cursor) {
  std::cerr << "terrane: stopped; the same command with --cursor " << cursor
            << " goes on from here\n";
}

Result<void> run(const GlobalOptions& globals, const PregenOptions& options, Interrupt& interrupt) {
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  ClientOptions patient = client_options(globals);
  patient.max_attempts = kMaxAttempts;
  TERRANE_ASSIGN_OR_RETURN(const auto admin, Admin::connect(std::move(patient)));
  PregenerateRequest request{.world = session.ref,
                             .area = area_of(options, session.world),
                             .lods = {},
                             .max_rate = options.rate,
                             .cursor = options.cursor};
  if (!session.ref.realm.empty()) request.world = {.realm = session.ref.realm};
  for (int lod = 0; lod <= options.max_lod; ++lod) request.lods.push_back(static_cast<Lod>(lod));

  Report report(options);
  interrupt.before_exit([&report] {
    report.clear();
    say_how_to_go_on(report.cursor());
  });
  const auto done = admin.pregenerate(request, [&](const PregenerateProgress& at) {
    const MutexLock lock(interrupt.exit_mutex());
    report(at);
  });
  interrupt.before_exit({});
  report.clear();
  if (!done) {
    if (report.cursor() > 0) say_how_to_go_on(report.cursor());
    return tl::unexpected(done.error());
  }
  if (!options.json) {
    std::cout << grouped(done->total) << " chunks are in the cache: " << grouped(done->generated)
              << " made now, " << grouped(done->found) << " found there";
    if (done->failed > 0) std::cout << "; without " << grouped(done->failed) << " that failed";
    std::cout << '\n';
  }
  if (done->failed == 0) return {};
  return fail(ErrorCode::kDataLoss,
              grouped(done->failed) +
                  " chunks were not made, or not kept: is the cache large enough (--cache-size)? "
                  "terrane stats tells how full it is");
}

}  // namespace

void add_pregen(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<PregenOptions>();
  FlagSet command = line.add_command(
      "pregen", "Has the server make an area's chunks for its cache, for administrators");
  command.add_parsed("--from", options->from, parse_chunk_coord, "First chunk, X,Y")
      .type_name("X,Y");
  command.add_parsed("--to", options->to, parse_chunk_coord, "Last chunk, X,Y, included")
      .type_name("X,Y");
  command.add_parsed("--around", options->around, parse_block_pos, "Middle of the area, a block")
      .type_name("X,Y");
  command.add("--radius", options->radius, "From there to each side, in blocks")
      .within(1, std::int64_t{1} << 40)
      .type_name("BLOCKS");
  command.add("--max-lod", options->max_lod, "Coarser levels of detail, too, up to this one")
      .within(0, static_cast<int>(kMaxLod))
      .shows_default();
  command.add("--rate", options->rate, "Chunks a second, at most; 0: as many as there is time for")
      .within_numbers(0, 1e9)
      .shows_default();
  command.add("--cursor", options->cursor, "Where to go on, as this command said when it stopped")
      .type_name("N");
  command.add("--json", options->json, "An object a line, twice a second");
  command.footer(
      "The server does it whenever its workers have nothing else to do; players come first. What\n"
      "is in the cache already is passed over. When the server starts anew, this goes on by "
      "itself\n"
      "for some minutes, and then says how to go on later.\n"
      "\n"
      "Examples: terrane --seed 7 pregen --around 0,0 --radius 4000\n"
      "          terrane --realm survival pregen --from -64,-64 --to 63,63 --max-lod 4");
  command.runs([options, &globals, &interrupt] { return run(globals, *options, interrupt); },
               [options] { return check(*options); });
}

}  // namespace terrane::cli
