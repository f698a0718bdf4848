#pragma once

#include <string>
#include <vector>

/// Bytes that a decoder must refuse, each for one reason.
namespace terrane::test {

struct RefusedVector {
  std::string name;  // of its file
  std::string rule;  // of FORMAT.md: its section and what it breaks there
  std::string bytes;
};

/// All else about them is right: checksums match where they are not the reason.
[[nodiscard]] std::vector<RefusedVector> refused_vectors();

}  // namespace terrane::test
