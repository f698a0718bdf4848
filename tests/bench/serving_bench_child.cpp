#include "bench/serving_bench_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace terrane::bench {
namespace {

constexpr int kPatienceMs = 60'000;

/// The first line, or what came before the end or before patience ran out.
std::string read_line(int descriptor) {
  std::string line;
  pollfd ready{descriptor, POLLIN, 0};
  for (char c = 0; poll(&ready, 1, kPatienceMs) == 1 && read(descriptor, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

/// Between fork and exec, nothing that allocates or locks: other threads of the parent may hold anything.
[[noreturn]] void become(char* const* arguments, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(output, STDOUT_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  std::array<int, 2> output{};
  if (pipe2(output.data(), O_CLOEXEC) != 0) throw std::runtime_error("can't make a pipe");
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) become(arguments.data(), output[1]);
  close(output[1]);
  const std::string line = read_line(output[0]);
  close(output[0]);
  const std::string before = "grpc ";
  const std::size_t at = line.find(before);
  if (at == std::string::npos) throw std::runtime_error("'" + command[0] + "' did not start; it said '" + line + "'");
  address_ = line.substr(at + before.size(), line.find(',') - at - before.size());
}

Child::~Child() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

double Child::cpu_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) {
    throw std::runtime_error("can't tell what processor time a server has used");
  }
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace terrane::bench
