#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <utility>

#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

constexpr int kWrongUsage = 2;

/// CLI::Range takes "nan" for a number between any two others.
CLI::Validator number_within(double low, double high) {
  const std::string range = number(low) + " to " + number(high);
  return {[=](const std::string& text) {
            double value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high)
              return std::string();
            return text + " is not a number from " + range;
          },
          range};
}

}  // namespace

Flag Flag::type_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Flag Flag::shows_default(const std::string& text) const {
  option_->default_str(text);
  return *this;
}

Flag Flag::shows_default() const {
  option_->capture_default_str();
  return *this;
}

Flag Flag::required() const {
  option_->required();
  return *this;
}

Flag Flag::environment(const std::string& name) const {
  option_->envname(name);
  return *this;
}

Flag Flag::within(std::int64_t low, std::int64_t high) const {
  option_->check(CLI::Range(low, high));
  return *this;
}

Flag Flag::within_numbers(double low, double high) const {
  option_->check(number_within(low, high));
  return *this;
}

Flag Flag::one_of(const std::vector<std::string>& values) const {
  option_->check(CLI::IsMember(values));
  return *this;
}

Flag Flag::accepted_by(Result<void> (*check)(std::string_view text)) const {
  option_->check([check](const std::string& text) {
    const auto accepted = check(text);
    return accepted ? std::string() : accepted.error().message;
  });
  return *this;
}

Flag Flag::needs(const Flag& other) const {
  option_->needs(other.option_);
  return *this;
}

Flag FlagSet::add(const std::string& name, std::string& out, const std::string& help) {
  return Flag(*app_->add_option(name, out, help));
}

Flag FlagSet::add(const std::string& name, std::vector<std::string>& out, const std::string& help) {
  return Flag(*app_->add_option(name, out, help));
}

Flag FlagSet::add(const std::string& name, int& out, const std::string& help) {
  return Flag(*app_->add_option(name, out, help));
}

Flag FlagSet::add(const std::string& name, std::uint32_t& out, const std::string& help) {
  return Flag(*app_->add_option(name, out, help));
}

Flag FlagSet::add(const std::string& name, std::int64_t& out, const std::string& help) {
  return Flag(*app_->add_option(name, out, help));
}

Flag FlagSet::add(const std::string& name, std::size_t& out, const std::string& help) {
  return Flag(*app_->add_option(name, out, help));
}

Flag FlagSet::add(const std::string& name, double& out, const std::string& help) {
  return Flag(*app_->add_option(name, out, help));
}

Flag FlagSet::add(const std::string& name, bool& out, const std::string& help) {
  return Flag(*app_->add_flag(name, out, help));
}

Flag FlagSet::add_read(const std::string& name, std::function<Result<void>(std::string_view)> read,
                       const std::string& help) {
  const auto read_or_throw = [read = std::move(read), name](const std::string& text) {
    if (const auto done = read(text); !done) throw CLI::ValidationError(name, done.error().message);
  };
  return Flag(*app_->add_option_function<std::string>(name, read_or_throw, help));
}

bool FlagSet::given(const std::string& name) const { return app_->count(name) > 0; }

void FlagSet::footer(const std::string& text) { app_->footer(text); }

void FlagSet::runs(Command run, Command check) {
  app_->callback([chosen = chosen_, run = std::move(run), check = std::move(check)] {
    if (check) {
      if (const auto fine = check(); !fine) throw CLI::ValidationError(fine.error().message);
    }
    *chosen = run;
  });
}

CommandLine::CommandLine(const std::string& name, const std::string& purpose,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(purpose, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->fallthrough();
}

CommandLine::~CommandLine() = default;

FlagSet CommandLine::globals() { return {*app_, chosen_}; }

FlagSet CommandLine::add_command(const std::string& name, const std::string& purpose) {
  return {*app_->add_subcommand(name, purpose), chosen_};
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const auto unknown = app_->remaining();
    if (app_->get_subcommands().empty() && !unknown.empty()) {
      std::cerr << app_->get_name() << ": no command '" << unknown.front() << "': see "
                << app_->get_name() << " --help\n";
      return kWrongUsage;
    }
    return app_->exit(error) == 0 ? 0 : kWrongUsage;
  }
  return std::nullopt;
}

}  // namespace terrane::cli
