#include "http/cors.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

namespace terrane::http {
namespace {

/// "https://maps.example:8080": a scheme and a host, without anything behind them.
bool is_origin(std::string_view text) {
  constexpr std::string_view kBetween = "://";
  const auto at = text.find(kBetween);
  if (at == std::string_view::npos || at == 0) return false;
  const std::string_view host = text.substr(at + kBetween.size());
  const auto is_bad = [](char c) { return c <= ' ' || c > '~' || ('A' <= c && c <= 'Z'); };
  return !host.empty() && host.find_first_of("/?#*@") == std::string_view::npos &&
         std::ranges::none_of(text, is_bad);
}

}  // namespace

Result<Cors> Cors::parse(std::string_view origins) {
  Cors cors;
  cors.is_for_all_ = origins == "*";
  while (!origins.empty() && !cors.is_for_all_) {
    const std::string_view origin = origins.substr(0, origins.find(','));
    if (!is_origin(origin)) {
      return tl::unexpected(Error{
          ErrorCode::kInvalidArgument,
          fmt::format("'{}' is no origin; write it as browsers do, in lower case and without a "
                      "path: https://maps.example or http://localhost:8080, several with commas "
                      "between them, or * for all",
                      origin)});
    }
    cors.origins_.emplace_back(origin);
    origins.remove_prefix(std::min(origins.size(), origin.size() + 1));
  }
  return cors;
}

bool Cors::allows(std::string_view origin) const { return is_for_all_ || names(origin); }

bool Cors::names(std::string_view origin) const {
  return std::ranges::find(origins_, origin) != origins_.end();
}

Reply Cors::allowing(std::string_view origin, Reply reply) const {
  if (!is_for_all_ && origins_.empty()) return reply;
  std::vector<std::pair<std::string, std::string>> fields;
  if (!is_for_all_) fields.emplace_back("Vary", "Origin");
  if (allows(origin)) {
    fields.emplace_back("Access-Control-Allow-Origin", is_for_all_ ? "*" : origin);
    fields.emplace_back("Access-Control-Expose-Headers", "ETag, Retry-After");
  }
  return [fields = std::move(fields), reply = std::move(reply)](Page page) {
    page.fields.insert(page.fields.end(), fields.begin(), fields.end());
    reply(std::move(page));
  };
}

Page Cors::preflight() const {
  constexpr unsigned kNoContent = 204;
  if (!is_for_all_ && origins_.empty()) return only_reading();
  return {.status = kNoContent,
          .fields = {{"Access-Control-Allow-Methods", "GET, HEAD"},
                     {"Access-Control-Allow-Headers", "Authorization, If-None-Match"},
                     {"Access-Control-Max-Age", "86400"}}};
}

}  // namespace terrane::http
