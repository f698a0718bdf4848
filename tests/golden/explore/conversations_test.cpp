// Every recorded conversation, message for message: what the SDK's machine says to the recorded
// server, and what the server's Viewer says to the recorded client.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "golden/explore/halves.h"
#include "golden/explore/scenarios.h"

namespace terrane::golden {
namespace {

std::vector<std::filesystem::path> recorded() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(TERRANE_CONVERSATIONS)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) kept.append(line).append("\n");
  }
  return kept;
}

std::string line(const Event& event) {
  return std::to_string(event.at.count()) + " " + event.what + " " + event.details;
}

bool is_input_of_client(const Event& event) {
  return event.what == "move" || event.what == "poll" || event.what == "<" || event.what == "end";
}
bool is_of_server(const Event& event) { return event.what == "server" || event.what == "gone"; }

/// Gives the client what the conversation says happens to it, and compares what it does.
void replay_client(const Conversation& conversation) {
  ClientHalf client(conversation.setting);
  std::deque<Event> did;
  const auto note = [&did](const std::vector<Event>& events) {
    did.insert(did.end(), events.begin(), events.end());
  };
  for (const Event& event : conversation.events) {
    if (is_of_server(event)) continue;
    if (is_input_of_client(event)) {
      ASSERT_TRUE(did.empty()) << "not recorded: " << line(did.front());
      note(client.take(event));
      note(client.drive(event.at));
      continue;
    }
    if (did.empty()) note(client.drive(event.at));
    ASSERT_FALSE(did.empty()) << "did not: " << line(event);
    ASSERT_EQ(line(did.front()), line(event));
    did.pop_front();
  }
  EXPECT_TRUE(did.empty()) << "not recorded: " << line(did.front());
}

TEST(conversations, the_client_says_what_is_recorded) {
  int replayed = 0;
  for (const auto& file : recorded()) {
    const Conversation conversation = read(content(file));
    if (!conversation.setting.client_replays) continue;
    SCOPED_TRACE(file.filename());
    replay_client(conversation);
    ++replayed;
  }
  EXPECT_GE(replayed, 18);
}

TEST(conversations, the_server_says_what_is_recorded) {
  int replayed = 0;
  for (const auto& file : recorded()) {
    const Conversation conversation = read(content(file));
    if (!conversation.setting.server_replays) continue;
    SCOPED_TRACE(file.filename());
    std::vector<Event> expected;
    for (const Event& event : conversation.events) {
      const bool is_break = event.what == "end" && event.details == "14 the connection broke";
      if (event.what == "<" || (event.what == "end" && !is_break)) expected.push_back(event);
    }
    const auto said = replay_server(conversation);
    for (std::size_t i = 0; i < std::min(said.size(), expected.size()); ++i)
      ASSERT_EQ(line(said[i]), line(expected[i]));
    EXPECT_EQ(said.size(), expected.size());
    ++replayed;
  }
  EXPECT_GE(replayed, 9);
}

TEST(conversations, every_one_is_recorded_and_none_besides) {
  std::set<std::string> held, files;
  for (const Conversation& conversation : all_conversations()) {
    const std::filesystem::path file =
        std::filesystem::path(TERRANE_CONVERSATIONS) / (conversation.setting.name + ".txt");
    held.insert(file.filename());
    EXPECT_EQ(without_comments(content(file)), without_comments(write(conversation)))
        << file << ": the target explore_conversations_renew writes it anew";
  }
  for (const auto& file : recorded()) files.insert(file.filename());
  EXPECT_EQ(held, files);
}

/// So that a recording that leaves something out is noticed.
TEST(conversations, they_cover_every_message_and_every_end) {
  std::string all;
  for (const auto& file : recorded()) all += content(file);
  for (const char* part : {"hello {", "move {", "ack {", "forget {", "have {", "chunks {",
                           "failures {", "out_of_range {", "bits: ", "welcome {", "go_away {",
                           "world_changed {", "# ExploreResponse: move: 1\n", " lost\n",
                           " refuse 15\n", " refuse 9\n", " end 4 ", " end 14 ", "fingerprint: 7"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

/// The worked example of EXPLORE.md is an excerpt, in order, and says when it leaves something out.
TEST(conversations, the_example_that_explains_them_is_one_of_them) {
  std::istringstream page(content(TERRANE_EXPLORE_PAGE));
  const std::string walk = content(std::filesystem::path(TERRANE_CONVERSATIONS) / "walk.txt");
  std::size_t at = 0;
  int lines = 0;
  bool is_example = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) is_example = line == "```conversation";
    if (!is_example || line.starts_with("```") || line == "...") continue;
    const bool is_cut = line.ends_with("...");
    std::string said = "\n";
    said.append(line, 0, is_cut ? line.size() - 3 : line.size()).append(is_cut ? "" : "\n");
    const std::size_t found = walk.find(said, at);
    ASSERT_NE(found, std::string::npos) << line;
    at = found + 1;
    ++lines;
  }
  EXPECT_GE(lines, 10);
}

}  // namespace
}  // namespace terrane::golden
