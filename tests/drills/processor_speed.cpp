#include "drills/processor_speed.h"

#include <chrono>

#include "schedule/processor_time.h"
#include "worldgen/noise/fractal_noise.h"

namespace terrane::drills {
namespace {

using namespace std::chrono_literals;
namespace noise = worldgen::noise;

constexpr auto kBetween = 20ms;
constexpr int kPieces = 8;  // at a time

/// Twelve octaves of noise, as terrain is made of.
void do_piece() {
  constexpr noise::FractalNoise kNoise{
      .frequency = {.cells = 1, .blocks = 2048}, .octaves = 12, .gain = 0.5f};
  constexpr int kSize = 64;
  alignas(64) static float values[kSize * kSize];
  noise::fill_fractal_noise(kNoise, 1, {.origin = {}, .width = kSize, .height = kSize},
                            noise::supported_targets().back(), values);
}

}  // namespace

ProcessorSpeed::ProcessorSpeed() : thread_([this] { measure(); }) {}

ProcessorSpeed::~ProcessorSpeed() {
  if (thread_.joinable()) static_cast<void>(stop());
}

double ProcessorSpeed::stop() {
  is_enough_ = true;
  thread_.join();
  return pieces_ / seconds_;
}

void ProcessorSpeed::measure() {
  do {
    do_piece();  // after which it is in the processor's caches, whoever was there before
    const auto start = schedule::processor_time_of_thread();
    for (int i = 0; i < kPieces; ++i) do_piece();
    const std::chrono::duration<double> took = schedule::processor_time_of_thread() - start;
    pieces_ += kPieces;
    seconds_ += took.count();
    std::this_thread::sleep_for(kBetween);
  } while (!is_enough_);
}

}  // namespace terrane::drills
