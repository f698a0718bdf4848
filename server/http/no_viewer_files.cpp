#include "http/viewer_files.h"

namespace terrane::http {

std::span<const ViewerFile> viewer_files() { return {}; }

}  // namespace terrane::http
