#include <errno.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <cstdio>
#include <string>

#include "drills/cached_server.h"

namespace terrane::drills {
namespace {

constexpr int kEdge = 32;

/// A small file system in memory, mounted on a directory of its own. Needs root.
class SmallDisk {
 public:
  explicit SmallDisk(const char* options)
      : error_(::mount("terrane-drill", path().c_str(), "tmpfs", 0, options) == 0 ? 0 : errno) {}
  ~SmallDisk() {
    if (error_ == 0) ::umount2(path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] const std::filesystem::path& path() const { return directory_.path(); }
  void make_read_only() {
    ASSERT_EQ(::mount("", path().c_str(), "", MS_REMOUNT | MS_RDONLY, ""), 0) << ::strerror(errno);
  }

 private:
  TempDirectory directory_;
  int error_;
};

/// Files of the processes started meanwhile may not grow past a limit.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~SmallFiles() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_{};
};

/// Asks for squares of chunks that there is no room for, each of them twice and the first once
/// more; then all over after a restart.
void serve_without_room(const char* drill, const std::filesystem::path& cache, int squares,
                        const std::vector<std::string>& flags, bool caches) {
  Truth truth;
  std::size_t wrong = 0, dropped = 0, evicted = 0, wiped = 0;
  double asked = 0, hits = 0;
  for (int start = 0; start < 2; ++start) {
    CachedServer server(cache, flags);
    ASSERT_TRUE(server.ready()) << server.process().log();
    for (int i = 0; i < 2 * squares + 1; ++i) {
      const ChunkRectangle area = square(i / 2 % squares, kEdge);
      const auto got = server.fetch(area);
      ASSERT_TRUE(got) << server.process().log();
      wrong += truth.wrong(*got, area);
    }
    ASSERT_EQ(server.process().stop(), 0) << server.process().log();
    asked += static_cast<double>(server.process().total("pipeline", "requests"));
    hits += static_cast<double>(server.process().total("pipeline", "hits"));
    if (server.process().log().find("wiped") != std::string::npos) ++wiped;
    if (!caches) continue;
    dropped += server.process().total("store", "dropped_puts");
    evicted += server.process().total("store", "evictions");
  }
  std::printf(
      "drill %s: %.0f chunks served, %zu wrong chunks, hit ratio %.2f, %zu puts dropped, %zu "
      "evicted, %zu wiped\n",
      drill, asked, wrong, hits / asked, dropped, evicted, wiped);
  EXPECT_EQ(wrong, 0u);
  if (caches) {
    EXPECT_GT(hits, 0) << "what there is room for is kept";
  }
}

TEST(space, a_full_disk) {
  const SmallDisk disk("size=2m");
  if (disk.error() != 0)
    GTEST_SKIP() << "mounting a small disk needs root; a_limit_on_files drills the same without: "
                 << ::strerror(disk.error());
  serve_without_room("disk_full", disk.path(), 6, {}, true);
}

TEST(space, a_disk_without_any_room) {
  for (const char* size :
       {"size=4k", "size=8k", "size=12k", "size=16k", "size=24k", "size=32k", "size=64k"}) {
    const SmallDisk disk(size);
    if (disk.error() != 0)
      GTEST_SKIP() << "mounting a small disk needs root: " << ::strerror(disk.error());
    CachedServer server(disk.path());
    Truth truth;
    const auto got = server.fetch(square(0, 16));
    ASSERT_TRUE(got) << size << ": " << server.process().log();
    EXPECT_EQ(truth.wrong(*got, square(0, 16)), 0u);
    EXPECT_EQ(server.process().stop(), 0) << size << ": " << server.process().log();
  }
  std::printf("drill disk_without_room: served from 4 KiB up\n");
}

TEST(space, a_limit_on_files) {
  const TempDirectory directory;
  const SmallFiles limit(2 << 20);
  serve_without_room("file_limit", directory.path(), 6, {}, true);
}

TEST(space, a_full_map) {
  const TempDirectory directory;
  serve_without_room("map_full", directory.path(), 14, {"--cache-size", "16MiB"}, true);
  EXPECT_LE(std::filesystem::file_size(directory.path() / "data.mdb"), std::uint64_t{16} << 20);
}

TEST(space, a_read_only_directory) {
  SmallDisk disk("size=64m");
  if (disk.error() != 0)
    GTEST_SKIP() << "mounting a read-only disk needs root: " << ::strerror(disk.error());
  fill_cache(disk.path(), {square(0, kEdge)});
  disk.make_read_only();
  serve_without_room("read_only", disk.path(), 2, {}, false);
}

}  // namespace
}  // namespace terrane::drills
