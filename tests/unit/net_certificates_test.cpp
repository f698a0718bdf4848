#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "net/certificates.h"
#include "ops/metrics.h"
#include "support/certificates.h"
#include "support/prometheus_text.h"
#include "support/temp_directory.h"

namespace terrane::net {
namespace {

using namespace std::chrono_literals;
using test::Authority, test::Identity;

Result<Certificates> checked(const std::string& chain, const std::string& key,
                             const std::string& client_ca = "") {
  Certificates texts;
  texts.chain = chain;
  texts.key = key;
  texts.client_ca = client_ca;
  return check_certificates(texts, std::chrono::system_clock::now());
}

void expect_refused(const Result<Certificates>& refused, const std::vector<std::string>& words) {
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  for (const std::string& word : words)
    EXPECT_NE(refused.error().message.find(word), std::string::npos) << refused.error().message;
}

TEST(certificates, that_fit_each_other_are_taken_with_when_the_first_of_them_expires) {
  const Authority authority("the authority");
  const Identity server = authority.issue("the server", -1h, 10h);
  const auto taken =
      checked(server.certificate + authority.certificate(), server.key, authority.certificate());
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->subject, "CN=the server");
  const auto left = taken->expires - std::chrono::system_clock::now();
  EXPECT_GT(left, 9h);
  EXPECT_LE(left, 10h);
}

TEST(certificates, that_would_serve_nobody_are_refused_and_it_is_said_why) {
  const Authority authority("the authority");
  const Identity server = authority.issue("the server");
  const Identity other = authority.issue("the other");
  const Identity past = authority.issue("the old one", -10h, -1h);
  const Identity future = authority.issue("the next one", 1h, 2h);
  const std::string cut = server.certificate.substr(0, server.certificate.size() / 2);
  expect_refused(checked(server.certificate, other.key), {"not that of", "CN=the server"});
  expect_refused(checked(past.certificate, past.key), {"CN=the old one", "was valid until", "UTC"});
  expect_refused(checked(future.certificate, future.key), {"CN=the next one", "valid from"});
  expect_refused(checked(server.certificate + past.certificate, server.key), {"CN=the old one"});
  expect_refused(checked("", server.key), {"there is none"});
  expect_refused(checked(server.key, server.key), {"there is none"});
  expect_refused(checked(cut, server.key), {"number 1 is damaged"});
  expect_refused(checked(server.certificate + cut, server.key), {"number 2 is damaged"});
  expect_refused(checked(server.certificate, ""), {"the key can't be read"});
  expect_refused(checked(server.certificate, test::locked(server.key)), {"passphrase"});
  expect_refused(checked(server.certificate, server.key, "nobody"), {"vouch for clients"});
}

/// A server's files, and what holds them.
class Kept {
 public:
  explicit Kept(const Identity& identity) {
    write("chain", identity.certificate);
    write("key", identity.key);
    auto opened = LiveCertificates::open(
        {directory_.path() / "chain", directory_.path() / "key", {}}, metrics_);
    EXPECT_TRUE(opened);
    certificates = *opened;
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(directory_.path() / name) << text;
  }
  void remove(const std::string& name) { std::filesystem::remove(directory_.path() / name); }
  void make_pipe(const std::string& name) {
    ASSERT_EQ(mkfifo((directory_.path() / name).c_str(), 0600), 0);
  }

  [[nodiscard]] std::string subject() const { return certificates->now()->subject; }
  [[nodiscard]] double changes(const std::string& result) const {
    return test::value_of(metrics_.text(),
                          "terrane_certificate_changes_total{result=\"" + result + "\"}");
  }

 private:
  test::TempDirectory directory_;
  ops::Metrics metrics_;

 public:
  std::shared_ptr<LiveCertificates> certificates;
};

TEST(certificates, follow_their_files_once_these_fit_and_are_not_blamed_in_between) {
  const Authority authority("the authority");
  Kept kept(authority.issue("the old"));
  const Identity next = authority.issue("the next");
  kept.write("chain", next.certificate);
  kept.certificates->look();
  EXPECT_EQ(kept.subject(), "CN=the old") << "the key is still that of the old one";
  kept.write("key", next.key);
  kept.certificates->look();
  EXPECT_EQ(kept.subject(), "CN=the next");
  EXPECT_EQ(kept.changes("taken"), 1);
  EXPECT_EQ(kept.changes("refused"), 0);
}

TEST(certificates, the_old_ones_serve_on_while_the_files_are_wrong_which_is_counted_once) {
  const Authority authority("the authority");
  const Identity old = authority.issue("the old");
  Kept kept(old);
  kept.write("chain", authority.issue("the wrong").certificate);
  for (int look = 0; look < 5; ++look) kept.certificates->look();
  EXPECT_EQ(kept.subject(), "CN=the old");
  EXPECT_EQ(kept.changes("refused"), 1);
  kept.remove("chain");
  for (int look = 0; look < 5; ++look) kept.certificates->look();
  EXPECT_EQ(kept.changes("refused"), 2);
  kept.make_pipe("chain");
  for (int look = 0; look < 5; ++look) kept.certificates->look();
  EXPECT_EQ(kept.changes("refused"), 3) << "and nobody waits for it";
  kept.remove("chain");
  kept.write("chain", std::string(2 << 20, 'x'));
  for (int look = 0; look < 5; ++look) kept.certificates->look();
  EXPECT_EQ(kept.changes("refused"), 4);
  kept.write("chain", old.certificate);
  for (int look = 0; look < 5; ++look) kept.certificates->look();
  EXPECT_EQ(kept.subject(), "CN=the old");
  EXPECT_EQ(kept.changes("refused"), 4);
  EXPECT_EQ(kept.changes("taken"), 0) << "they are what they were";
}

}  // namespace
}  // namespace terrane::net
