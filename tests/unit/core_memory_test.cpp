// Where terrane_core takes its memory from, as games load it: the program's operator new.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include "terrane/terrane.h"
#include "worlds/world_catalog.h"

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}

namespace {

std::atomic<std::size_t> taken = 0;           // by operator new
std::atomic<std::ptrdiff_t> outstanding = 0;  // taken and not given back
thread_local bool watched = false;
thread_local std::size_t from_malloc = 0;  // by the C library's functions, while watched

/// A program's allocator: what it hands out is told by what stands before it.
constexpr std::size_t kRoom = 64;
constexpr std::size_t kMark = 0x7e44a9e5;

void* take(std::size_t bytes) {
  void* const memory = __libc_malloc(bytes + 2 * kRoom);
  if (memory == nullptr) throw std::bad_alloc();
  auto* const at = static_cast<std::byte*>(memory);
  std::byte* const piece =
      at + kRoom + (kRoom - reinterpret_cast<std::uintptr_t>(at) % kRoom) % kRoom;
  auto* const words = reinterpret_cast<std::size_t*>(piece) - 2;
  words[0] = reinterpret_cast<std::size_t>(memory);
  words[1] = kMark;
  ++taken;
  ++outstanding;
  return piece;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  auto* const words = static_cast<std::size_t*>(memory) - 2;
  if (words[1] != kMark) std::abort();  // not of this allocator
  words[1] = 0;
  --outstanding;
  __libc_free(reinterpret_cast<void*>(words[0]));
}

}  // namespace

// The C library's functions, which nothing in the library is to call.
extern "C" {
void* malloc(std::size_t bytes) noexcept {
  from_malloc += watched;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  from_malloc += watched;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  from_malloc += watched;
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  from_malloc += watched;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  from_malloc += watched;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
}

void* operator new(std::size_t bytes) { return take(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (static_cast<std::size_t>(alignment) > kRoom) std::abort();
  return take(bytes);
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

namespace {

template <typename Struct>
Struct sized() {
  Struct value{};
  value.struct_size = sizeof value;
  return value;
}

/// A game's whole life with the library: a world, land around a walker, a mesh, ground.
/// @return triangles drawn
std::size_t play(const std::vector<std::byte>& compiled) {
  terrane_world* world = nullptr;
  EXPECT_EQ(
      terrane_world_open(TERRANE_ABI_VERSION, compiled.data(), compiled.size(), &world, nullptr),
      TERRANE_OK);
  auto options = sized<terrane_explore_options>();
  options.seed = 7;
  options.view_distances[0] = 2;
  options.view_distances[1] = 2;
  terrane_explorer* explorer = nullptr;
  EXPECT_EQ(terrane_explorer_create_local(TERRANE_ABI_VERSION, world, &options, &explorer, nullptr),
            TERRANE_OK);
  terrane_mesh* mesh = nullptr;
  EXPECT_EQ(terrane_mesh_create(TERRANE_ABI_VERSION, &mesh, nullptr), TERRANE_OK);
  terrane_land* const land = terrane_explorer_land(explorer);
  std::size_t triangles = 0;
  for (double x = 0; x < 400; x += 100) {
    terrane_pose pose{};
    pose.x = x;
    EXPECT_EQ(terrane_explorer_move(explorer, &pose, 0, nullptr), TERRANE_OK);
    while (terrane_explorer_work(explorer) != 0) {
    }
    terrane_event events[64];
    while (terrane_explorer_poll(explorer, events, 64) > 0) {
    }
    terrane_change changes[64];
    for (std::size_t count = 0; (count = terrane_land_take_changes(land, changes, 64)) > 0;) {
      for (std::size_t i = 0; i < count; ++i) {
        if (changes[i].kind != TERRANE_DRAW) continue;
        if (terrane_land_mesh(land, &changes[i].tile, mesh, nullptr) != TERRANE_OK) continue;
        auto info = sized<terrane_mesh_info>();
        terrane_mesh_get_info(mesh, &info);
        triangles += info.index_count / 3;
      }
    }
  }
  terrane_mesh_destroy(mesh);
  terrane_explorer_destroy(explorer);
  terrane_world_close(world);
  return triangles;
}

TEST(core_memory, what_a_shared_library_takes_elsewhere_is_counted) {
  watched = true;
  try {
    throw std::bad_alloc();  // libstdc++ takes memory for it by malloc
  } catch (const std::bad_alloc&) {
  }
  watched = false;
  EXPECT_GT(from_malloc, 0u);
}

TEST(core_memory, all_of_it_is_of_the_programs_operator_new_and_is_given_back) {
  const std::vector<std::byte> compiled =
      terrane::worlds::builtin_worlds().value().at("continents")->compiled;
  const std::size_t taken_before = taken;
  const std::ptrdiff_t outstanding_before = outstanding;
  std::size_t triangles = 0, elsewhere = 0;
  // on a thread of its own, so that what the library remembers for a thread goes with it
  std::thread([&] {
    watched = true;
    triangles = play(compiled);
    watched = false;
    elsewhere = from_malloc;
  }).join();
  EXPECT_GT(triangles, 10000u);
  EXPECT_GT(taken - taken_before, 1000u);
  // the C library's own note that something of the thread is to be given back
  EXPECT_LE(elsewhere, 1u);
  EXPECT_EQ(outstanding, outstanding_before);
}

}  // namespace
