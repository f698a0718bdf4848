#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "drills/cached_server.h"
#include "support/file_damage.h"

namespace terrane::drills {
namespace {

#ifdef TERRANE_SANITIZED
constexpr int kEdge = 16;  // everything takes ten times as long
#else
constexpr int kEdge = 32;
#endif
constexpr int kWrittenEdge = 32;  // of the square that is written while the server dies
constexpr std::size_t kPageBytes = 4096;

/// A cache of two squares of chunks to be harmed in copies; what servers make of those is counted.
class Damage : public testing::Test {
 protected:
  void SetUp() override {
    fill_cache(base(), {square(0, kEdge), square(1, kEdge)});
    bytes_ = test::read_file(base() / "data.mdb");
  }

  std::filesystem::path base() const { return directory_.path() / "base"; }

  /// A copy of the cache with these bytes in its place.
  std::filesystem::path copy_with(const std::string& bytes) {
    const std::filesystem::path copy = directory_.path() / "copy";
    std::filesystem::remove_all(copy);
    copy_cache(base(), copy);
    test::write_file(copy / "data.mdb", bytes);
    return copy;
  }

  void survive_in(const std::filesystem::path& cache) {
    const Survival survival = survive(cache, square(0, kEdge), square(2, kEdge), truth_);
    EXPECT_LE(survival.restarts, 1);
    ++runs_;
    restarts_ += survival.restarts;
    wrong_ += survival.wrong;
    counted_ += survival.counted;
    wiped_ += survival.wiped ? 1 : 0;
  }

  void report(const char* drill) {
    EXPECT_EQ(wrong_, 0u);
    std::printf(
        "drill %s: %d runs, %zu wrong chunks, %zu bad checksums counted, %d wiped, %d restarts\n",
        drill, runs_, wrong_, counted_, wiped_, restarts_);
  }

  TempDirectory directory_;
  Truth truth_;
  std::string bytes_;
  int runs_ = 0, restarts_ = 0, wiped_ = 0;
  std::size_t wrong_ = 0, counted_ = 0;
};

TEST_F(Damage, a_file_cut_short_anywhere) {
  std::minstd_rand random(2);
  std::uniform_int_distribution<std::size_t> anywhere(0, bytes_.size() - 1);
  std::vector<std::size_t> lengths = {0,
                                      1,
                                      kPageBytes - 1,
                                      kPageBytes,
                                      2 * kPageBytes,
                                      3 * kPageBytes + 5,
                                      bytes_.size() / 2,
                                      bytes_.size() - kPageBytes,
                                      bytes_.size() - 1};
  for (int i = 0; i < 4; ++i) lengths.push_back(anywhere(random));
  for (const std::size_t length : lengths) {
    SCOPED_TRACE(length);
    survive_in(copy_with(bytes_.substr(0, length)));
  }
  report("file_cut_short");
}

/// What a machine that loses power may leave: the file as it was at some moment, without its newest
/// pages.
TEST_F(Damage, a_copy_taken_while_the_server_writes_that_lost_its_last_pages) {
  std::minstd_rand random(3);
  for (int run = 0; run < 6; ++run) {
    const std::filesystem::path live = directory_.path() / "live";
    const std::filesystem::path copy = directory_.path() / "copy";
    std::filesystem::remove_all(live);
    std::filesystem::remove_all(copy);
    copy_cache(base(), live);
    {
      CachedServer server(live);
      server.kill_after(square(3, kWrittenEdge), 100 + 150 * static_cast<std::size_t>(run));
      copy_cache(live, copy);
    }
    std::string bytes = test::read_file(copy / "data.mdb");
    const std::size_t lost =
        std::uniform_int_distribution<std::size_t>(0, 200)(random) * kPageBytes;
    if (run % 2 == 0) bytes.resize(bytes.size() - lost);
    if (run % 2 == 1) bytes.replace(bytes.size() - lost, lost, lost, '\0');
    test::write_file(copy / "data.mdb", bytes);
    survive_in(copy);
  }
  report("unsynced_pages_lost");
}

/// Where a kind of byte is: its possible places in the file.
std::vector<std::size_t> places_after(const std::string& bytes, const std::string& pattern,
                                      std::size_t skip, std::size_t span) {
  std::vector<std::size_t> places;
  for (std::size_t at = bytes.find(pattern); at != std::string::npos;
       at = bytes.find(pattern, at + 1)) {
    for (std::size_t i = skip; i < skip + span && at + i < bytes.size(); ++i)
      places.push_back(at + i);
  }
  return places;
}

std::string flipped(std::string bytes, const std::vector<std::size_t>& places, int bits,
                    std::minstd_rand& random) {
  std::uniform_int_distribution<std::size_t> place(0, places.size() - 1);
  std::uniform_int_distribution<int> bit(0, 7);
  for (int i = 0; i < bits; ++i) {
    char& byte = bytes[places[place(random)]];
    byte = static_cast<char>(byte ^ (1 << bit(random)));
  }
  return bytes;
}

/// In place, so that a server which has the file mapped sees it.
void overwrite(const std::filesystem::path& path, const std::string& bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  ASSERT_TRUE(file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())));
}

TEST_F(Damage, flipped_bits_of_chunks_are_counted) {
  std::minstd_rand random(4);
  const auto places = places_after(bytes_, "TRC\x02", 0, 900);  // how every encoded chunk begins
  ASSERT_FALSE(places.empty());
  for (const int bits : {1, 100, 1000})
    survive_in(copy_with(flipped(bytes_, places, bits, random)));
  report("bits_flipped_in_values");
  EXPECT_GT(counted_, 100u);
  EXPECT_EQ(restarts_, 0);
}

TEST_F(Damage, flipped_bits_of_keys) {
  std::minstd_rand random(5);
  std::string seed(8, '\0');
  seed.back() = 7;
  const auto places = places_after(bytes_, seed + '\0', 0, 25);  // seed, lod, place
  ASSERT_FALSE(places.empty());
  for (const int bits : {1, 10, 100, 1000})
    survive_in(copy_with(flipped(bytes_, places, bits, random)));
  report("bits_flipped_in_keys");
}

TEST_F(Damage, flipped_bits_of_tree_pages) {
  std::minstd_rand random(6);
  constexpr std::size_t kFlags = 10;  // in LMDB's page header: 1 branch, 2 leaf, 8 meta
  std::vector<std::size_t> places;
  for (std::size_t page = 0; page < bytes_.size(); page += kPageBytes) {
    const int flags = bytes_[page + kFlags];
    if ((flags == 1 || flags == 2 || flags == 8) && bytes_[page + kFlags + 1] == 0) {
      // header, table of nodes or meta data
      for (std::size_t i = 0; i < 160; ++i) places.push_back(page + i);
    }
  }
  for (const int bits : {1, 1, 1, 10, 10, 10, 100, 100, 1000, 1000})
    survive_in(copy_with(flipped(bytes_, places, bits, random)));
  report("bits_flipped_in_tree_pages");
}

TEST_F(Damage, flipped_bits_anywhere) {
  std::minstd_rand random(7);
  std::vector<std::size_t> places(bytes_.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  for (const int bits : {10, 100, 1000, 1000, 10'000, 10'000})
    survive_in(copy_with(flipped(bytes_, places, bits, random)));
  report("bits_flipped_anywhere");
}

TEST_F(Damage, flipped_bits_under_a_running_server) {
  std::minstd_rand random(8);
  std::vector<std::size_t> places(bytes_.size() - 2 * kPageBytes);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i + 2 * kPageBytes;
  const std::filesystem::path cache = copy_with(bytes_);
  {
    CachedServer server(cache);
    const auto before = server.fetch(square(0, kEdge));
    ASSERT_TRUE(before);
    overwrite(cache / "data.mdb", flipped(bytes_, places, 3000, random));
    for (const int index : {0, 1, 4}) {  // it may end here; what it answers must be right
      if (const auto got = server.fetch(square(index, kEdge)))
        wrong_ += truth_.wrong(*got, square(index, kEdge));
    }
    if (server.process().log().find("wiped") != std::string::npos) ++wiped_;
  }
  survive_in(cache);
  report("bits_flipped_while_running");
}

}  // namespace
}  // namespace terrane::drills
