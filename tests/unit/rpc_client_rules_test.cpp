#include <gtest/gtest.h>

#include "rpc/client_rules.h"

namespace terrane::rpc {
namespace {

ClientRules rules(const std::string& weights, const std::string& proxies) {
  const auto parsed = ClientRules::parse(weights, proxies);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed.value_or(ClientRules());
}

TEST(client_rules, a_client_is_an_address_and_each_of_its_connections_one_of_its_own) {
  const ClientRules none;
  const auto one = none.source_of("ipv4:192.0.2.7:1000");
  const auto again = none.source_of("ipv4:192.0.2.7:1001");
  EXPECT_EQ(one.client, again.client);
  EXPECT_NE(one.connection, again.connection);
  EXPECT_NE(one.client, none.source_of("ipv4:192.0.2.8:1000").client);
  EXPECT_EQ(one.client, none.source_of("ipv6:%5B::ffff:192.0.2.7%5D:1000").client)
      << "the same client, where the server listens on both";
  EXPECT_EQ(none.source_of("unix:/run/a").client, none.source_of("unix:").client);
}

TEST(client_rules, all_addresses_of_one_subscriber_to_ipv6_are_one_client) {
  const ClientRules none;
  const auto one = none.source_of("ipv6:%5B2001:db8:1:2::1%5D:1000");
  EXPECT_EQ(one.client, none.source_of("ipv6:[2001:db8:1:2:3:4:5:6]:1000").client);
  EXPECT_NE(one.client, none.source_of("ipv6:%5B2001:db8:1:3::1%5D:1000").client);
  EXPECT_NE(one.client, none.source_of("unix:").client);
}

TEST(client_rules, a_client_has_the_name_that_an_operator_would_look_for) {
  const ClientRules none;
  const auto name = [&](std::string_view peer) { return client_name(none.source_of(peer).client); };
  EXPECT_EQ(name("ipv4:192.0.2.7:1000"), "192.0.2.7");
  EXPECT_EQ(name("ipv6:%5B::ffff:192.0.2.7%5D:1000"), "192.0.2.7");
  EXPECT_EQ(name("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:1000"), "2001:db8:1:2::/64");
  EXPECT_EQ(name("ipv6:%5B::1%5D:1000"), "::/64");
  EXPECT_EQ(name("unix:/run/a"), "local");
  EXPECT_EQ(client_name(schedule::Source{}.client), "server");
}

TEST(client_rules, the_longest_prefix_says_the_weight) {
  const ClientRules some = rules("10.0.0.0/8=200,10.1.2.3=5,2001:db8::/32=7,10.64.0.0/10=3", "");
  EXPECT_EQ(some.source_of("ipv4:10.9.9.9:1").weight, 200u);
  EXPECT_EQ(some.source_of("ipv4:10.1.2.3:1").weight, 5u);
  EXPECT_EQ(some.source_of("ipv4:10.127.0.1:1").weight, 3u);
  EXPECT_EQ(some.source_of("ipv4:10.128.0.1:1").weight, 200u);
  EXPECT_EQ(some.source_of("ipv6:%5B2001:db8::9%5D:1").weight, 7u);
  EXPECT_EQ(some.source_of("ipv4:11.0.0.1:1").weight, 1u);
  EXPECT_EQ(some.source_of("unix:").weight, 1u);
}

TEST(client_rules, only_a_trusted_proxy_says_for_whom_it_calls) {
  const ClientRules some = rules("", "10.0.0.0/8,192.0.2.1");
  const auto direct = some.source_of("ipv4:198.51.100.4:1").client;
  EXPECT_EQ(some.source_of("ipv4:10.0.0.1:1", "198.51.100.4").client, direct);
  EXPECT_EQ(some.source_of("ipv4:10.0.0.1:1", "203.0.113.9, 198.51.100.4").client, direct)
      << "what the client itself wrote in front is not believed";
  EXPECT_EQ(some.source_of("ipv4:10.0.0.1:1", "198.51.100.4, 192.0.2.1").client, direct)
      << "through two proxies";
  EXPECT_EQ(some.source_of("ipv4:10.0.0.1:1", "rubbish").client,
            some.source_of("ipv4:10.0.0.1:1").client);
  EXPECT_NE(some.source_of("ipv4:203.0.113.9:1", "198.51.100.4").client, direct);
}

TEST(client_rules, take_a_proxys_word_on_whom_it_has_connected_for) {
  const auto rules = *ClientRules::parse("203.0.113.0/24=5", "10.0.0.1");
  const auto endpoint = endpoint_of("ipv4:10.0.0.1:4321");
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(endpoint->port, 4321);
  EXPECT_EQ(net::client_text(endpoint->address), "10.0.0.1");
  EXPECT_EQ(endpoint_of("ipv6:%5B::ffff:10.0.0.1%5D:4321"), endpoint) << "one and the same";
  EXPECT_EQ(endpoint_of("unix:/run/some"), std::nullopt);

  const AddressBytes player{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 203, 0, 113, 9};
  const auto source = rules.source_of("ipv4:10.0.0.1:4321", "", player);
  EXPECT_EQ(client_name(source.client), "203.0.113.9");
  EXPECT_EQ(source.weight, 5u);
  EXPECT_EQ(rules.source_of("ipv4:10.0.0.1:4321", "198.51.100.4", player).client, source.client)
      << "what the player writes into a header is not believed";
  EXPECT_NE(rules.source_of("ipv4:10.0.0.1:4322", "", player).connection, source.connection);
}

TEST(client_rules, refuse_what_they_cannot_read_and_say_what) {
  for (const char* weights : {"10.0.0.0/8", "10.0.0.0/8=0", "10.0.0.0/8=10001", "10.0.0.0/33=1",
                              "host=3", "10.0.0.0/8=x", "=3", "2001:db8::/129=1"}) {
    const auto parsed = ClientRules::parse(weights, "");
    ASSERT_FALSE(parsed) << weights;
    EXPECT_NE(parsed.error().message.find(weights), std::string::npos) << parsed.error().message;
  }
  EXPECT_FALSE(ClientRules::parse("", "everyone"));
}

}  // namespace
}  // namespace terrane::rpc
