// What clients are charged beside their calls, and may owe for it.
#include <algorithm>
#include <chrono>
#include <utility>

#include "rpc/request_reads.h"

namespace terrane::rpc {
namespace {

// What a client may have saved: its part for a while, and some calls.
constexpr std::chrono::milliseconds kSavings{100};
constexpr double kSavedCalls = 8;
// What it may owe for its connections: its part for a while, for which its calls wait at most, and
// some of them.
constexpr std::chrono::milliseconds kMostOwed{500};
constexpr int kOwedConnections = 32;
// And for what comes on them, before that is paused: a megabyte, with which a player resumes where
// thousands do, is no matter.
constexpr std::chrono::milliseconds kMostReceived{160}, kAlwaysReceived{10};
constexpr std::chrono::seconds kLongestPause{4};

}  // namespace

/// Processors. Also of who is alone, as far as anybody knows: those who come would have to wait.
double RequestReads::part_of_received(const Client& client) const {
  return kReceived * (pace_.is_held() ? pace_.part_of(client.weight) : bounds_.processors);
}

bool RequestReads::has_credit(Client& client, Clock::time_point now) {
  const CallPace::Seconds time = now - std::exchange(client.credited, now);
  client.received -= std::min<CallPace::Seconds>(client.received, part_of_received(client) * time);
  if (!pace_.is_held()) {
    client.credit = client.owed = {};
    return true;
  }
  const double part = pace_.part_of(client.weight);
  const CallPace::Seconds most = part * kSavings + kSavedCalls * pace_.cost();
  client.credit = std::min<CallPace::Seconds>(client.credit + part * time, most);
  client.owed = std::max<CallPace::Seconds>(client.owed - part * time, {});
  return client.credit > CallPace::Seconds(0);
}

void RequestReads::charge(std::uint64_t client, std::chrono::nanoseconds cost) {
  const MutexLock lock(mutex_);
  const auto found = clients_.find(client);
  if (found != clients_.end()) found->second.credit -= cost;
}

/// What is no call, and counts as as many calls as it is worth.
RequestReads::Client& RequestReads::charge_besides(const schedule::Source& source,
                                                   CallPace::Seconds cost) {
  const auto now = Clock::now();
  adapt_pace(now);
  Client& client = clients_[source.client];
  client.weight = std::max(client.weight, source.weight);
  static_cast<void>(has_credit(client, now));  // as of now
  client.begun += cost / pace_.cost();
  const CallPace::Seconds most = pace_.part_of(client.weight) * kMostOwed;
  client.credit = std::max<CallPace::Seconds>(client.credit - cost, std::min(client.credit, -most));
  return client;
}

bool RequestReads::charge_connection(const schedule::Source& source,
                                     std::chrono::nanoseconds cost) {
  const MutexLock lock(mutex_);
  Client& client = charge_besides(source, cost);
  client.seen = Clock::now();
  client.owed += cost;
  const auto most = pace_.part_of(client.weight) * kMostOwed + kOwedConnections * cost;
  const bool owes_too_much = pace_.is_held() && client.owed > most;
  forget_if_idle(source.client);
  return owes_too_much;
}

bool RequestReads::holds_back() {
  const MutexLock lock(mutex_);
  adapt_pace(Clock::now());
  return pace_.is_held();
}

std::chrono::nanoseconds RequestReads::charge_received(const schedule::Source& source,
                                                       std::chrono::nanoseconds cost, bool waits) {
  const MutexLock lock(mutex_);
  Client& client = charge_besides(source, cost);
  const auto now = Clock::now();
  if (waits) client.seen = now;
  client.received += cost;
  const double part = part_of_received(client);
  CallPace::Seconds pause{0};
  if (client.received > part * kMostReceived + kAlwaysReceived) {
    pause = std::min<CallPace::Seconds>(client.received / part, kLongestPause);
    client.received = part * pause;  // the rest is forgiven
    client.paused_until = now + std::chrono::duration_cast<Clock::duration>(pause);
  }
  forget_if_idle(source.client);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(pause);
}

}  // namespace terrane::rpc
