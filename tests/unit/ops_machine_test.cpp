#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ops/machine.h"
#include "support/temp_directory.h"

namespace terrane::ops {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// A made-up system: /proc and /sys/fs/cgroup below a directory.
class System {
 public:
  System() { put("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:          123456 kB\n"); }

  System& put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = directory_.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return *this;
  }

  /// As a process of that group, in a hierarchy of version 2.
  System& unified(const std::string& group, const std::string& top = "/") {
    put("proc/self/cgroup", "0::" + group + "\n");
    return put("proc/self/mountinfo",
               "24 30 0:22 / /proc rw,nosuid - proc proc rw\n"
               "31 23 0:26 " +
                   top + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }

  /// As a process of that group, in two hierarchies of version 1.
  System& legacy(const std::string& group, const std::string& top = "/") {
    put("proc/self/cgroup",
        "9:name=systemd:/\n4:memory:" + group + "\n1:cpu,cpuacct:" + group + "\n0::/elsewhere\n");
    return put("proc/self/mountinfo",
               "32 31 0:29 " + top +
                   " /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
                   "36 31 0:32 " +
                   top + " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  }

  [[nodiscard]] Machine read(std::size_t processors = 8) const {
    return read_machine(directory_.path(), processors);
  }

 private:
  test::TempDirectory directory_;
};

TEST(machine, without_control_groups_it_is_the_machine_that_limits) {
  const Machine machine = System().read();
  EXPECT_EQ(machine.memory_bytes, 8192 * kMiB);
  EXPECT_EQ(machine.memory_limit_bytes, 8192 * kMiB);
  EXPECT_EQ(machine.processors, 8u);
  EXPECT_EQ(machine.processor_quota, 0);
}

TEST(machine, where_nothing_can_be_read_nothing_is_known) {
  const test::TempDirectory empty;
  const Machine machine = read_machine(empty.path(), 0);
  EXPECT_EQ(machine.memory_limit_bytes, 0u);
  EXPECT_EQ(machine.processors, 1u);
}

TEST(machine, a_group_of_version_2_limits_memory_and_time) {
  System system;
  system.unified("/app").put("sys/fs/cgroup/app/memory.max", "536870912\n");
  system.put("sys/fs/cgroup/app/cpu.max", "150000 100000\n");
  const Machine machine = system.read();
  EXPECT_EQ(machine.memory_bytes, 8192 * kMiB);
  EXPECT_EQ(machine.memory_limit_bytes, 512 * kMiB);
  EXPECT_DOUBLE_EQ(machine.processor_quota, 1.5);
  EXPECT_EQ(machine.processors, 2u) << "half a processor more is worth a thread";
  EXPECT_EQ(machine.usable_processors, 8u);
}

TEST(machine, max_is_no_limit) {
  System system;
  system.unified("/app").put("sys/fs/cgroup/app/memory.max", "max\n");
  system.put("sys/fs/cgroup/app/memory.high", "max\n");
  system.put("sys/fs/cgroup/app/cpu.max", "max 100000\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 8192 * kMiB);
  EXPECT_EQ(system.read().processors, 8u);
}

TEST(machine, a_parent_that_allows_less_counts) {
  System system;
  system.unified("/slice/app/main").put("sys/fs/cgroup/slice/app/main/memory.max", "max\n");
  system.put("sys/fs/cgroup/slice/app/memory.max", "1073741824\n");
  system.put("sys/fs/cgroup/slice/memory.max", "268435456\n");
  system.put("sys/fs/cgroup/slice/app/main/cpu.max", "400000 100000\n");
  system.put("sys/fs/cgroup/slice/cpu.max", "25000 50000\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 256 * kMiB);
  EXPECT_DOUBLE_EQ(system.read().processor_quota, 0.5);
  EXPECT_EQ(system.read().processors, 1u);
}

TEST(machine, where_a_group_is_slowed_down_is_its_limit) {
  System system;
  system.unified("/app").put("sys/fs/cgroup/app/memory.max", "536870912\n");
  system.put("sys/fs/cgroup/app/memory.high", "402653184\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 384 * kMiB);
}

TEST(machine, a_container_sees_its_own_group_as_the_top) {
  System inside_a_namespace;
  inside_a_namespace.unified("/").put("sys/fs/cgroup/memory.max", "536870912\n");
  EXPECT_EQ(inside_a_namespace.read().memory_limit_bytes, 512 * kMiB);
  System bound;  // the path is the host's, and the mount begins at that group
  bound.unified("/docker/123", "/docker/123").put("sys/fs/cgroup/memory.max", "268435456\n");
  EXPECT_EQ(bound.read().memory_limit_bytes, 256 * kMiB);
  System outside;  // of a group that the mount does not show
  outside.unified("/../../other").put("sys/fs/cgroup/memory.max", "134217728\n");
  EXPECT_EQ(outside.read().memory_limit_bytes, 128 * kMiB);
}

TEST(machine, a_group_of_version_1_limits_memory_and_time) {
  System system;
  system.legacy("/docker/123")
      .put("sys/fs/cgroup/memory/docker/123/memory.limit_in_bytes", "536870912\n");
  system.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  system.put("sys/fs/cgroup/cpu,cpuacct/docker/123/cpu.cfs_quota_us", "50000\n");
  system.put("sys/fs/cgroup/cpu,cpuacct/docker/123/cpu.cfs_period_us", "100000\n");
  system.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  system.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 512 * kMiB);
  EXPECT_EQ(system.read().processors, 1u);
}

TEST(machine, version_1_without_limits_says_so_with_a_number_that_no_machine_has) {
  System system;
  system.legacy("/").put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  system.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  system.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 8192 * kMiB);
  EXPECT_EQ(system.read().processors, 8u);
  system.put("proc/meminfo", "");
  EXPECT_EQ(system.read().memory_limit_bytes, 0u) << "not known";
}

TEST(machine, a_container_of_version_1_that_is_bound_to_its_own_group) {
  System system;
  system.legacy("/docker/123", "/docker/123")
      .put("sys/fs/cgroup/memory/memory.limit_in_bytes", "134217728\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 128 * kMiB);
}

TEST(machine, a_quota_above_the_mask_adds_no_threads) {
  System system;
  system.unified("/app").put("sys/fs/cgroup/app/cpu.max", "600000 100000\n");
  EXPECT_EQ(system.read(2).processors, 2u);
}

TEST(machine, nonsense_limits_nothing) {
  System system;
  system.unified("/app").put("sys/fs/cgroup/app/memory.max", "-5\n");
  system.put("sys/fs/cgroup/app/cpu.max", "100000\n");
  system.put("sys/fs/cgroup/memory.max", "99999999999999999999999\n");
  system.put("sys/fs/cgroup/cpu.max", "0 0\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 8192 * kMiB);
  EXPECT_EQ(system.read().processors, 8u);
  system.put("proc/self/cgroup", "\n:\n0\n").put("proc/self/mountinfo", " - \n- cgroup2\n");
  EXPECT_EQ(system.read().memory_limit_bytes, 8192 * kMiB);
}

TEST(machine, this_one_can_be_read) {
  const Machine machine = read_machine("/", usable_processors());
  EXPECT_GT(machine.memory_bytes, 64 * kMiB);
  EXPECT_LE(machine.memory_limit_bytes, machine.memory_bytes);
  EXPECT_GT(machine.memory_limit_bytes, kMiB);
  EXPECT_GE(machine.processors, 1u);
  EXPECT_LE(machine.processors, usable_processors());
  EXPECT_NE(describe(machine).find("processors"), std::string::npos);
}

}  // namespace
}  // namespace terrane::ops
