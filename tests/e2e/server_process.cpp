#include "e2e/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace terrane::e2e {
namespace {

constexpr int kPatienceMs = 60'000;

/// The first line, or what came before the end or before patience ran out.
std::string read_line(int descriptor) {
  std::string line;
  pollfd ready{descriptor, POLLIN, 0};
  for (char c = 0; poll(&ready, 1, kPatienceMs) == 1 && read(descriptor, &c, 1) == 1 && c != '\n';)
    line += c;
  return line;
}

/// The flags, with free ports where they name none.
std::vector<std::string> with_ports(std::vector<std::string> flags) {
  for (const char* port : {"--listen", "--http"}) {
    if (std::find(flags.begin(), flags.end(), port) == flags.end())
      flags.insert(flags.end(), {port, "127.0.0.1:0"});
  }
  return flags;
}

pid_t spawn(const std::string& program, const std::vector<std::string>& arguments, int output,
            const std::string& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                   O_CREAT | O_WRONLY | O_APPEND, 0600);
  std::vector<char*> pointers{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int failure =
      posix_spawn(&pid, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("can't start " + program);
  return pid;
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& flags)
    : ServerProcess(TERRANED_PATH, with_ports(flags)) {}

ServerProcess::ServerProcess(const std::string& program,
                             const std::vector<std::string>& arguments) {
  std::array<int, 2> output{};
  if (pipe2(output.data(), O_CLOEXEC) != 0) throw std::runtime_error("can't make a pipe");
  pid_ = spawn(program, arguments, output[1], directory_.path() / "log");
  close(output[1]);
  ready_line_ = read_line(output[0]);
  close(output[0]);
}

ServerProcess::~ServerProcess() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::string ServerProcess::address() const { return address_after("grpc "); }

std::string ServerProcess::http_address() const { return address_after("http "); }

std::string ServerProcess::address_after(const std::string& word) const {
  const std::size_t before = ready_line_.find(word);
  if (before == std::string::npos)
    throw std::runtime_error("a server did not start: '" + ready_line_ + "'; " + log());
  const std::size_t at = before + word.size();
  return ready_line_.substr(at, ready_line_.find(',', at) - at);
}

void ServerProcess::reload() const {
  if (pid_ > 0) kill(pid_, SIGHUP);
}

void ServerProcess::terminate() const {
  if (pid_ > 0) kill(pid_, SIGTERM);  // kill(-1, …) would reach every process of the user
}

int ServerProcess::wait() {
  if (pid_ <= 0) return exit_code_;
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  pollfd ended{descriptor, POLLIN, 0};
  const bool in_time = poll(&ended, 1, kPatienceMs) == 1;
  close(descriptor);
  if (!in_time) return -1;
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (WIFSIGNALED(status))
    std::ofstream(directory_.path() / "log", std::ios::app)
        << "killed by signal " << WTERMSIG(status) << "\n";
  return exit_code_;
}

int ServerProcess::stop() {
  terminate();
  return wait();
}

double ServerProcess::cpu_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) {
    throw std::runtime_error("can't tell what processor time a server has used");
  }
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

double ServerProcess::resident_mib() const {
  std::ifstream pages("/proc/" + std::to_string(pid_) + "/statm");
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

std::string ServerProcess::log() const {
  std::ostringstream text;
  text << std::ifstream(directory_.path() / "log").rdbuf();
  return text.str();
}

std::uint64_t ServerProcess::total(const std::string& of, const std::string& name) const {
  const std::string text = log();
  const std::size_t line = text.find(of + " totals:");
  const std::size_t at = text.find(" " + name + "=", line);
  if (line == std::string::npos || at == std::string::npos)
    throw std::runtime_error("no total of " + of + " " + name + " in:\n" + text);
  return std::stoull(text.substr(at + name.size() + 2));
}

}  // namespace terrane::e2e
