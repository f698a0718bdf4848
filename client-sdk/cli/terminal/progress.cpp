#include "cli/terminal/progress.h"

#include <unistd.h>

#include <cmath>
#include <iostream>

#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

constexpr int kBarWidth = 20;  // the line fits 80 columns
constexpr std::chrono::milliseconds kRedraw{100};
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

Progress::Progress(std::uint64_t total)
    : visible_(isatty(STDERR_FILENO) == 1),
      total_(total),
      start_(std::chrono::steady_clock::now()),
      next_drawing_(start_) {}

Progress::~Progress() {
  if (visible_) std::cerr << kClearLine << std::flush;
}

void Progress::step() {
  ++done_;
  if (!visible_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_drawing_) return;
  next_drawing_ = now + kRedraw;
  std::cerr << kClearLine
            << progress_line(done_, total_, std::chrono::duration<double>(now - start_).count())
            << std::flush;
}

std::string progress_bar(std::uint64_t done, std::uint64_t total) {
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  const int filled = static_cast<int>(share * kBarWidth);
  std::string line = "[";
  line.append(static_cast<std::size_t>(filled), '#')
      .append(static_cast<std::size_t>(kBarWidth - filled), '.');
  line.append("] ").append(rounded(std::floor(share * 100), 0)).append(" %  ");
  line.append(std::to_string(done)).append(" of ").append(std::to_string(total));
  return line;
}

std::string progress_line(std::uint64_t done, std::uint64_t total, double elapsed_s) {
  std::string line = progress_bar(done, total);
  if (elapsed_s > 0 && done > 0) {
    const double rate = static_cast<double>(done) / elapsed_s;
    line.append(", ").append(rounded(rate, rate < 10 ? 1 : 0)).append("/s");
    line.append(", ")
        .append(duration_text(static_cast<double>(total - done) / rate))
        .append(" left");
  }
  return line;
}

}  // namespace terrane::cli
