#pragma once

#include <cstdint>
#include <string>

/// The bytes of a WebSocket's client (RFC 6455), for tests that send what no library would.
namespace terrane::test {

/// The request that opens one. @param fields  besides, each with its end of line
inline std::string web_socket_opening(const std::string& fields = "",
                                      const std::string& path = "/v1/explore") {
  return "GET " + path +
         " HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         fields + "\r\n";
}

// first bytes of frames: section 5.2
inline constexpr int kTextFrame = 0x81, kBinaryFrame = 0x82, kBinaryBegins = 0x02, kPing = 0x89;

/// A client's frame, masked with zeros, which leaves it as it is.
inline std::string web_socket_frame(int first_byte, const std::string& bytes) {
  constexpr std::size_t kShort = 126;
  std::string frame(1, static_cast<char>(first_byte));
  if (bytes.size() < kShort) {
    frame += static_cast<char>(0x80 | bytes.size());
  } else {
    frame += static_cast<char>(0xff);
    for (int shift = 56; shift >= 0; shift -= 8)
      frame += static_cast<char>(std::uint64_t{bytes.size()} >> shift & 0xff);
  }
  return frame + std::string(4, '\0') + bytes;
}

}  // namespace terrane::test
