#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace terrane::bench {

/// A server in a process of its own, on loopback. Ends with this object, or with this process however that ends.
class Child {
 public:
  /// Starts a program that says on its first line of output where it listens: "... grpc HOST:PORT,...". Blocks until it does.
  /// Throws std::runtime_error when it does not.
  explicit Child(const std::vector<std::string>& command);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// HOST:PORT.
  [[nodiscard]] const std::string& address() const { return address_; }

  /// Processor time it has used so far, user and system, all threads.
  [[nodiscard]] double cpu_seconds() const;

 private:
  pid_t pid_;
  std::string address_;
};

}  // namespace terrane::bench
