#pragma once

#include <optional>
#include <string_view>

#include "http/page.h"

namespace terrane::http {

/// A page of the viewer: "/" and the files that it names. Empty where the path is none of those; a
/// word about it where the program was built without.
/// @param path  without a query
[[nodiscard]] std::optional<Page> viewer_page(std::string_view path, const Request& request);

}  // namespace terrane::http
