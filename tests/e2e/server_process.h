#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/temp_directory.h"

namespace terrane::e2e {

using test::TempDirectory;

/// A server of our own on 127.0.0.1, terraned mostly, killed with this object if it still runs.
class ServerProcess {
 public:
  /// Starts it with free ports (unless the flags say which) and these flags; blocks until it says
  /// that it is ready, or ends.
  explicit ServerProcess(const std::vector<std::string>& flags);
  /// Starts another program that says in the same way where it listens; blocks until it does, or
  /// ends.
  ServerProcess(const std::string& program, const std::vector<std::string>& arguments);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  /// What it printed when ready; empty if it ended instead.
  [[nodiscard]] const std::string& ready_line() const { return ready_line_; }

  /// HOST:PORT of the gRPC port, from the ready line. Throws std::runtime_error when it is not
  /// ready.
  [[nodiscard]] std::string address() const;

  /// HOST:PORT of the HTTP port, from the ready line. Throws as address() does.
  [[nodiscard]] std::string http_address() const;

  /// Asks it to read its world files again (SIGHUP).
  void reload() const;

  /// Asks it to stop.
  void terminate() const;

  /// Blocks until it has ended, a minute at most. @return its exit code, or -1 when it was killed
  /// or goes on
  int wait();

  /// terminate() and wait().
  int stop();

  /// Processor time it has used so far, user and system, all threads. Throws std::runtime_error
  /// once it has ended.
  [[nodiscard]] double cpu_seconds() const;

  /// Memory that it takes, MiB: pages that are resident.
  [[nodiscard]] double resident_mib() const;

  /// What it has logged.
  [[nodiscard]] std::string log() const;

  /// A number of its last words: total("pipeline", "generated").
  [[nodiscard]] std::uint64_t total(const std::string& of, const std::string& name) const;

 private:
  [[nodiscard]] std::string address_after(const std::string& word) const;

  TempDirectory directory_;
  pid_t pid_ = -1;
  int exit_code_ = -1;
  std::string ready_line_;
};

}  // namespace terrane::e2e
