#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <thread>

#include "rpc/call_gate.h"

namespace terrane::rpc {
namespace {

using std::chrono::steady_clock;

TEST(call_gate, a_closed_gate_lets_no_call_in) {
  CallGate gate;
  gate.close();
  EXPECT_EQ(gate.wait_until_empty(steady_clock::now()), 0u);
  EXPECT_EQ(gate.enter(), nullptr);
}

TEST(call_gate, closing_waits_for_the_calls_inside) {
  CallGate gate;
  CallGate::Pass pass = gate.enter();
  ASSERT_NE(pass, nullptr);
  std::latch closing(1);
  std::thread caller([&] {
    closing.wait();
    pass.reset();
  });
  closing.count_down();
  gate.close();
  EXPECT_EQ(gate.wait_until_empty(steady_clock::time_point::max()), 0u);
  caller.join();
}

TEST(call_gate, waiting_for_quiet_ends_at_the_deadline_however_long_quiet_would_take) {
  CallGate gate;
  gate.close();
  EXPECT_EQ(gate.enter(), nullptr);
  gate.wait_for_quiet(std::chrono::hours(1), steady_clock::now());
}

TEST(call_gate, closing_tells_how_many_outstayed_the_deadline) {
  CallGate gate;
  const CallGate::Pass first = gate.enter();
  const CallGate::Pass second = gate.enter();
  gate.close();
  EXPECT_EQ(gate.wait_until_empty(steady_clock::now()), 2u);
}

}  // namespace
}  // namespace terrane::rpc
