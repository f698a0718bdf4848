#include "tokens.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "terrane/result_macros.h"

namespace terrane::client {
namespace {

constexpr std::size_t kMaxBytes = 7168;  // servers take 8 KiB of headers
// Before its end, or a fifth of its time if that is less.
constexpr std::chrono::seconds kAhead{60};
// before the provider is asked again that has failed while the token is still right
constexpr std::chrono::seconds kPause{5};

Result<void> check(const Token& token) {
  const auto is_visible = [](char byte) { return byte > ' ' && byte < '\x7f'; };
  if (token.text.empty()) return fail(ErrorCode::kInvalidArgument, "the token is empty");
  if (token.text.size() > kMaxBytes) {
    return fail(ErrorCode::kInvalidArgument,
                "the token has " + std::to_string(token.text.size()) + " bytes, and may have 7168");
  }
  if (!std::ranges::all_of(token.text, is_visible)) {
    return fail(ErrorCode::kInvalidArgument,
                "the token has blanks, line ends or other bytes that are not visible ASCII");
  }
  return {};
}

std::string_view host_of(std::string_view address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  return address.substr(0, address.rfind(':'));
}

}  // namespace

bool Tokens::is_right(SystemTime now) const { return token_ && now < token_->expires; }

/// Never throws, so that others go on: whatever the provider throws is an error.
Result<Token> Tokens::ask() {
  try {
    TERRANE_ASSIGN_OR_RETURN(Token token, provider_());
    TERRANE_RETURN_IF_ERROR(check(token));
    return token;
  } catch (const std::exception& failure) {
    return fail(ErrorCode::kUnauthenticated,
                std::string("the token provider threw: ") + failure.what());
  } catch (...) {
    return fail(ErrorCode::kUnauthenticated, "the token provider threw");
  }
}

Result<std::string> Tokens::get(SystemTime now) {
  if (!provider_) return std::string();
  {
    const MutexLock lock(mutex_);
    while (is_asking_ && !is_right(now)) asked_.wait(mutex_);
    if (is_right(now) && (is_asking_ || now < renew_at_)) return token_->text;
    is_asking_ = true;
  }
  auto token = ask();
  const MutexLock lock(mutex_);
  is_asking_ = false;
  asked_.notify_all();
  if (token) {
    token_ = *std::move(token);
    const bool ends = token_->expires != SystemTime::max();
    const auto left = ends ? token_->expires - now : SystemTime::duration::max();
    renew_at_ = ends ? token_->expires - std::min<SystemTime::duration>(kAhead, left / 5)
                     : SystemTime::max();
    return token_->text;
  }
  if (!is_right(now)) return tl::unexpected(std::move(token).error());
  renew_at_ = now + kPause;
  return token_->text;
}

void Tokens::note(const Error& failure) {
  if (failure.reason != ErrorReason::kTokenExpired && failure.reason != ErrorReason::kTokenInvalid)
    return;
  const MutexLock lock(mutex_);
  token_.reset();
}

bool is_on_this_machine(std::string_view address) {
  for (;;) {
    const std::size_t comma = std::min(address.find(','), address.size());
    const std::string_view one = address.substr(0, comma);
    const std::string_view host = host_of(one);
    const bool is_here = one.starts_with("unix:") || host == "localhost" || host == "::1" ||
                         host.starts_with("127.");
    if (!is_here) return false;
    if (comma == address.size()) return true;
    address.remove_prefix(comma + 1);
  }
}

}  // namespace terrane::client
