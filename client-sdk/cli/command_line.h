#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/result.h"

// The parser behind this is CLI11: header-only, and slow to compile. command_line.cpp alone
// includes it; everybody else describes flags with the classes below.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace terrane::cli {

/// What a subcommand does: prints to stdout; blocks until done. Errors: what the user should read.
using Command = std::function<Result<void>()>;

/// One flag, or one positional, of a FlagSet; valid as long as its CommandLine. Each function adds
/// to what --help says or to what is accepted, and returns the flag itself.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  /// What stands for the value in --help: "BLOCKS".
  Flag type_name(const std::string& name) const;
  /// What --help shows as the default.
  Flag shows_default(const std::string& text) const;
  /// As above, with the value that the variable has now.
  Flag shows_default() const;
  Flag required() const;
  /// An environment variable that is read when the flag is not given.
  Flag environment(const std::string& name) const;
  /// A whole number from `low` to `high`, both included.
  Flag within(std::int64_t low, std::int64_t high) const;
  /// A number from `low` to `high`, both included; "nan" is none.
  Flag within_numbers(double low, double high) const;
  Flag one_of(const std::vector<std::string>& values) const;
  /// `check` looks at each value's text; what it refuses is wrong usage, with its message.
  Flag accepted_by(Result<void> (*check)(std::string_view text)) const;
  /// Wrong usage unless `other` is given, too.
  Flag needs(const Flag& other) const;

 private:
  CLI::Option* option_;
};

/// The flags of a subcommand, or those of the program itself; valid as long as its CommandLine.
/// What a flag writes to (`out`) lives until the command line has been parsed.
class FlagSet {
 public:
  FlagSet(CLI::App& app, Command& chosen) : app_(&app), chosen_(&chosen) {}

  /// A flag with a value, "--radius"; a positional when the name has no dashes.
  Flag add(const std::string& name, std::string& out, const std::string& help);
  Flag add(const std::string& name, std::vector<std::string>& out, const std::string& help);
  Flag add(const std::string& name, int& out, const std::string& help);
  Flag add(const std::string& name, std::uint32_t& out, const std::string& help);
  Flag add(const std::string& name, std::int64_t& out, const std::string& help);
  Flag add(const std::string& name, std::size_t& out, const std::string& help);
  Flag add(const std::string& name, double& out, const std::string& help);
  /// A flag without a value.
  Flag add(const std::string& name, bool& out, const std::string& help);

  /// A flag whose text `read` turns into a value; what it refuses is wrong usage with its message.
  Flag add_read(const std::string& name, std::function<Result<void>(std::string_view)> read,
                const std::string& help);

  /// As add_read, with a function that returns the value for `out`.
  template <typename Out, typename T>
  Flag add_parsed(const std::string& name, Out& out, Result<T> (*parse)(std::string_view),
                  const std::string& help) {
    const auto read = [&out, parse](std::string_view text) -> Result<void> {
      auto value = parse(text);
      if (!value) return tl::unexpected(std::move(value).error());
      out = *std::move(value);
      return {};
    };
    return add_read(name, read, help);
  }

  /// Whether the user gave a flag. Only once the command line has been parsed: see `runs`.
  [[nodiscard]] bool given(const std::string& name) const;

  /// What --help says below the flags.
  void footer(const std::string& text);

  /// What happens when the user chose this subcommand. `check`, if any, is called first, when all
  /// flags have their values: what it refuses is wrong usage.
  void runs(Command run, Command check = {});

 private:
  CLI::App* app_;
  Command* chosen_;
};

/// A program with subcommands. Threads: one at a time.
class CommandLine {
 public:
  /// @param version  what --version prints
  CommandLine(const std::string& name, const std::string& purpose, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Flags of every subcommand; they may stand before its name or after it.
  [[nodiscard]] FlagSet globals();
  [[nodiscard]] FlagSet add_command(const std::string& name, const std::string& purpose);

  /// Reads the arguments. Prints help to stdout, or to stderr what is wrong. Returns the process's
  /// exit status if there is nothing to run: 0, or 2 for wrong usage.
  [[nodiscard]] std::optional<int> parse(int argc, const char* const* argv);

  /// Runs the chosen subcommand, once `parse` has found it.
  [[nodiscard]] Result<void> run() const { return chosen_(); }

 private:
  std::unique_ptr<CLI::App> app_;
  Command chosen_;
};

}  // namespace terrane::cli
