#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal/interrupt.h"
#include "terrane/client.h"

using namespace terrane;
using namespace terrane::cli;

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

void add_globals(CLI::App& app, GlobalOptions& globals) {
  app.set_version_flag("--version", "terrane " + std::string(client_version()));
  add_parsed(app, "--server", globals.server, parse_server, "Server to ask (also TERRANE_SERVER)")
      ->envname("TERRANE_SERVER")
      ->type_name("HOST:PORT")
      ->default_str(globals.server);
  app.add_option("--world", globals.world,
                 "World to ask about; default: continents, else classic, else the server's first")
      ->type_name("NAME");
  add_parsed(app, "--seed", globals.seed, parse_seed,
             "Which variant of the world: 0 to 2^64 - 1, decimal or 0x hexadecimal")
      ->type_name("N")
      ->default_str("1");
  app.add_option("--timeout", globals.timeout_s, "Longest wait for any one answer, in seconds")
      ->type_name("SECONDS")
      ->check(number_within(0.001, 86400))
      ->capture_default_str();
}

}  // namespace

int main(int argc, char** argv) {
  Interrupt interrupt;  // before gRPC starts threads: they inherit its signal mask
  CLI::App app("Asks a Terrane server about its worlds.", "terrane");
  GlobalOptions globals;
  Command chosen;
  add_globals(app, globals);
  app.require_subcommand(1);
  app.fallthrough();  // --seed and its like may also stand after the subcommand
  app.footer(
      "North is towards smaller y. Exit status: 0 done, 1 failed, 2 wrong usage.\n"
      "`terrane COMMAND --help` shows the command's options and examples.");
  add_worlds(app, globals, chosen);
  add_chunk(app, globals, chosen);
  add_sample(app, globals, chosen);
  add_spawn(app, globals, chosen);
  add_locate(app, globals, chosen);
  add_structure(app, globals, interrupt, chosen);
  add_map(app, globals, interrupt, chosen);
  add_explore(app, globals, interrupt, chosen);
  add_profile(app, globals, interrupt, chosen);
  add_hash(app, globals, chosen);
  add_bench(app, globals, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const auto unknown = app.remaining(); app.get_subcommands().empty() && !unknown.empty()) {
      std::cerr << "terrane: no command '" << unknown.front() << "': see terrane --help\n";
      return kWrongUsage;
    }
    return app.exit(error) == 0 ? 0 : kWrongUsage;
  }
  Result<void> done;
  try {
    done = chosen();
  } catch (const std::exception& error) {  // unwound to here, so that a terminal is given back
    done = fail(ErrorCode::kInternal, std::string("unexpected: ") + error.what());
  }
  std::cout.flush();
  if (!done) {
    std::cerr << "terrane: " << advice(done.error(), globals) << '\n';
    return kFailed;
  }
  if (!std::cout) {
    std::cerr << "terrane: cannot write to standard output\n";
    return kFailed;
  }
  return 0;
}
