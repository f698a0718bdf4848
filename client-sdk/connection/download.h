#pragma once

#include <string>
#include <string_view>

#include "ending.h"
#include "servers.h"

namespace terrane::connection {

/// The answer to a GET: its body, or why there is none.
struct Downloaded {
  std::string body;
  Ending ending;  // TERRANE_OK: it is whole
};

/// Asks the servers one after the other until one answers. Blocks: for servers.patience.
/// @param target  "/v1/…", below the servers' own paths
[[nodiscard]] Downloaded download(const Servers& servers, std::string_view target);

}  // namespace terrane::connection
