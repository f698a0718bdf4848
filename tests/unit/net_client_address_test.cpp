#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cstring>

#include "net/client_address.h"

namespace terrane::net {
namespace {

sockaddr_storage v4(const char* text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, text, &address.sin_addr);
  sockaddr_storage storage{};
  std::memcpy(&storage, &address, sizeof address);
  return storage;
}

sockaddr_storage v6(const char* text) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  inet_pton(AF_INET6, text, &address.sin6_addr);
  sockaddr_storage storage{};
  std::memcpy(&storage, &address, sizeof address);
  return storage;
}

AddressBytes client(const sockaddr_storage& peer) { return client_of(address_of(peer)); }

TEST(client_address, an_address_of_ipv4_is_the_same_whichever_socket_it_came_to) {
  EXPECT_EQ(address_of(v4("192.0.2.7")), address_of(v6("::ffff:192.0.2.7")));
  EXPECT_NE(client(v4("192.0.2.7")), client(v4("192.0.2.8")));
}

TEST(client_address, what_one_subscriber_has_of_ipv6_is_one_client) {
  EXPECT_EQ(client(v6("2001:db8:1:2::1")), client(v6("2001:db8:1:2:ffff::9")));
  EXPECT_NE(client(v6("2001:db8:1:2::1")), client(v6("2001:db8:1:3::1")));
}

TEST(client_address, people_read_an_address_or_a_range) {
  EXPECT_EQ(client_text(client(v4("192.0.2.7"))), "192.0.2.7");
  EXPECT_EQ(client_text(client(v6("2001:db8:1:2::1"))), "2001:db8:1:2::/64");
}

}  // namespace
}  // namespace terrane::net
