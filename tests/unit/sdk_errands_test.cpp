#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "errands.h"

namespace terrane::client {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(errands, are_done_on_another_thread_and_once_for_many_who_ask_meanwhile) {
  Errands errands;
  std::promise<void> began, may_end;
  auto end = may_end.get_future().share();
  std::atomic<int> first_done = 0, second_done = 0;
  std::thread::id doer;
  Errands::Errand first([&] {
    doer = std::this_thread::get_id();
    if (first_done++ == 0) began.set_value();
    end.wait();
  });
  std::promise<void> second_ran;
  Errands::Errand second([&] {
    if (second_done++ == 0) second_ran.set_value();
  });
  errands.ask_for(first);
  began.get_future().wait();
  for (int i = 0; i < 100; ++i) errands.ask_for(second);
  errands.ask_for(first);  // what is asked for while it is done is done once more
  EXPECT_EQ(second_done, 0);
  may_end.set_value();
  second_ran.get_future().wait();
  while (first_done < 2) std::this_thread::yield();
  EXPECT_NE(doer, std::this_thread::get_id());
  EXPECT_TRUE(errands.forget(first, Clock::now() + 60s));
  EXPECT_TRUE(errands.forget(second, Clock::now() + 60s));
  EXPECT_EQ(second_done, 1);
}

TEST(errands, that_are_forgotten_are_not_done_and_can_be_asked_for_again) {
  Errands errands;
  std::promise<void> began, may_end;
  auto end = may_end.get_future().share();
  std::atomic<int> done = 0;
  Errands::Errand blocks([&] {
    began.set_value();
    end.wait();
  });
  Errands::Errand waits([&] {
    ++done;
    done.notify_all();
  });
  errands.ask_for(blocks);
  began.get_future().wait();
  errands.ask_for(waits);
  EXPECT_TRUE(errands.forget(waits, Clock::now() + 60s)) << "it has not begun";
  EXPECT_FALSE(errands.forget(blocks, Clock::now() + 20ms)) << "it is being done";
  may_end.set_value();
  EXPECT_TRUE(errands.forget(blocks, Clock::now() + 60s));
  EXPECT_EQ(done, 0);
  errands.ask_for(waits);
  done.wait(0);
  EXPECT_TRUE(errands.forget(waits, Clock::now() + 60s));
  EXPECT_EQ(done, 1);
}

TEST(errands, that_wait_when_all_ends_are_not_done) {
  std::atomic<int> done = 0;
  Errands::Errand one([&] { ++done; });
  for (int round = 0; round < 200; ++round) {
    Errands errands;
    errands.ask_for(one);
    EXPECT_TRUE(errands.forget(one, Clock::now() + 60s));
  }
  EXPECT_LE(done, 200);
}

}  // namespace
}  // namespace terrane::client
