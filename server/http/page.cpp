#include "http/page.h"

#include <algorithm>
#include <cstdint>

#include "rpc/json_answers.h"

namespace terrane::http {
namespace {

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kOutOfRange: return 400;
    case ErrorCode::kUnauthenticated: return 401;
    case ErrorCode::kPermissionDenied: return 403;
    case ErrorCode::kNotFound:
    case ErrorCode::kFailedPrecondition: return 404;
    case ErrorCode::kResourceExhausted: return 429;
    case ErrorCode::kCancelled:
    case ErrorCode::kUnavailable: return 503;
    case ErrorCode::kDeadlineExceeded: return 504;
    case ErrorCode::kInternal:
    case ErrorCode::kDataLoss: break;
  }
  return 500;
}

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

}  // namespace

Page text_page(unsigned status, std::string_view line) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = shared(std::string(line) + "\n")};
}

Page only_reading() {
  Page page = text_page(405, "only GET and HEAD are answered here");
  page.fields.emplace_back("Allow", "GET, HEAD");
  return page;
}

Page json_page(std::string json) {
  return {.content_type = "application/json",
          .body = shared(std::move(json)),
          .cache_control = "no-cache"};
}

Page error_page(const Error& error) {
  Page page = json_page(rpc::error_json(error));
  page.status = status_of(error.code);
  page.cache_control = "no-store";
  if (page.status == 401) page.fields.emplace_back("WWW-Authenticate", "Bearer");
  if (error.retry_after) {
    constexpr std::int64_t kMsPerSecond = 1000;
    const std::int64_t seconds = (error.retry_after->count() + kMsPerSecond - 1) / kMsPerSecond;
    page.fields.emplace_back("Retry-After", std::to_string(std::max<std::int64_t>(seconds, 1)));
  }
  return page;
}

}  // namespace terrane::http
