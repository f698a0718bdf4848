#include "report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace flight {
namespace {

double resident_mb() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

void print_row(const char* name, std::vector<double>& values) {
  std::ranges::sort(values);
  const auto at = [&](std::size_t percent) { return values[(values.size() - 1) * percent / 100]; };
  std::printf("%-22s %8.3f %8.3f %8.3f\n", name, at(50), at(99), at(100));
}

}  // namespace

Report::Report(std::size_t frames) : memory_mb_{resident_mb()}, frames_(frames) {
  sdk_ms_.reserve(frames);
  sdk_processor_ms_.reserve(frames);
  frame_ms_.reserve(frames);
}

void Report::add(const FrameCost& cost, double frame_ms) {
  sdk_ms_.push_back(cost.sdk_ms);
  sdk_processor_ms_.push_back(cost.sdk_processor_ms);
  frame_ms_.push_back(frame_ms);
  meshes_ += cost.meshes;
  if (sdk_ms_.size() == frames_ / 2 || sdk_ms_.size() == frames_)
    memory_mb_.push_back(resident_mb());
}

void Report::tell(double seconds, std::size_t chunks) {
  if (sdk_ms_.empty()) return;
  std::printf("%-22s %8s %8s %8s\n", "ms a frame", "p50", "p99", "max");
  const auto slow = [](const std::vector<double>& all) {
    return std::ranges::count_if(all, [](double ms) { return ms > 2; });
  };
  print_row("SDK", sdk_ms_);
  print_row("SDK, of the processor", sdk_processor_ms_);
  print_row("all", frame_ms_);
  std::printf(
      "%zu frames in %.1f s, %td with over 2 ms in the SDK, %td of the processor; "
      "%.0f tiles meshed a second; %zu chunks at hand\n",
      sdk_ms_.size(), seconds, slow(sdk_ms_), slow(sdk_processor_ms_),
      static_cast<double>(meshes_) / seconds, chunks);
  std::printf("resident memory, MB:");
  for (const double mb : memory_mb_) std::printf(" %.0f", mb);
  std::printf("\n");
}

}  // namespace flight
