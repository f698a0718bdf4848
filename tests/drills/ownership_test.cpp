#include <lmdb.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>

#include "drills/cached_server.h"
#include "support/file_damage.h"

namespace terrane::drills {
namespace {

constexpr int kEdge = 16;

TEST(ownership, a_second_server_on_the_same_directory_refuses_to_start) {
  const TempDirectory directory;
  Truth truth;
  CachedServer first(directory.path());
  ASSERT_TRUE(first.fetch(square(0, kEdge)));
  CachedServer second(directory.path());
  EXPECT_FALSE(second.ready());
  EXPECT_EQ(second.process().wait(), 1);
  EXPECT_NE(second.process().log().find("in use by process"), std::string::npos)
      << second.process().log();
  const auto got = first.fetch(square(0, kEdge));
  ASSERT_TRUE(got);
  EXPECT_EQ(truth.wrong(*got, square(0, kEdge)), 0u);
  EXPECT_EQ(first.process().stop(), 0);
  EXPECT_EQ(first.process().total("pipeline", "hits"), static_cast<std::size_t>(kEdge * kEdge));
  std::printf("drill second_server: refused in %.2f s, the first went on\n",
              second.start_seconds());
}

TEST(ownership, a_cache_of_another_format_is_wiped_and_served) {
  const TempDirectory directory;
  Truth truth;
  for (const std::size_t version : {0u, 1u}) {  // of records, of encoded chunks
    fill_cache(directory.path(), {square(0, kEdge)});
    constexpr std::string_view kRecord = "terrane-cache-format";
    ASSERT_GE(test::flip_after(directory.path() / "data.mdb", kRecord, kRecord.size() + version),
              1u);
    const Survival survival = survive(directory.path(), square(0, kEdge), square(1, kEdge), truth);
    EXPECT_TRUE(survival.wiped);
    EXPECT_EQ(survival.restarts, 0);
    EXPECT_EQ(survival.wrong, 0u);
  }
  std::printf("drill other_format: 2 wiped and served, 0 wrong chunks\n");
}

/// A process that holds the database's write lock until it is killed: the server's writer then
/// waits for ever.
class LockHolder {
 public:
  explicit LockHolder(const std::filesystem::path& cache) {
    std::array<int, 2> held{};
    EXPECT_EQ(::pipe(held.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      MDB_env* env = nullptr;
      MDB_txn* txn = nullptr;
      const bool holds = mdb_env_create(&env) == 0 &&
                         mdb_env_open(env, cache.c_str(), 0, 0644) == 0 &&
                         mdb_txn_begin(env, nullptr, 0, &txn) == 0;
      if (!holds || ::write(held[1], "x", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(held[1]);
    char byte = 0;
    EXPECT_EQ(::read(held[0], &byte, 1), 1) << "the write lock could not be had";
    ::close(held[0]);
  }
  ~LockHolder() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  LockHolder(const LockHolder&) = delete;
  LockHolder& operator=(const LockHolder&) = delete;

 private:
  pid_t pid_ = -1;
};

TEST(ownership, a_writer_that_never_comes_back_keeps_no_server_from_serving_or_ending) {
  const TempDirectory directory;
  Truth truth;
  double stop_seconds = 0;
  {
    CachedServer server(directory.path());
    ASSERT_TRUE(server.fetch(square(0, kEdge)));
    const LockHolder holder(directory.path());
    for (int i = 1; i <= 5; ++i) {  // 5,120 chunks, more than may wait for the writer
      const auto got = server.fetch(square(i, 32));
      ASSERT_TRUE(got);
      EXPECT_EQ(truth.wrong(*got, square(i, 32)), 0u);
    }
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(server.process().stop(), 0);
    stop_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_NE(server.process().log().find("not closed"), std::string::npos)
        << server.process().log();
    EXPECT_GT(server.process().total("store", "dropped_puts"), 0u);
  }
  const Survival survival = survive(directory.path(), square(0, kEdge), square(1, kEdge), truth);
  EXPECT_EQ(survival.wrong, 0u);
  EXPECT_EQ(survival.restarts, 0);
  std::printf("drill stuck_writer: served, stopped after %.1f s, %zu chunks kept, 0 wrong chunks\n",
              stop_seconds, survival.kept);
}

}  // namespace
}  // namespace terrane::drills
