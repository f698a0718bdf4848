#include "codec/raster_coder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "codec/byte_io.h"
#include "codec/numbers.h"
#include "codec/predictor.h"
#include "codec/residual_coder.h"
#include "codec/zigzag.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

/// How a raster is coded: the payload's first two bytes.
struct Plan {
  unsigned predictor = 0;
  unsigned grouping = 0;
  unsigned shift = 0;
  bool narrow = false;
};

constexpr std::size_t kPlanBytes = 2;
constexpr unsigned kGroupingAt = 4;  // above the predictor
constexpr unsigned kNarrowAt = 4;    // above the shift
constexpr unsigned kFieldMask = 15;

void append_plan(const Plan& plan, std::string& out) {
  append_u8(out, static_cast<std::uint8_t>(plan.predictor | plan.grouping << kGroupingAt));
  append_u8(out, static_cast<std::uint8_t>(plan.shift | (plan.narrow ? 1U << kNarrowAt : 0)));
}

Result<Plan> take_plan(std::string_view& payload) {
  if (payload.size() < kPlanBytes) return fail(ErrorCode::kDataLoss, "raster: cut off");
  const unsigned first = load_u8(payload, 0);
  const unsigned second = load_u8(payload, 1);
  payload.remove_prefix(kPlanBytes);
  const Plan plan{.predictor = first & kFieldMask,
                  .grouping = first >> kGroupingAt,
                  .shift = second & kFieldMask,
                  .narrow = second >> kNarrowAt != 0};
  const unsigned most_shift = plan.narrow ? kMaxNarrowShift : kMaxShift;
  if (plan.predictor >= kPredictors.size() || plan.grouping > kSparse || plan.shift > most_shift ||
      (plan.grouping == kSparse && plan.shift != 0) || second >> kNarrowAt > 1) {
    return fail(ErrorCode::kDataLoss, "raster: begins with the bytes " + std::to_string(first) +
                                          " and " + std::to_string(second) +
                                          ", an unknown predictor, grouping or shift");
  }
  return plan;
}

/// The sum of residuals of every `step`-th row from `first_row` on.
template <typename Word>
std::uint64_t sum_rows(unsigned predictor, const Numbers<Word>& numbers, std::size_t first_row,
                       std::size_t step) {
  std::uint64_t sum = 0;
  for (std::size_t y = first_row; y < numbers.size; y += step)
    sum += residual_sum(predictor, numbers, y);
  return sum;
}

/// A few rows find the two best predictors, some more decide between them; what remains of those
/// rows says which digits suit it.
template <typename Word>
Plan plan_for(const Numbers<Word>& numbers) {
  const std::size_t quarter = numbers.size / 4;
  std::array<std::uint64_t, kPredictors.size()> sums;
  for (unsigned predictor = 0; predictor < kPredictors.size(); ++predictor) {
    sums[predictor] = sum_rows(predictor, numbers, quarter / 2, quarter);
  }
  const auto best = static_cast<unsigned>(std::ranges::min_element(sums) - sums.begin());
  const std::uint64_t best_of_few = sums[best];
  sums[best] = ~std::uint64_t{0};
  const auto second = static_cast<unsigned>(std::ranges::min_element(sums) - sums.begin());
  // the second one has a chance only where it is close
  constexpr std::uint64_t kClose = 8;  // by an eighth of the best one's sum
  const bool close = sums[second] - best_of_few <= best_of_few / kClose;
  std::uint64_t sum = sum_rows(best, numbers, 1, quarter / 2);
  Plan plan{.predictor = best};
  if (close) {
    const std::uint64_t second_sum = sum_rows(second, numbers, 1, quarter / 2);
    if (second_sum < sum) plan.predictor = second;
    sum = std::min(sum, second_sum);
  }

  // Means, in 1/64, up to which a grouping was the smallest for layers of the worlds `perlin` and
  // `classic` at lods 0 to 5.
  constexpr std::array<std::uint64_t, kSparse + 1> kMeans = {~std::uint64_t{0}, 218, 70, 10};
  const std::uint64_t mean = 64 * sum / (8 * numbers.size);
  while (plan.grouping < kSparse && mean <= kMeans[plan.grouping + 1]) ++plan.grouping;
  const auto mean_bits = static_cast<unsigned>(std::bit_width(mean / 64));
  plan.shift = std::min(std::max(mean_bits, 4U) - 4U, kMaxShift);
  return plan;
}

template <typename Word>
Plan make_plan_and_residuals(const Numbers<Word>& numbers, Word* residuals) {
  Plan plan = plan_for(numbers);
  const Word any_bits = find_residuals(plan.predictor, numbers, residuals);
  if constexpr (sizeof(Word) == 2) {
    plan.narrow = any_bits >> kNarrowResidualBits == 0 && plan.shift <= kMaxNarrowShift;
  }
  return plan;
}

template <typename Word, typename Sample>
void encode_as(std::span<const Sample> samples, std::size_t size, const Scaling& scaling,
               std::string& out) {
  const Numbers<Word> numbers(size);
  to_numbers(samples, scaling, numbers);
  std::array<Word, kMaxDigits> residuals;
  const Plan plan = make_plan_and_residuals(numbers, residuals.data());
  append_plan(plan, out);
  append_varint(out, zigzag(scaling.base));
  append_varint(out, scaling.scale);
  encode_residuals(std::span<const Word>(residuals).first(samples.size()),
                   {plan.grouping, plan.shift}, out);
}

template <typename Word, typename Sample>
Result<void> decode_as(std::string_view bytes, std::size_t size, const Plan& plan,
                       const Scaling& scaling, std::span<Sample> out) {
  constexpr unsigned kLimitBits = sizeof(Word) == 2 ? kNarrowResidualBits : kResidualBits;
  constexpr std::uint32_t kLimit = sizeof(Word) == 2 ? kNarrowLimit : kNumberLimit;
  const Numbers<Word> numbers(size);
  TERRANE_RETURN_IF_ERROR(
      decode_residuals(bytes, {plan.grouping, plan.shift}, kLimitBits, numbers));
  restore_numbers(plan.predictor, numbers);
  if (to_samples(numbers, scaling, out) < kLimit) return {};
  return fail(ErrorCode::kDataLoss, "raster: a number is not below " + std::to_string(kLimit));
}

}  // namespace

template <typename Sample>
bool encode_raster(std::span<const Sample> samples, std::size_t size, std::string& out) {
  const Scaling scaling = find_scaling(samples);
  if constexpr (sizeof(Sample) == 1) {
    encode_as<std::uint16_t>(samples, size, scaling, out);
    return true;
  } else {
    if (scaling.limit >= kNumberLimit) return false;
    if (scaling.limit < kNarrowLimit) {
      encode_as<std::uint16_t>(samples, size, scaling, out);
    } else {
      encode_as<std::uint32_t>(samples, size, scaling, out);
    }
    return true;
  }
}

template <typename Sample>
Result<void> decode_raster(std::string_view payload, std::size_t size, std::span<Sample> out) {
  TERRANE_ASSIGN_OR_RETURN(const Plan plan, take_plan(payload));
  const std::optional<std::uint32_t> base = take_varint(payload);
  const std::optional<std::uint32_t> scale = take_varint(payload);
  if (!base || !scale)
    return fail(ErrorCode::kDataLoss, "raster: base or scale is cut off or exceeds 32 bits");
  const Scaling scaling{.base = unzigzag(*base), .scale = *scale};
  return plan.narrow ? decode_as<std::uint16_t>(payload, size, plan, scaling, out)
                     : decode_as<std::uint32_t>(payload, size, plan, scaling, out);
}

template bool encode_raster<std::int32_t>(std::span<const std::int32_t>, std::size_t, std::string&);
template bool encode_raster<std::int16_t>(std::span<const std::int16_t>, std::size_t, std::string&);
template bool encode_raster<std::uint8_t>(std::span<const std::uint8_t>, std::size_t, std::string&);
template Result<void> decode_raster<std::int32_t>(std::string_view, std::size_t,
                                                  std::span<std::int32_t>);
template Result<void> decode_raster<std::int16_t>(std::string_view, std::size_t,
                                                  std::span<std::int16_t>);
template Result<void> decode_raster<std::uint8_t>(std::string_view, std::size_t,
                                                  std::span<std::uint8_t>);

}  // namespace terrane::codec
