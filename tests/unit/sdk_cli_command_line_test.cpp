#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/parse.h"

namespace terrane::cli {
namespace {

/// A program with one subcommand, "go", and what became of its flags.
class cli_command_line : public testing::Test {
 protected:
  cli_command_line() {
    FlagSet globals = line_.globals();
    globals.add_parsed("--seed", seed_, parse_seed, "Seed").environment("TERRANE_TEST_SEED");
    FlagSet go = line_.add_command("go", "Goes");
    go.add("--radius", radius_, "Blocks").within(1, 16);
    go.add("--speed", speed_, "Blocks a second").within_numbers(0.5, 2);
    go.add("--json", json_, "An object");
    go.runs(
        [this]() -> Result<void> {
          runs_.push_back(radius_);
          return {};
        },
        [this, go]() -> Result<void> {
          if (go.given("--radius") && json_)
            return fail(ErrorCode::kInvalidArgument, "--json: goes nowhere with --radius");
          return {};
        });
  }

  /// The exit status, or none when "go" is to run; `said_` is what was printed.
  std::optional<int> parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "program");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto status = line_.parse(static_cast<int>(arguments.size()), arguments.data());
    said_ = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    return status;
  }

  CommandLine line_{"program", "Goes places", "program 1"};
  std::uint64_t seed_ = 0;
  int radius_ = 4;
  double speed_ = 1;
  bool json_ = false;
  std::vector<int> runs_;
  std::string said_;
};

TEST_F(cli_command_line, runs_the_chosen_command_with_the_values_given) {
  EXPECT_EQ(parse({"go", "--radius", "7", "--speed", "0.75"}), std::nullopt);
  ASSERT_TRUE(line_.run());
  EXPECT_EQ(runs_, std::vector{7});
  EXPECT_EQ(speed_, 0.75);
  EXPECT_EQ(said_, "");
}

TEST_F(cli_command_line, takes_the_programs_flags_before_and_after_the_commands_name) {
  EXPECT_EQ(parse({"--seed", "0x10", "go"}), std::nullopt);
  EXPECT_EQ(seed_, 16U);
  EXPECT_EQ(parse({"go", "--seed", "17"}), std::nullopt);
  EXPECT_EQ(seed_, 17U);
}

TEST_F(cli_command_line, refuses_values_out_of_range_with_the_flags_name_and_the_range) {
  EXPECT_EQ(parse({"go", "--radius", "17"}), 2);
  EXPECT_EQ(said_,
            "--radius: Value 17 not in range 1 to 16\nRun with --help for more information.\n");
  EXPECT_EQ(parse({"go", "--radius", "7x"}), 2);
  EXPECT_EQ(parse({"go", "--speed", "0.4"}), 2);
  EXPECT_EQ(parse({"go", "--speed", "nan"}), 2);
  EXPECT_NE(said_.find("--speed: nan is not a number from 0.5 to 2"), std::string::npos) << said_;
}

TEST_F(cli_command_line, refuses_what_a_parser_refuses_with_its_words) {
  EXPECT_EQ(parse({"--seed", "red", "go"}), 2);
  EXPECT_NE(said_.find("--seed: 'red' is not a seed"), std::string::npos) << said_;
}

TEST_F(cli_command_line, refuses_what_the_commands_check_refuses) {
  EXPECT_EQ(parse({"go", "--json", "--radius", "3"}), 2);
  EXPECT_NE(said_.find("--json: goes nowhere with --radius"), std::string::npos) << said_;
  EXPECT_TRUE(runs_.empty());
}

TEST_F(cli_command_line, names_an_unknown_command) {
  EXPECT_EQ(parse({"stay"}), 2);
  EXPECT_EQ(said_, "program: no command 'stay': see program --help\n");
}

TEST_F(cli_command_line, prints_version_and_help_and_has_nothing_to_run) {
  EXPECT_EQ(parse({"--version"}), 0);
  EXPECT_EQ(said_, "program 1\n");
  EXPECT_EQ(parse({"go", "--help"}), 0);
  EXPECT_NE(said_.find("--radius"), std::string::npos) << said_;
}

}  // namespace
}  // namespace terrane::cli
