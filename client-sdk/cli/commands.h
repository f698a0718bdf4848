#pragma once

#include "cli/command_line.h"
#include "cli/session.h"
#include "cli/terminal/interrupt.h"

/// The subcommands of `terrane`, one file each. A function here adds its subcommand to `line`;
/// `globals` and `interrupt` outlive the run.
namespace terrane::cli {

void add_worlds(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);
void add_chunk(CommandLine& line, const GlobalOptions& globals);
void add_map(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);
void add_profile(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);
void add_sample(CommandLine& line, const GlobalOptions& globals);
void add_bench(CommandLine& line, const GlobalOptions& globals);
void add_explore(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);
void add_hash(CommandLine& line, const GlobalOptions& globals);
void add_spawn(CommandLine& line, const GlobalOptions& globals);
void add_locate(CommandLine& line, const GlobalOptions& globals);
void add_find(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);
void add_structure(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);

void add_pregen(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);
void add_stats(CommandLine& line, const GlobalOptions& globals);
void add_top(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt);
void add_purge(CommandLine& line, const GlobalOptions& globals);
void add_drain(CommandLine& line, const GlobalOptions& globals);
void add_log_level(CommandLine& line, const GlobalOptions& globals);

}  // namespace terrane::cli
