#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "terrane/coord.h"
#include "terrane/pose.h"

namespace terrane::cli {

/// What became of the chunks that came into view.
struct ArrivalCounts {
  std::uint64_t wanted = 0;  // came into view and were not at hand
  std::uint64_t served = 0;  // of these (or of those wanted before), arrived while in view
  std::uint64_t missed = 0;  // of these, went out of view before they came
  // of each one served, from the move that brought it into view to its arrival
  std::vector<double> waits_ms = {};
};

/// How long it took after a jump, in milliseconds; none: not yet.
struct Milestones {
  std::optional<double> first_ms;  // to the chunk underfoot
  std::optional<double> near_ms;   // to all in view of the 3 x 3 around it
  std::optional<double> full_ms;   // to all in view
};

/// What one viewer sees, wants and has, at lod 0: a disc of chunks around the one that it is in.
/// Told of every move and every arrival; the time is the caller's.
class ViewAccount {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// @param radius  chunks
  ViewAccount(int radius, int chunk_size);

  /// The viewer appears somewhere or is put elsewhere: the milestones start anew.
  void jump(const Pose& to, Time now);
  void move(const Pose& to, Time now);

  /// @return whether the chunk was wanted
  bool arrive(ChunkCoord chunk, Time now);
  /// The viewer has a chunk no longer.
  void leave(ChunkCoord chunk, Time now);

  [[nodiscard]] const Milestones& milestones() const { return milestones_; }
  [[nodiscard]] bool full() const { return waiting_ == 0; }
  // chunks in view that have not come
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  // chunks, whether they have come or not
  [[nodiscard]] std::size_t in_view() const { return offsets_.size(); }

  /// Whether the chunk underfoot is there.
  [[nodiscard]] bool on_land() const { return has(at_); }
  /// The longest time that it was not, in milliseconds, up to now; jumps do not count.
  [[nodiscard]] double longest_outran_ms(Time now) const;
  /// Chunks in view east of the one underfoot that are there, up to the first that is not; 0 when
  /// that one is not.
  [[nodiscard]] int reach_east() const;

  /// The counts since the last call.
  [[nodiscard]] ArrivalCounts take_counts();

 private:
  enum class State : std::uint8_t { kNothing, kWanted, kHeld };

  struct Cell {
    ChunkCoord chunk;
    State state = State::kNothing;
    Time since;  // when it came into view
  };

  [[nodiscard]] std::size_t index(ChunkCoord chunk) const;
  [[nodiscard]] State state(ChunkCoord chunk) const;
  [[nodiscard]] bool has(ChunkCoord chunk) const { return state(chunk) == State::kHeld; }
  void want(ChunkCoord chunk, Time now);
  [[nodiscard]] bool sees(ChunkCoord chunk) const;
  void look_around(Time now);
  void note_milestones(Time now);

  int radius_, chunk_size_;
  std::vector<ChunkCoord> offsets_;  // of the chunks in view
  ChunkCoord at_;
  bool somewhere_ = false;  // false until the first jump
  std::int64_t width_;      // of the square of cells, which is addressed modulo this
  std::vector<Cell> cells_;
  std::size_t waiting_ = 0;
  ArrivalCounts counts_;
  Milestones milestones_;
  Time jumped_;
  std::optional<Time> outran_since_;
  double longest_outran_ms_ = 0;
};

}  // namespace terrane::cli
