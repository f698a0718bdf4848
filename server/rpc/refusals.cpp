#include "rpc/refusals.h"

#include <algorithm>
#include <new>
#include <string>

#include "log.h"
#include "rpc/call.h"
#include "rpc/client_rules.h"

namespace terrane::rpc {
namespace {

constexpr std::chrono::minutes kBetweenLines{1};

/// ", request 7F000001:A6E2": where who called has given it a name.
std::string request_of(const Call& call) {
  const std::string id = call.request_id();
  return id.empty() ? id : ", request " + id;
}

}  // namespace

std::string checked_request_id(std::string_view text) {
  constexpr std::size_t kLongest = 128;
  const bool is_plain = std::ranges::all_of(text, [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z') ||
           std::string_view("-_.:").find(letter) != std::string_view::npos;
  });
  return is_plain && text.size() <= kLongest ? std::string(text) : std::string();
}

const char* to_string(Whose whose) { return whose == Whose::kWeighted ? "weighted" : "strangers"; }

Refusals::Refusals(ops::Metrics& metrics) {
  for (std::size_t i = 0; i < kReasons; ++i) {
    const auto name = to_string(static_cast<ErrorReason>(i));
    if (name.empty()) continue;
    for (const Whose whose : {Whose::kStrangers, Whose::kWeighted}) {
      reasons_[i].calls[static_cast<std::size_t>(whose)] = metrics.counter(
          "terrane_calls_refused_total",
          "Calls that ended with an error, by its reason, and by whether their clients have more "
          "shares than one (weighted) or not (strangers).",
          {{"reason", std::string(name)}, {"clients", to_string(whose)}});
    }
  }
}

void Refusals::note(const Call& call, const Error& error) noexcept {
  const auto number = static_cast<std::size_t>(error.reason);
  Reason& reason = reasons_[number < kReasons ? number : 0];
  reason.calls[static_cast<std::size_t>(whose(call.source().weight))].add();
  reason.unlogged.fetch_add(1, std::memory_order_relaxed);
  const auto now = Clock::now().time_since_epoch();
  Clock::rep due = reason.next_line.load(std::memory_order_relaxed);
  const Clock::rep next = (now + kBetweenLines).count();
  if (now.count() < due || !reason.next_line.compare_exchange_strong(due, next)) return;
  const auto besides = reason.unlogged.exchange(0) - 1;
  try {
    spdlog::info(
        "{} of {} ({}{}) is refused, {}{}: {}", to_string(call.record().method()),
        client_name(call.source().client, call.caller()), call.peer(), request_of(call),
        to_string(error.reason),
        besides == 0 ? "" : fmt::format(" (as were {} others since the last such line)", besides),
        error.message);
  } catch (const std::bad_alloc&) {
    // no line, then
  }
}

}  // namespace terrane::rpc
