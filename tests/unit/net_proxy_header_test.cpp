#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "net/proxy_header.h"

namespace terrane::net {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A header of version 2 with this command and family, and these bytes after its length.
Bytes header(std::uint8_t command, std::uint8_t family, const Bytes& rest) {
  Bytes bytes{'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};
  bytes.push_back(command);
  bytes.push_back(family);
  bytes.push_back(static_cast<std::uint8_t>(rest.size() >> 8));
  bytes.push_back(static_cast<std::uint8_t>(rest.size()));
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

const Bytes kV4{203, 0, 113, 7, 10, 0, 0, 1, 0x12, 0x34, 0x10, 0x36};

Bytes v6() {
  Bytes bytes(36);
  const Bytes client{0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
  std::copy(client.begin(), client.end(), bytes.begin());
  return bytes;
}

std::string client_of_header(const Bytes& bytes) {
  const auto parsed = parse_proxy_header(bytes);
  if (!parsed) return parsed.error().message;
  if (!*parsed) return "more";
  if (!(*parsed)->client) return "none";
  return client_text(client_of(*(*parsed)->client));
}

TEST(proxy_header, says_for_whom_the_connection_is) {
  EXPECT_EQ(client_of_header(header(0x21, 0x11, kV4)), "203.0.113.7");
  EXPECT_EQ(client_of_header(header(0x21, 0x21, v6())), "2001:db8:1:2::/64");
  Bytes longer = kV4;
  longer.resize(300, 0x20);  // what a proxy adds of its own
  EXPECT_EQ(client_of_header(header(0x21, 0x11, longer)), "203.0.113.7");
}

TEST(proxy_header, may_be_of_the_proxys_own) {
  EXPECT_EQ(client_of_header(header(0x20, 0x00, {})), "none");
  EXPECT_EQ(client_of_header(header(0x20, 0x11, kV4)), "none") << "LOCAL, whatever it says";
  EXPECT_EQ(client_of_header(header(0x21, 0x00, {})), "none") << "of no known family";
  EXPECT_EQ(client_of_header(header(0x21, 0x31, Bytes(216))), "none") << "of a Unix socket";
}

TEST(proxy_header, comes_piece_by_piece_and_nothing_beyond_it_is_wanted) {
  const Bytes whole = header(0x21, 0x21, v6());
  Bytes begin;
  while (client_of_header(begin) == "more") {
    const std::size_t wanted = proxy_header_wants(begin);
    ASSERT_GT(wanted, begin.size());
    ASSERT_LE(wanted, whole.size());
    begin.push_back(whole[begin.size()]);
  }
  EXPECT_EQ(begin, whole);
  Bytes more = whole;
  more.push_back('P');
  const auto parsed = parse_proxy_header(more);
  ASSERT_TRUE(parsed && *parsed);
  EXPECT_EQ((*parsed)->bytes, whole.size());
}

TEST(proxy_header, is_refused_when_it_is_none) {
  const auto is_refused = [](const Bytes& bytes, const char* why) {
    EXPECT_NE(client_of_header(bytes).find(why), std::string::npos) << client_of_header(bytes);
  };
  is_refused({'P', 'R', 'I'}, "no PROXY header");
  is_refused({'P', 'R', 'O', 'X', 'Y', ' ', 'T', 'C', 'P', '4'}, "send-proxy-v2");
  is_refused(header(0x31, 0x11, kV4), "version 3");
  is_refused(header(0x22, 0x11, kV4), "unknown command 2");
  is_refused(header(0x21, 0x11, {1, 2, 3, 4}), "cut short");
  is_refused(header(0x21, 0x41, kV4), "unknown family");
  is_refused(header(0x21, 0x11, Bytes(4000)), "4016 bytes, more than 2048");
}

TEST(proxy_header, of_any_bytes_ends_well) {
  std::mt19937 random(7);
  for (int i = 0; i < 100'000; ++i) {
    Bytes bytes = header(static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random()),
                         Bytes(random() % 64, static_cast<std::uint8_t>(random())));
    bytes.resize(random() % (bytes.size() + 1));
    const auto parsed = parse_proxy_header(bytes);
    const bool is_whole = parsed && *parsed;
    EXPECT_LE(is_whole ? (*parsed)->bytes : 0, bytes.size());
  }
}

}  // namespace
}  // namespace terrane::net
