#pragma once

#include <span>
#include <string_view>

namespace terrane::http {

/// A file of the viewer, as it is built into the program.
struct ViewerFile {
  // "index.html", "licenses.txt"; of all others it tells what is in them by a hash
  std::string_view name;
  std::string_view type;
  std::span<const unsigned char> gzip;
};

/// All of them; none where the program was built without.
[[nodiscard]] std::span<const ViewerFile> viewer_files();

}  // namespace terrane::http
