#pragma once

#include "cli/terminal/screen.h"
#include "terrane/admin.h"

namespace terrane::cli {

/// What `terrane top` shows: what the server has done between two moments. Pure.
/// @param before, now  the same server's, in this order
/// @param address  how it is called
[[nodiscard]] Screen draw_top(int columns, int rows, const ServerStats& before,
                              const ServerStats& now, const std::string& address);

}  // namespace terrane::cli
