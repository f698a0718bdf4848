#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/page.h"
#include "terrane/result.h"

namespace terrane::http {

/// Which pages of other origins may read answers: the CORS protocol of the Fetch standard, without
/// credentials (a token is a header that pages set themselves). Immutable.
class Cors {
 public:
  /// @param origins  "*" for any, or a list with commas, as browsers write them:
  ///   "https://maps.example,http://localhost:8080"; empty: none
  /// Errors: kInvalidArgument.
  static Result<Cors> parse(std::string_view origins);

  /// A reply whose pages say whether a page of that origin may read them.
  /// @param origin  of the request's field of that name; empty: it has none
  [[nodiscard]] Reply allowing(std::string_view origin, Reply reply) const;

  /// Whether that origin, of a page elsewhere, is one of those that are named: * names nobody.
  [[nodiscard]] bool names(std::string_view origin) const;
  [[nodiscard]] bool allows(std::string_view origin) const;

  /// What a browser is told that asks before it sends headers of a page's own (OPTIONS); allowing()
  /// adds who may.
  [[nodiscard]] Page preflight() const;

 private:
  bool is_for_all_ = false;
  std::vector<std::string> origins_;
};

}  // namespace terrane::http
