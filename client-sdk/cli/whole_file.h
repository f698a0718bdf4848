#pragma once

#include <string>

#include "cli/terminal/interrupt.h"
#include "terrane/result.h"

/// Files that are there as a whole or not at all.
namespace terrane::cli {

/// Writes `bytes` to `path` as a whole or not at all: under another name in the same directory,
/// then renamed. Signals wait meanwhile, so that no half file stays. Blocks: on the disk. Errors:
/// kInternal with the system's reason.
[[nodiscard]] Result<void> write_whole_file(const std::string& path, const std::string& bytes,
                                            Interrupt& interrupt);

/// Whether `path` could be written, found out before the work is done. Errors: as write_whole_file.
[[nodiscard]] Result<void> check_writable(const std::string& path);

}  // namespace terrane::cli
