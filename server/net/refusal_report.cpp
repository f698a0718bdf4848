#include "net/refusal_report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <numeric>

namespace terrane::net {
namespace {

constexpr std::chrono::minutes kBetweenLines{1};
constexpr std::size_t kMostClients = 1024;

}  // namespace

void RefusalReport::note(Refusal refusal, const AddressBytes& client) {
  ++counts_[static_cast<std::size_t>(refusal)];
  if (const auto known = by_client_.find(client); known != by_client_.end()) {
    ++known->second;
  } else if (by_client_.size() < kMostClients) {
    by_client_.emplace(client, 1);
  }
}

std::string RefusalReport::line(Clock::time_point now, const ConnectionLimits& limits) {
  const auto total = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  if (total == 0 || (last_ && now - *last_ < kBetweenLines)) return "";
  const auto most =
      std::max_element(by_client_.begin(), by_client_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string text =
      fmt::format("{} connections closed as soon as they came, {} of them from {}:", total,
                  most->second, client_text(most->first));
  const auto count = [&](Refusal refusal) { return counts_[static_cast<std::size_t>(refusal)]; };
  if (const auto past = count(Refusal::kClient); past > 0)
    text += fmt::format(" {} past what one client may have (at most {}, never more than are free);",
                        past, limits.per_client);
  if (const auto past = count(Refusal::kTotal); past > 0)
    text += fmt::format(" {} past {} in all;", past, limits.total);
  if (const auto past = count(Refusal::kDescriptors); past > 0)
    text += fmt::format(" {} for want of a descriptor (ulimit -n);", past);
  if (const auto past = count(Refusal::kSentAway); past > 0)
    text += fmt::format(" {} of clients that have been sent away for a while;", past);
  if (const auto past = count(Refusal::kProxyHeader); past > 0)
    text += fmt::format(" {} of trusted proxies that did not say for whom (PROXY header);", past);
  text.back() = '.';
  counts_ = {};
  by_client_.clear();
  last_ = now;
  return text;
}

}  // namespace terrane::net
