// The land around the viewer: an explorer, and a world file with threads that make its chunks, or a
// connection with a server that sends them.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "terrane/connection.h"
#include "terrane/terrane.h"

namespace flight {

class Ground;
class Things;

template <auto kDestroy>
struct Destroyer {
  template <typename T>
  void operator()(T* object) const {
    kDestroy(object);
  }
};

/// What a frame asked of the library.
struct FrameCost {
  double sdk_ms = 0;            // in what it was asked
  double sdk_processor_ms = 0;  // of them, those that this thread was running
  int meshes = 0;
  bool is_all = false;  // that is at hand is drawn
};

class Land {
 public:
  /// @param source  a world file, or a server: ws://HOST:PORT
  /// @param judged  a server's land is made here, and it says where that is wrong
  /// @param name    of the server's world
  /// @param radius  tiles in full detail to each side; coarser levels reach 8 of theirs
  /// Errors: throws std::runtime_error for a file that is no world, or a server that has none.
  Land(const std::string& source, bool judged, const std::string& name, std::uint64_t seed,
       int radius);
  ~Land();
  Land(const Land&) = delete;
  Land& operator=(const Land&) = delete;

  /// Once a frame: says where the viewer is, and takes up what has come, for at most `budget_ms`.
  /// Errors: throws std::runtime_error with what a server said that sends nothing any more.
  FrameCost frame(const terrane_pose& pose, Ground& ground, Things& things, double budget_ms);

  [[nodiscard]] const terrane_world* world() const { return world_.get(); }
  [[nodiscard]] const terrane_world_info& info() const { return info_; }
  [[nodiscard]] const terrane_land* chunks() const {
    return terrane_explorer_land(explorer_.get());
  }
  [[nodiscard]] terrane_ground ground(double x, double y) const;
  /// What a body is to be moved out of first; of distance 0: nothing.
  [[nodiscard]] terrane_obstacle obstacle(const terrane_body& body) const;
  /// How far the coarsest level reaches, in blocks.
  [[nodiscard]] float sight() const { return sight_; }

 private:
  void work();
  void open_rooms(const terrane_chunk& chunk, FrameCost& cost);
  [[noreturn]] void give_up() const;

  std::unique_ptr<terrane_world, Destroyer<terrane_world_close>> world_;
  std::unique_ptr<terrane_explorer, Destroyer<terrane_explorer_destroy>> explorer_;
  std::unique_ptr<terrane_mesh, Destroyer<terrane_mesh_destroy>> mesh_;
  terrane_world_info info_{};
  std::vector<terrane_tile> forests_;  // that are to be put, the next at last
  float sight_ = 0;
  std::atomic<std::uint32_t> moves_ = 0;  // the threads sleep until it changes
  std::atomic<bool> ends_ = false;
  // they end before what they use goes
  std::unique_ptr<terrane_connection, Destroyer<terrane_connection_close>> connection_;
  std::vector<std::jthread> threads_;
};

}  // namespace flight
