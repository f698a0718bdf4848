#include "net/ignored_clients.h"

#include <algorithm>

namespace terrane::net {

bool IgnoredClients::note_refused(const AddressBytes& client, Clock::time_point now) {
  return take(client, 1, now);
}

bool IgnoredClients::note_greedy(const AddressBytes& client, Clock::time_point now) {
  return take(client, kGreedy, now);
}

bool IgnoredClients::take(const AddressBytes& client, double tokens, Clock::time_point now) {
  ignored_.reserve(kMost);
  if (buckets_.size() >= kMostKnown && !buckets_.contains(client)) forget_the_fullest();
  Bucket& bucket = buckets_.try_emplace(client, Bucket{.as_of = now}).first->second;
  fill(bucket, now);
  bucket.tokens = std::max(bucket.tokens - tokens, 0.0);
  if (bucket.tokens >= 1 || ignored_.size() >= kMost) return false;
  if (std::ranges::find(ignored_, client) != ignored_.end()) return false;  // had queued up before
  ignored_.push_back(client);
  return true;
}

bool IgnoredClients::look_after(Clock::time_point now) {
  for (auto& [client, bucket] : buckets_) fill(bucket, now);
  const auto may_come = [this](const AddressBytes& client) {
    const auto found = buckets_.find(client);
    return found == buckets_.end() || found->second.tokens >= kASecond;
  };
  const bool has_changed = std::erase_if(ignored_, may_come) > 0;
  std::erase_if(buckets_, [](const auto& each) { return each.second.tokens >= kAtOnce; });
  return has_changed;
}

void IgnoredClients::forget_the_fullest() {
  const auto tokens = [](const auto& each) { return each.second.tokens; };
  buckets_.erase(std::ranges::max_element(buckets_, {}, tokens));
}

void IgnoredClients::fill(Bucket& bucket, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - bucket.as_of).count();
  bucket.tokens = std::min(bucket.tokens + kASecond * seconds, kAtOnce);
  bucket.as_of = now;
}

}  // namespace terrane::net
