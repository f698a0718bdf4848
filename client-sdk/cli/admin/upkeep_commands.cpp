#include <charconv>
#include <iostream>
#include <memory>
#include <string>

#include "cli/admin/stats_text.h"
#include "cli/commands.h"
#include "terrane/admin.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct PurgeOptions {
  bool all_seeds = false, stale = false;
  std::string fingerprint;
};

Result<WorldFingerprint> parse_fingerprint(const std::string& text) {
  constexpr int kHexadecimal = 16;
  WorldFingerprint value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, kHexadecimal);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
  return fail(ErrorCode::kInvalidArgument,
              "--fingerprint '" + text + "' is none: 16 hexadecimal digits, as stats has them");
}

/// Errors: kInvalidArgument.
Result<PurgeRequest> what_to_purge(const GlobalOptions& globals, const PurgeOptions& options) {
  const int ways =
      (options.all_seeds ? 1 : 0) + (options.stale ? 1 : 0) + (options.fingerprint.empty() ? 0 : 1);
  if (ways > 1) {
    return fail(ErrorCode::kInvalidArgument,
                "purge: --all-seeds, --stale and --fingerprint exclude each other");
  }
  if (options.stale) return StaleChunks{};
  if (!options.fingerprint.empty()) {
    TERRANE_ASSIGN_OR_RETURN(const auto fingerprint, parse_fingerprint(options.fingerprint));
    return fingerprint;
  }
  if (globals.world.empty() && globals.realm.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "purge: say of what: --world NAME with --seed N or --all-seeds, --realm NAME, "
                "--fingerprint HEX, or --stale");
  }
  if (options.all_seeds) return AllSeedsOf{globals.world};
  if (!globals.realm.empty()) return WorldRef{.realm = globals.realm};
  return WorldRef{.name = globals.world, .seed = globals.seed};
}

Result<void> purge(const GlobalOptions& globals, const PurgeOptions& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto request, what_to_purge(globals, options));
  TERRANE_ASSIGN_OR_RETURN(const auto admin, Admin::connect(client_options(globals)));
  TERRANE_ASSIGN_OR_RETURN(const auto purged, admin.purge(request));
  std::cout << "removed " << grouped(purged.chunks) << " chunks, " << bytes_text(purged.bytes)
            << '\n';
  return {};
}

Result<void> drain(const GlobalOptions& globals) {
  TERRANE_ASSIGN_OR_RETURN(const auto admin, Admin::connect(client_options(globals)));
  TERRANE_RETURN_IF_ERROR(admin.drain());
  std::cout << "the server drains, and ends then\n";
  return {};
}

Result<void> set_log_level(const GlobalOptions& globals, const std::string& level) {
  TERRANE_ASSIGN_OR_RETURN(const auto admin, Admin::connect(client_options(globals)));
  TERRANE_ASSIGN_OR_RETURN(const auto before, admin.set_log_level(level));
  std::cout << "the server logs " << level << ", and did " << before << '\n';
  return {};
}

}  // namespace

void add_purge(CommandLine& line, const GlobalOptions& globals) {
  auto options = std::make_shared<PurgeOptions>();
  FlagSet command = line.add_command(
      "purge", "Removes chunks from the server's caches, for administrators; they are made again");
  command.add("--all-seeds", options->all_seeds, "All seeds of --world, not --seed alone");
  command.add("--stale", options->stale, "What no world of the server can use any more");
  command
      .add("--fingerprint", options->fingerprint,
           "All seeds of a world by its fingerprint, as stats has it")
      .type_name("HEX");
  command.footer(
      "Examples: terrane purge --world continents --seed 7\n"
      "          terrane purge --stale");
  command.runs([options, &globals] { return purge(globals, *options); },
               [options, &globals]() -> Result<void> {
                 return what_to_purge(globals, *options).map([](const auto&) {});
               });
}

void add_drain(CommandLine& line, const GlobalOptions& globals) {
  FlagSet command =
      line.add_command("drain",
                       "Has the server end, as SIGTERM does: calls under way may finish. For "
                       "administrators");
  command.runs([&globals] { return drain(globals); });
}

void add_log_level(CommandLine& line, const GlobalOptions& globals) {
  auto level = std::make_shared<std::string>();
  FlagSet command =
      line.add_command("log-level", "Sets how much the server logs, for administrators");
  command.add("level", *level, "The least severe lines to log")
      .required()
      .one_of({"trace", "debug", "info", "warning", "error", "critical", "off"});
  command.runs([level, &globals] { return set_log_level(globals, *level); });
}

}  // namespace terrane::cli
