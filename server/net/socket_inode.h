#pragma once

#include <sys/stat.h>
#include <sys/types.h>

namespace terrane::net {

/// Of the socket that has this descriptor; 0 when none has.
inline ino_t inode_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISSOCK(status.st_mode)) return 0;
  return status.st_ino;
}

}  // namespace terrane::net
