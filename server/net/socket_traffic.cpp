#include "net/socket_traffic.h"

// Not <netinet/tcp.h>, which has less of it, and not both: they define the same names.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstddef>

namespace terrane::net {

std::optional<SocketTraffic> traffic_of(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  if (size < offsetof(tcp_info, tcpi_data_segs_in) + sizeof info.tcpi_data_segs_in)
    return std::nullopt;
  int unread = 0;
  if (ioctl(descriptor, FIONREAD, &unread) != 0) return std::nullopt;
  return SocketTraffic{.segments = info.tcpi_data_segs_in,
                       .bytes = info.tcpi_bytes_received,
                       .unread = static_cast<std::uint64_t>(unread)};
}

std::uint64_t bytes_taken_in(int descriptor) {
  const auto traffic = traffic_of(descriptor);
  if (!traffic) return 0;
  return traffic->bytes > traffic->unread ? traffic->bytes - traffic->unread : 0;
}

}  // namespace terrane::net
