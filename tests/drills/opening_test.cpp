#include <fcntl.h>
#include <lmdb.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "drills/cached_server.h"
#include "support/file_damage.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"
#include "support/time_scale.h"

namespace terrane::drills {
namespace {

constexpr int kEdge = 16;
constexpr std::size_t kChunksOfSquare = std::size_t{kEdge} * kEdge;
constexpr std::size_t kPageBytes = 4096, kFlagsAt = 10, kLowerAt = 12;  // of LMDB's pages
constexpr double kReadyLimitSeconds = 1.5;

/// Puts 900,000 entries of another world before all others, about 350 MB: it takes a check a while
/// to get to the others.
void make_large(const std::filesystem::path& cache) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi chunks = 0;
  ASSERT_EQ(mdb_env_create(&env), 0);
  ASSERT_EQ(mdb_env_set_mapsize(env, std::size_t{1} << 30), 0);
  ASSERT_EQ(mdb_env_set_maxdbs(env, 2), 0);
  ASSERT_EQ(mdb_env_open(env, cache.c_str(), MDB_NOSYNC, 0644), 0);
  ASSERT_EQ(mdb_txn_begin(env, nullptr, 0, &txn), 0);
  ASSERT_EQ(mdb_dbi_open(txn, "chunks", 0, &chunks), 0);
  std::array<unsigned char, 33> key{};  // of fingerprint 0
  std::array<char, 330> record{};
  for (std::uint32_t i = 0; i < 900'000; ++i) {
    for (std::size_t byte = 0; byte < 4; ++byte)
      key[29 + byte] = static_cast<unsigned char>(i >> (24 - 8 * byte));
    MDB_val name{key.size(), key.data()}, value{record.size(), record.data()};
    ASSERT_EQ(mdb_put(txn, chunks, &name, &value, MDB_APPEND), 0);
  }
  ASSERT_EQ(mdb_txn_commit(txn), 0);
  ASSERT_EQ(mdb_env_sync(env, 1), 0);
  mdb_env_close(env);
}

/// As after a restart of the machine.
void drop_from_memory(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  ::fsync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  ::close(fd);
}

std::string metrics_of(CachedServer& server) {
  const auto page = test::Connection(server.process().http_address()).ask(test::get("/metrics"));
  return page ? page->body : "";
}

double metric(CachedServer& server, const std::string& series) {
  return test::value_of(metrics_of(server), series);
}

/// @return the seconds it took, from now on
double await_check(CachedServer& server) {
  const auto start = std::chrono::steady_clock::now();
  while (metric(server, "terrane_cache_checked_ratio") < 1) std::this_thread::yield();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t wrong_in(Truth& truth, const CachedServer& server, int index) {
  return truth.wrong(server.fetch(square(index, kEdge)).value_or(Chunks{}), square(index, kEdge));
}

bool logged(CachedServer& server, const char* text) {
  return server.process().log().find(text) != std::string::npos;
}

/// A large cache with two squares of chunks, whose server was killed.
class Opening : public testing::Test {
 protected:
  void SetUp() override {
    fill_cache(cache(), {});
    make_large(cache());
    fill_cache(cache(), {square(0, kEdge), square(1, kEdge)});
    CachedServer(cache()).kill_after(square(0, kEdge), 1);
  }

  std::filesystem::path cache() const { return directory_.path() / "cache"; }
  std::filesystem::path data() const { return cache() / "data.mdb"; }

  TempDirectory directory_;
  Truth truth_;
};

TEST_F(Opening, after_a_kill_a_large_cold_cache_is_served_at_once_and_kept) {
  drop_from_memory(data());
  CachedServer server(cache());
  ASSERT_TRUE(server.ready()) << server.process().log();
  EXPECT_LT(server.start_seconds(), kReadyLimitSeconds * time_scale());
  EXPECT_NE(server.process().ready_line().find("being checked"), std::string::npos)
      << server.process().ready_line();
  const std::size_t entries = server.chunks_at_start();
  EXPECT_EQ(entries, 900'000 + 2 * kChunksOfSquare);
  EXPECT_EQ(wrong_in(truth_, server, 0), 0u);
  const double during = metric(server, "terrane_cache_checked_ratio");
  const double seconds = await_check(server);
  EXPECT_EQ(wrong_in(truth_, server, 1), 0u);
  EXPECT_EQ(metric(server, "terrane_chunks_total{origin=\"generated\"}"), 0);
  EXPECT_EQ(metric(server, "terrane_cache_hits_total"), 2.0 * kChunksOfSquare);
  EXPECT_EQ(metric(server, "terrane_cache_entries"), static_cast<double>(entries));
  EXPECT_EQ(metric(server, "terrane_cache_checked_pages"),
            metric(server, "terrane_cache_check_pages"));
  EXPECT_EQ(server.process().stop(), 0);
  EXPECT_FALSE(logged(server, "wiped")) << server.process().log();
  EXPECT_TRUE(logged(server, "is whole")) << server.process().log();
  std::printf(
      "drill killed_with_a_large_cache: ready in %.2f s, all %zu chunks hits, %.0f %% checked when "
      "the first square was there, the rest in %.1f s\n",
      server.start_seconds(), 2 * kChunksOfSquare, 100 * during, seconds);
  CachedServer again(cache());
  ASSERT_TRUE(again.ready());
  EXPECT_EQ(again.chunks_at_start(), entries);
  EXPECT_EQ(metric(again, "terrane_cache_check_pages"), 0) << "it was closed cleanly";
}

/// Makes nonsense of every third leaf that holds chunks served here.
void damage_leaves(const std::filesystem::path& data) {
  std::string seed(8, '\0');  // in a key after eight bytes of fingerprint
  seed.back() = 7;
  std::fstream file(data, std::ios::binary | std::ios::in | std::ios::out);
  std::string page(kPageBytes, '\0');
  int leaves = 0;
  for (std::size_t at = 2 * kPageBytes;
       file.seekg(static_cast<std::streamoff>(at)).read(page.data(), kPageBytes);
       at += kPageBytes) {
    const bool leaf = page[kFlagsAt] == 2 && page[kFlagsAt + 1] == 0;
    const std::size_t key = leaf ? test::first_key_at(page, 0) : 0;
    if (!leaf || key + 16 > kPageBytes || page.compare(key + 8, seed.size(), seed) != 0) continue;
    if (++leaves % 3 != 0) continue;
    file.seekp(static_cast<std::streamoff>(at + kLowerAt)).write("\x07\x77", 2);
  }
  ASSERT_GT(leaves, 3);
}

TEST_F(Opening, damage_in_a_large_cache_is_never_served_and_wiped_with_a_reason) {
  damage_leaves(data());
  drop_from_memory(data());
  CachedServer server(cache());
  ASSERT_TRUE(server.ready()) << server.process().log();
  EXPECT_LT(server.start_seconds(), kReadyLimitSeconds * time_scale());
  std::size_t wrong = wrong_in(truth_, server, 0);
  const double hits = metric(server, "terrane_cache_hits_total");
  await_check(server);
  wrong += wrong_in(truth_, server, 1) + wrong_in(truth_, server, 2);
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(hits, 0) << "what is sound is read until the damage is found";
  EXPECT_TRUE(logged(server, "is wiped and started anew, for it is damaged: page "))
      << server.process().log();
  EXPECT_EQ(server.process().stop(), 0) << server.process().log();
  CachedServer again(cache());
  ASSERT_TRUE(again.ready());
  EXPECT_GE(again.chunks_at_start(), 2 * kChunksOfSquare)
      << "the new cache has what was made since";
  std::printf(
      "drill killed_and_damaged: ready in %.2f s, %zu wrong chunks, %.0f hits before the wipe\n",
      server.start_seconds(), wrong, hits);
}

TEST(opening, a_file_cut_under_a_running_server_ends_it_with_a_reason_and_the_next_start_is_clean) {
  const TempDirectory directory;
  const std::filesystem::path data = directory.path() / "data.mdb";
  Truth truth;
  fill_cache(directory.path(), {square(0, kEdge), square(1, kEdge)});
  {
    CachedServer server(directory.path());
    ASSERT_TRUE(server.fetch(square(0, kEdge)));
    std::filesystem::resize_file(data, 2 * kPageBytes);
    EXPECT_FALSE(server.fetch(square(1, kEdge))) << "it was to end";
    EXPECT_EQ(server.process().wait(), 3);
    const std::string log = server.process().log();
    const std::string last = log.substr(log.rfind('\n', log.size() - 2) + 1);
    EXPECT_NE(last.find(data.string()), std::string::npos) << log;
    EXPECT_NE(last.find("cut short"), std::string::npos) << log;
  }
  CachedServer server(directory.path());
  ASSERT_TRUE(server.ready()) << server.process().log();
  EXPECT_TRUE(logged(server, "wiped and started anew, for it is damaged: its file is cut short"))
      << server.process().log();
  for (const int index : {0, 1}) EXPECT_EQ(wrong_in(truth, server, index), 0u);
  EXPECT_EQ(server.process().stop(), 0) << server.process().log();
  std::printf("drill file_cut_while_running: exit code 3, ready again in %.2f s, 0 wrong chunks\n",
              server.start_seconds());
}

}  // namespace
}  // namespace terrane::drills
