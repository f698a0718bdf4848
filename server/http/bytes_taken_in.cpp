#include "http/bytes_taken_in.h"

// Not <netinet/tcp.h>, which has less of it, and not both: they define the same names.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace terrane::http {

std::uint64_t bytes_taken_in(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof info;
  int unread = 0;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      ::ioctl(descriptor, FIONREAD, &unread) != 0)
    return 0;
  const std::uint64_t received = info.tcpi_bytes_received;
  const auto waiting = static_cast<std::uint64_t>(unread);
  return received > waiting ? received - waiting : 0;
}

}  // namespace terrane::http
