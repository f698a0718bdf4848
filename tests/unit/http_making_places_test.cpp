#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "http/making_places.h"

namespace terrane::http {
namespace {

/// Answers that have begun, by name, with their places.
class Kitchen {
 public:
  explicit Kitchen(const MakingPlaces::Bounds& bounds) : places_(bounds) {}
  ~Kitchen() {
    while (!under_way_.empty()) end(std::string(under_way_.front().first));  // others follow
  }
  Kitchen(const Kitchen&) = delete;
  Kitchen& operator=(const Kitchen&) = delete;

  void enter(std::uint64_t client, const std::string& name) {
    places_.enter(client, [this, name](MakingPlaces::Place place) {
      begun_ += name;
      under_way_.emplace_back(name, std::move(place));
    });
  }

  /// Asks for what is made at once.
  void enter_briefly(std::uint64_t client, const std::string& name) {
    places_.enter(client, [this, name](const MakingPlaces::Place&) { begun_ += name; });
  }

  void end(const std::string& name) {
    const auto found =
        std::ranges::find(under_way_, name, [](const auto& one) { return one.first; });
    ASSERT_NE(found, under_way_.end()) << name;
    const auto place = std::move(found->second);  // is let go once the list is as it should be
    under_way_.erase(found);
  }

  [[nodiscard]] const std::string& begun() const { return begun_; }
  [[nodiscard]] MakingPlaces& places() { return places_; }

 private:
  MakingPlaces places_;
  std::string begun_;
  std::vector<std::pair<std::string, MakingPlaces::Place>> under_way_;
};

TEST(making_places, a_client_has_so_many_at_a_time_and_the_others_follow_in_order) {
  Kitchen kitchen({.most = 10, .most_of_client = 2});
  for (const char* const name : {"a", "b", "c", "d"}) kitchen.enter(1, name);
  EXPECT_EQ(kitchen.begun(), "ab");
  kitchen.enter(2, "x");
  EXPECT_EQ(kitchen.begun(), "abx") << "nobody waits for another client's";
  kitchen.end("b");
  EXPECT_EQ(kitchen.begun(), "abxc");
  kitchen.end("a");
  EXPECT_EQ(kitchen.begun(), "abxcd");
}

TEST(making_places, where_all_are_taken_clients_take_turns) {
  Kitchen kitchen({.most = 2, .most_of_client = 2});
  for (const char* const name : {"a", "b", "c", "d", "e"}) kitchen.enter(1, name);
  for (const char* const name : {"x", "y"}) kitchen.enter(2, name);
  for (const char* const name : {"a", "b", "c", "x"}) kitchen.end(name);
  EXPECT_EQ(kitchen.begun(), "abcxdy") << "and not all of the first one's";
}

TEST(making_places, thousands_that_are_made_at_once_need_no_deep_stack) {
  Kitchen kitchen({.most = 1, .most_of_client = 1});
  kitchen.enter(1, "a");
  for (int i = 0; i < 100'000; ++i) kitchen.enter_briefly(1, "b");
  EXPECT_EQ(kitchen.begun(), "a");
  kitchen.end("a");
  EXPECT_EQ(kitchen.begun().size(), 100'001u);
}

TEST(making_places, one_for_which_there_is_no_memory_keeps_nobody_waiting) {
  Kitchen kitchen({.most = 1, .most_of_client = 1});
  kitchen.enter(1, "a");
  kitchen.places().enter(1, [](const MakingPlaces::Place&) { throw std::bad_alloc(); });
  kitchen.enter(1, "b");
  kitchen.enter(2, "x");
  kitchen.end("a");
  kitchen.end("x");
  kitchen.end("b");
  EXPECT_EQ(kitchen.begun(), "axb");
}

TEST(making_places, a_place_may_outlive_them) {
  MakingPlaces::Place kept;
  bool is_begun = false;
  {
    MakingPlaces places({.most = 1, .most_of_client = 1});
    places.enter(1, [&](MakingPlaces::Place place) { kept = std::move(place); });
    places.enter(1, [&](const MakingPlaces::Place&) { is_begun = true; });
  }
  kept.reset();
  EXPECT_TRUE(is_begun) << "its reply is there to be answered";
}

}  // namespace
}  // namespace terrane::http
