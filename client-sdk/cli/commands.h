#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "cli/session.h"
#include "cli/terminal/interrupt.h"
#include "cli/terminal/text.h"
#include "terrane/result.h"

/// The subcommands of `terrane`, one file each. A function here adds its subcommand to `app` and,
/// when the user chose it, leaves what to run in `chosen`. `globals` and `chosen` outlive the
/// parse.
namespace terrane::cli {

/// Runs the subcommand: prints to stdout; blocks until done. Errors: what the user should read.
using Command = std::function<Result<void>()>;

void add_worlds(CLI::App& app, const GlobalOptions& globals, Command& chosen);
void add_chunk(CLI::App& app, const GlobalOptions& globals, Command& chosen);
void add_map(CLI::App& app, const GlobalOptions& globals, Interrupt& interrupt, Command& chosen);
void add_profile(CLI::App& app, const GlobalOptions& globals, Interrupt& interrupt,
                 Command& chosen);
void add_sample(CLI::App& app, const GlobalOptions& globals, Command& chosen);
void add_bench(CLI::App& app, const GlobalOptions& globals, Command& chosen);
void add_explore(CLI::App& app, const GlobalOptions& globals, Interrupt& interrupt,
                 Command& chosen);
void add_hash(CLI::App& app, const GlobalOptions& globals, Command& chosen);
void add_spawn(CLI::App& app, const GlobalOptions& globals, Command& chosen);
void add_locate(CLI::App& app, const GlobalOptions& globals, Command& chosen);
void add_structure(CLI::App& app, const GlobalOptions& globals, Interrupt& interrupt,
                   Command& chosen);

/// An option or positional that `parse` turns from text into `out`; what it refuses is a usage
/// error with parse's message.
template <typename T>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, T& out,
                        Result<T> (*parse)(std::string_view), const std::string& help) {
  const auto read = [&out, parse, name](const std::string& text) {
    auto value = parse(text);
    if (!value) throw CLI::ValidationError(name, value.error().message);
    out = *std::move(value);
  };
  return app.add_option_function<std::string>(name, read, help);
}

/// A number between two others; unlike CLI::Range it does not take "nan" for one.
inline CLI::Validator number_within(double least, double most) {
  const std::string range = number(least) + " to " + number(most);
  return {[=](const std::string& text) {
            double value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most)
              return std::string();
            return text + " is not a number from " + range;
          },
          range};
}

}  // namespace terrane::cli
