#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace terrane::store {

/// The exit code of a process that could not go on because a file of its cache was cut short, or a
/// sector of it could not be read, while it ran.
inline constexpr int kCacheFileLost = 3;

/// Installs the handler of SIGBUS, which the system sends to whoever touches a page of a mapped
/// file that is not there any more. Within a MapFaults it writes one line to standard error that
/// names the file and what to do, and ends the process with kCacheFileLost: LMDB may hold locks and
/// be anywhere in its tree, so there is no way on. Elsewhere whatever was the action before takes
/// place. To be called once, by main, before the first MapFaults.
/// @param as_line  makes a line of the log of a text, with its end of line
void install_map_fault_handler(std::function<std::string(std::string_view)> as_line);

/// The mapped files of one open cache, known to the handler while this object lives. At most eight
/// files are known at a time; further ones, and those that the system does not list, are left to
/// the default action.
class MapFaults {
 public:
  /// @param names  of files in `directory` that are mapped
  MapFaults(const std::filesystem::path& directory, std::initializer_list<const char*> names);
  ~MapFaults();
  MapFaults(const MapFaults&) = delete;
  MapFaults& operator=(const MapFaults&) = delete;
};

}  // namespace terrane::store
