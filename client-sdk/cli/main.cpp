#include <cstdlib>
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

void add_tls(FlagSet flags, GlobalOptions& globals) {
  flags
      .add("--tls", globals.tls,
           "Encrypt, and trust whom this system trusts (also TERRANE_TLS=1); any flag below means "
           "it, too")
      .environment("TERRANE_TLS");
  TlsOptions& tls = globals.tls_options;
  flags
      .add("--tls-ca", tls.ca_file,
           "Trust servers for whom these certificates vouch, and no others (also TERRANE_TLS_CA)")
      .environment("TERRANE_TLS_CA")
      .type_name("FILE");
  flags
      .add("--tls-cert", tls.certificate_file,
           "Certificate of this client, for servers that ask for one")
      .type_name("FILE");
  flags.add("--tls-key", tls.key_file, "Its key").type_name("FILE");
  flags
      .add("--tls-server-name", tls.server_name,
           "Whom the server's certificate must be for; default: the host of --server")
      .type_name("NAME");
}

void add_token(FlagSet flags, GlobalOptions& globals) {
  if (const char* const token = std::getenv("TERRANE_TOKEN")) globals.token = token;
  flags
      .add("--token-file", globals.token_file,
           "Show the server the token in this file; without it the one in TERRANE_TOKEN, if any")
      .type_name("FILE");
  flags.add("--insecure-token", globals.insecure_token,
            "Show it in the clear to servers on other machines: where something else encrypts");
}

void add_globals(FlagSet flags, GlobalOptions& globals) {
  flags
      .add_parsed("--server", globals.server, parse_server,
                  "Server to ask, or several: the first that can be reached (also TERRANE_SERVER)")
      .environment("TERRANE_SERVER")
      .type_name("HOST:PORT[,...]")
      .shows_default(globals.server);
  add_tls(flags, globals);
  add_token(flags, globals);
  flags
      .add("--world", globals.world,
           "World to ask about; default: continents, else classic, else the server's first")
      .type_name("NAME");
  flags
      .add_parsed("--seed", globals.seed, parse_seed,
                  "Which variant of the world: 0 to 2^64 - 1, decimal or 0x hexadecimal")
      .type_name("N")
      .shows_default("1");
  flags
      .add("--realm", globals.realm,
           "Realm to ask about, instead of a world and a seed: the server knows which they are")
      .type_name("NAME");
  flags.add("--timeout", globals.timeout_s, "Longest wait for any one answer, in seconds")
      .type_name("SECONDS")
      .within_numbers(0.001, 86400)
      .shows_default();
  flags.footer(
      "North is towards smaller y. Exit status: 0 done, 1 failed, 2 wrong usage.\n"
      "`terrane COMMAND --help` shows the command's options and examples.");
}

}  // namespace

int main(int argc, char** argv) {
  setenv("GRPC_VERBOSITY", "NONE", 0);  // what it has to say comes back as errors
  Interrupt interrupt;                  // before gRPC starts threads: they inherit its signal mask
  CommandLine line("terrane", "Asks a Terrane server about its worlds.",
                   "terrane " + std::string(client_version()));
  GlobalOptions globals;
  add_globals(line.globals(), globals);
  add_worlds(line, globals, interrupt);
  add_chunk(line, globals);
  add_sample(line, globals);
  add_spawn(line, globals);
  add_locate(line, globals);
  add_find(line, globals, interrupt);
  add_structure(line, globals, interrupt);
  add_map(line, globals, interrupt);
  add_explore(line, globals, interrupt);
  add_profile(line, globals, interrupt);
  add_hash(line, globals);
  add_bench(line, globals);
  add_stats(line, globals);
  add_top(line, globals, interrupt);
  add_pregen(line, globals, interrupt);
  add_purge(line, globals);
  add_drain(line, globals);
  add_log_level(line, globals);
  if (const auto status = line.parse(argc, argv)) return *status;
  Result<void> done;
  try {
    done = line.run();
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
