#include "worldgen/noise/simd_target.h"

#include <array>
#include <string>
#include <vector>

#include "hwy/targets.h"
#include "worldgen/noise/x86_features.h"

namespace terrane::worldgen::noise {

namespace {

struct TargetRow {
  SimdTarget target;
  std::string_view name;
  std::int64_t highway;  // Highway's bit for it
};

constexpr std::array<TargetRow, 6> kTargets{{{SimdTarget::kScalar, "scalar", HWY_SCALAR},
                                             {SimdTarget::kSsse3, "ssse3", HWY_SSSE3},
                                             {SimdTarget::kSse4, "sse4", HWY_SSE4},
                                             {SimdTarget::kAvx2, "avx2", HWY_AVX2},
                                             {SimdTarget::kAvx512, "avx512", HWY_AVX3},
                                             {SimdTarget::kNeon, "neon", HWY_NEON}}};

/// Highway's bits of what this CPU runs.
std::int64_t cpu_targets() {
#if HWY_ARCH_X86 && !defined(HWY_COMPILE_ONLY_STATIC)
  // once: a virtual machine's host answers such a question, and takes its time
  static const X86Features features = x86_features();
  return (features.ssse3 ? HWY_SSSE3 : 0) | (features.sse4 ? HWY_SSE4 : 0) |
         (features.avx2 ? HWY_AVX2 : 0) | (features.avx512 ? HWY_AVX3 : 0);
#else
  return HWY_TARGETS;  // one instruction set per build: what the compiler may use, the CPU has
#endif
}

}  // namespace

std::string_view to_string(SimdTarget target) {
  for (const TargetRow& row : kTargets) {
    if (row.target == target) return row.name;
  }
  return "unknown";
}

std::vector<SimdTarget> supported_targets() {
  const std::int64_t available = (cpu_targets() | HWY_SCALAR) & HWY_TARGETS;
  std::vector<SimdTarget> targets;
  for (const TargetRow& row : kTargets) {
    if (available & row.highway) targets.push_back(row.target);
  }
  // A build for one instruction set may be for one without a name here.
  if (targets.empty()) targets.push_back(SimdTarget::kScalar);
  return targets;
}

Result<SimdTarget> choose_target(std::string_view name) {
  const std::vector<SimdTarget> targets = supported_targets();
  if (name.empty()) return targets.back();
  std::string names;
  for (const SimdTarget target : targets) {
    if (to_string(target) == name) return target;
    names += (names.empty() ? "" : ", ") + std::string(to_string(target));
  }
  return fail(ErrorCode::kInvalidArgument,
              "instruction set '" + std::string(name) +
                  "' is not one that this machine and build can use: " + names);
}

}  // namespace terrane::worldgen::noise
