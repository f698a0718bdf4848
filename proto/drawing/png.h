#pragma once

#include <memory>
#include <string>

#include "drawing/picture.h"
#include "terrane/result.h"

namespace terrane::drawing {

/// Makes a PNG file, a few rows at a time. Threads: one at a time.
class PngEncoder {
 public:
  /// @param picture  outlives it, and stays as it is
  explicit PngEncoder(const Picture& picture);
  ~PngEncoder();
  PngEncoder(const PngEncoder&) = delete;
  PngEncoder& operator=(const PngEncoder&) = delete;

  /// Encodes so many rows more. @return whether that was all. Errors: kInternal with what libpng
  /// says; then it is over.
  [[nodiscard]] Result<bool> add_rows(int rows);

  /// The file's bytes, once that was all.
  [[nodiscard]] std::string take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The bytes of a PNG file. Errors: kInternal with what libpng says.
[[nodiscard]] Result<std::string> encode_png(const Picture& picture);

}  // namespace terrane::drawing
