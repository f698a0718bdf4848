#include <gtest/gtest.h>

#include "net/connection_limits.h"

namespace terrane::net {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

TEST(connection_limits, both_ports_and_a_reserve_fit_into_the_descriptors) {
  for (const std::uint64_t descriptors : {256u, 1024u, 4096u, 20'000u, 1'048'576u}) {
    const auto plan = plan_connections({}, descriptors, 0);
    EXPECT_LE(plan.grpc.total + plan.http.total + 64, descriptors);
    EXPECT_GE(plan.grpc.total, descriptors / 2);
    EXPECT_EQ(plan.warning, "");
  }
}

TEST(connection_limits, one_client_has_a_quarter_unless_the_operator_says_more) {
  EXPECT_EQ(plan_connections({}, 1024, 0).grpc.total, 832u);
  EXPECT_EQ(plan_connections({}, 1024, 0).grpc.per_client, 208u);
  EXPECT_EQ(plan_connections({.total = 100}, 1024, 0).grpc.per_client, 25u);
  EXPECT_EQ(plan_connections({.per_client = 500}, 1024, 0).grpc.per_client, 500u);
  EXPECT_EQ(plan_connections({.per_client = 5000}, 1024, 0).grpc.per_client, 832u);
}

TEST(connection_limits, idle_connections_leave_most_of_a_small_containers_memory) {
  const auto plan = plan_connections({}, 1'048'576, 512 * kMiB);
  EXPECT_EQ(plan.grpc.total, 2048u);
  EXPECT_EQ(plan_connections({.total = 5000}, 1'048'576, 512 * kMiB).grpc.total, 5000u)
      << "whoever says a number has thought of it";
}

TEST(connection_limits, encrypted_ones_take_more_memory_on_both_ports) {
  const auto plan = plan_connections({.encrypted = true}, 1'048'576, 512 * kMiB);
  EXPECT_EQ(plan.grpc.total, 682u) << "64 MiB of 96 KiB each";
  EXPECT_EQ(plan.http.total, 170u) << "16 MiB";
  EXPECT_EQ(plan_connections({.encrypted = true}, 1024, 0).grpc.total, 832u);
}

TEST(connection_limits, more_than_the_descriptors_allow_is_lowered_and_said) {
  const auto plan = plan_connections({.total = 5000}, 1024, 0);
  EXPECT_EQ(plan.grpc.total, 832u);
  for (const char* word : {"--max-connections 5000", "1024 descriptors", "832"})
    EXPECT_NE(plan.warning.find(word), std::string::npos) << plan.warning;
}

TEST(connection_limits, too_few_descriptors_are_said) {
  const auto plan = plan_connections({}, 64, 0);
  EXPECT_GE(plan.grpc.total, 1u);
  EXPECT_NE(plan.warning.find("64 descriptors are too few"), std::string::npos) << plan.warning;
}

TEST(connection_limits, an_unknown_limit_is_taken_for_the_usual_one) {
  EXPECT_EQ(plan_connections({}, 0, 0).grpc.total, plan_connections({}, 1024, 0).grpc.total);
}

}  // namespace
}  // namespace terrane::net
