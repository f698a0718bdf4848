#include "worldgen/field_archive.h"

namespace terrane::worldgen {

void FieldArchive::refuse(std::string_view name, const std::string& what) {
  error_ = Error{ErrorCode::kInvalidArgument, path_ + std::string(name) + ": " + what};
}

Result<void> FieldArchive::finish() {
  if (!error_ && !in_.empty())
    refuse("end", std::to_string(in_.size()) + " bytes are left over behind the last field");
  if (error_) return tl::unexpected(*error_);
  return {};
}

}  // namespace terrane::worldgen
