#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/temp_directory.h"

namespace terrane::e2e {

using test::TempDirectory;

/// A terraned of our own on 127.0.0.1, killed with this object if it still runs.
class ServerProcess {
 public:
  /// Starts it with free ports (unless the flags say which) and these flags; blocks until it says that it is ready, or ends.
  explicit ServerProcess(const std::vector<std::string>& flags);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  /// What it printed when ready; empty if it ended instead.
  [[nodiscard]] const std::string& ready_line() const { return ready_line_; }

  /// HOST:PORT of the gRPC port, from the ready line.
  [[nodiscard]] std::string address() const;

  /// HOST:PORT of the HTTP port, from the ready line.
  [[nodiscard]] std::string http_address() const;

  /// Asks it to read its world files again (SIGHUP).
  void reload() const;

  /// Asks it to stop.
  void terminate() const;

  /// Blocks until it has ended, a minute at most. @return its exit code, or -1 when it was killed or goes on
  int wait();

  /// terminate() and wait().
  int stop();

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
