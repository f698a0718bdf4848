#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server_url.h"

namespace terrane::connection {
namespace {

std::vector<std::string> texts(std::string_view list) {
  std::vector<std::string> texts;
  const auto urls = parse_urls(list).value();
  for (const ServerUrl& url : urls) texts.push_back(url.text());
  return texts;
}

TEST(connection_url, says_host_port_and_path) {
  const ServerUrl url = parse_urls("wss://land.example.org:8443/eu/west/").value().front();
  EXPECT_TRUE(url.has_tls);
  EXPECT_EQ(url.host, "land.example.org");
  EXPECT_EQ(url.port, "8443");
  EXPECT_EQ(url.path, "/eu/west");
  EXPECT_EQ(url.authority(), "land.example.org:8443");
}

TEST(connection_url, has_the_usual_port_where_none_is_said) {
  EXPECT_EQ(parse_urls("ws://a").value().front().port, "80");
  EXPECT_EQ(parse_urls("wss://a").value().front().port, "443");
  EXPECT_EQ(parse_urls("ws://a:80").value().front().authority(), "a");
  EXPECT_EQ(parse_urls("wss://a:80").value().front().authority(), "a:80");
}

TEST(connection_url, may_be_of_ipv6_in_brackets) {
  const ServerUrl url = parse_urls("ws://[::1]:4151").value().front();
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.authority(), "[::1]:4151");
}

TEST(connection_url, may_be_one_of_several_and_of_a_page) {
  EXPECT_EQ(texts("ws://a:1, wss://b/x ,http://c:3,https://d"),
            (std::vector<std::string>{"ws://a:1", "wss://b/x", "ws://c:3", "wss://d"}));
}

TEST(connection_url, that_is_none_is_refused_with_its_reason) {
  const struct {
    const char* url;
    const char* reason;
  } cases[] = {
      {"", "begins with neither ws:// nor wss://"},
      {"127.0.0.1:4151", "begins with neither"},
      {"ftp://a", "begins with neither"},
      {"ws://a,", "begins with neither"},
      {"ws://", "names no host"},
      {"ws://:80", "names no host"},
      {"ws://a:", "has no port"},
      {"ws://a:0", "has no port"},
      {"ws://a:65536", "has no port"},
      {"ws://a:-1", "has no port"},
      {"ws://a:8o", "has no port"},
      {"ws://::1:80", "names no host"},
      {"ws://[::1", "lacks a ']'"},
      {"ws://[::1]80", "has no port"},
      {"ws://a b", "a space"},
      {"ws://a\r\nHost: b", "a space"},
      {"ws://user@a", "'@'"},
      {"ws://a/x?y", "'?'"},
      {"ws://\xc3\xa4", "not ASCII"},
  };
  for (const auto& [url, reason] : cases) {
    const auto parsed = parse_urls(url);
    ASSERT_FALSE(parsed) << url;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find(reason), std::string::npos)
        << url << ": " << parsed.error().message;
  }
}

TEST(connection_url, that_is_refused_is_told_of_without_its_secrets) {
  for (const char* url : {"wss://user:secret@game.example/", "wss://game.example/?token=secret",
                          "wss://game.example/#secret", "ws://secret@a@b c"}) {
    const auto parsed = parse_urls(url);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().message.find("secret"), std::string::npos) << parsed.error().message;
  }
}

}  // namespace
}  // namespace terrane::connection
