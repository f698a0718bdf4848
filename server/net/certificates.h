#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "ops/metrics.h"
#include "ops/watched_files.h"
#include "terrane/mutex.h"
#include "terrane/result.h"

namespace terrane::net {

/// Where a port's certificates are kept, as PEM.
struct CertificateFiles {
  std::filesystem::path chain;      // the server's certificate, then those that vouch for it
  std::filesystem::path key;        // of the first of them
  std::filesystem::path client_ca;  // who vouches for clients; empty: clients are asked for nothing
};

/// The texts of those files, which fit each other.
struct Certificates {
  std::string chain;
  std::string key;
  std::string client_ca;
  std::string subject;                            // of the server's certificate
  std::chrono::system_clock::time_point expires;  // the first of the chain to do so
};

/// Checks what the files hold: whole certificates, the key of the first, none of the chain past its
/// time. Pure. Errors: kInvalidArgument says which of them is wrong, and how.
[[nodiscard]] Result<Certificates> check_certificates(Certificates texts,
                                                      std::chrono::system_clock::time_point now);

/// The certificates that both ports show. They change with their files, all at once, and only for
/// some that are right: until then the old ones serve on. Thread-safe.
class LiveCertificates {
 public:
  /// @param metrics  outlives this
  /// Errors: kInvalidArgument as check_certificates(), or a file that can't be read. Blocks on the
  ///   disk.
  static Result<std::shared_ptr<LiveCertificates>> open(const CertificateFiles& files,
                                                        ops::Metrics& metrics);

  [[nodiscard]] std::shared_ptr<const Certificates> now() const;

  /// Whether clients are asked who they are.
  [[nodiscard]] bool asks_clients() const { return asks_clients_; }

  /// Reads the files again, and says in the log what comes of it. What is wrong is said once, and
  /// only when it is still so at the next look: files are not replaced at the same time. Blocks on
  /// the disk. Threads: one at a time.
  void look();

 private:
  LiveCertificates(const CertificateFiles& files, Certificates first, ops::Metrics& metrics);
  void publish(Certificates next);

  const bool asks_clients_;
  ops::WatchedFiles files_;
  ops::Counter taken_, refused_;
  mutable Mutex mutex_;
  std::shared_ptr<const Certificates> now_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::net
