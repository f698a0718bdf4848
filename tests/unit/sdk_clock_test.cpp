#include <dlfcn.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <optional>
#include <thread>

#include "sdk_explore_script.h"
#include "sdk_scripted_server.h"
#include "support/time_scale.h"
#include "terrane/client.h"

// A time of day that is set back while this program runs. Its own clock_gettime() and syscall()
// take the place of the C library's, for gRPC and Abseil, too: what reads the time of day sees the
// other time, and what sleeps until a time of day (which Abseil does by futex) sleeps until then.
namespace {

std::atomic<std::int64_t> g_set_back_s{0};

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int real_clock_gettime(clockid_t clock, timespec* time) {
  static std::atomic<int (*)(clockid_t, timespec*)> real{nullptr};
  if (!real) real = next<int(clockid_t, timespec*)>("clock_gettime");
  return real.load()(clock, time);
}

long real_futex(void* word, long op, long value, const timespec* until, void* other, long bits) {
  static std::atomic<long (*)(long, ...)> real{nullptr};
  if (!real) real = next<long(long, ...)>("syscall");
  return real.load()(SYS_futex, word, op, value, until, other, bits);
}

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

/// A futex's wait until a time of day that may be set back meanwhile.
long wait_by_time_of_day(void* word, long op, long value, const timespec& until, long bits) {
  constexpr std::int64_t kSlice = 20'000'000;
  for (;;) {
    timespec real{};
    real_clock_gettime(CLOCK_REALTIME, &real);
    const std::int64_t left =
        nanoseconds(until) - (nanoseconds(real) - g_set_back_s * 1'000'000'000);
    const std::int64_t end = nanoseconds(real) + std::clamp<std::int64_t>(left, 0, kSlice);
    const timespec slice{end / 1'000'000'000, end % 1'000'000'000};
    const long woken = real_futex(word, op, value, &slice, nullptr, bits);
    if (woken == 0 || errno != ETIMEDOUT || left <= kSlice) return woken;
  }
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int result = real_clock_gettime(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec -= g_set_back_s;
  return result;
}

extern "C" long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const auto* until = reinterpret_cast<const timespec*>(arguments[3]);
  auto* word = reinterpret_cast<void*>(arguments[0]);
  const bool by_time_of_day = number == SYS_futex && until != nullptr &&
                              (arguments[1] & FUTEX_CLOCK_REALTIME) != 0 &&
                              (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  if (by_time_of_day)
    return wait_by_time_of_day(word, arguments[1], arguments[2], *until, arguments[5]);
  static std::atomic<long (*)(long, ...)> real{nullptr};
  if (!real) real = next<long(long, ...)>("syscall");
  return real.load()(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                     arguments[5]);
}

namespace terrane {
namespace {

using namespace std::chrono_literals;
using testing::ScriptedServer;
using Clock = std::chrono::steady_clock;

constexpr auto kDeadline = 1500ms;

/// How long a call takes at a server that never answers while the clock is set back by 25 s.
template <typename Call>
Clock::duration time_while_set_back(Call&& call) {
  const auto before = std::chrono::system_clock::now();
  std::jthread setter([] {
    std::this_thread::sleep_for(300ms);  // in the middle of the call
    g_set_back_s += 25;
  });
  const auto start = Clock::now();
  call();
  const auto took = Clock::now() - start;
  setter.join();
  EXPECT_LT(std::chrono::system_clock::now(), before) << "the clock was not set back";
  return took;
}

grpc::Status wait_for_the_end(grpc::ServerContext& context) {
  while (!context.IsCancelled()) std::this_thread::sleep_for(1ms);
  return grpc::Status::CANCELLED;
}

void expect_on_time(Clock::duration took) {
  EXPECT_GE(took, kDeadline - 10ms);
  EXPECT_LT(took, kDeadline + time_scale() * 1s);
}

/// With an Explorer in the same process, and without.
class Calls : public ::testing::TestWithParam<bool> {};

TEST_P(Calls, are_not_prolonged_by_a_clock_that_is_set_back_by_25_s) {
  ScriptedServer server;
  server.get_chunk = [](grpc::ServerContext& context, const v1::GetChunkRequest&,
                        v1::GetChunkResponse&) { return wait_for_the_end(context); };
  server.get_chunks = [](grpc::ServerContext& context, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter&) { return wait_for_the_end(context); };
  const auto client = Client::connect({.address = server.address(), .deadline = kDeadline});
  std::optional<Explorer> explorer;  // whose threads of gRPC work for the others, which then sleep
  if (GetParam()) {
    server.explore = [](grpc::ServerContext& context, ScriptedServer::ExploreStream&) {
      return wait_for_the_end(context);
    };
    explorer = testing::open_explorer(server);
    ASSERT_TRUE(explorer->move({}));
  }
  expect_on_time(time_while_set_back([&] {
    EXPECT_EQ(client->chunk({"classic", 1, {}}, {0, 0}).error().code, ErrorCode::kDeadlineExceeded);
  }));
  expect_on_time(time_while_set_back([&] {
    auto stream = client->chunks({.world = {"classic", 1, {}}, .area = ChunkRectangle{}});
    EXPECT_EQ(stream.next().error().code, ErrorCode::kDeadlineExceeded);
  }));
}

INSTANTIATE_TEST_SUITE_P(clock, Calls, ::testing::Bool(), [](const auto& its) {
  return its.param ? "beside_an_explorer" : "alone";
});

TEST(clock, set_back_by_25_s_prolongs_no_pause_between_attempts) {
  const auto client =
      Client::connect({.address = "127.0.0.1:1", .deadline = kDeadline, .max_attempts = 1'000'000});
  const auto took = time_while_set_back(
      [&] { EXPECT_EQ(client->worlds().error().code, ErrorCode::kUnavailable); });
  EXPECT_LT(took, kDeadline + time_scale() * 1s);
}

}  // namespace
}  // namespace terrane
