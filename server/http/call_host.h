#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <unordered_set>

#include "rpc/call.h"
#include "terrane/mutex.h"

namespace terrane::http {

class CallHost;

/// A call of the service that the HTTP port carries.
class CarriedCall : public rpc::Call {
 public:
  /// Its client is to be gone. On the port's thread, at any time.
  virtual void break_off() = 0;

 protected:
  CarriedCall(CallHost& host, const rpc::CallRecord& record, rpc::Origin origin,
              std::shared_ptr<rpc::HangUps> hang_ups)
      : rpc::Call(record, std::move(origin), std::move(hang_ups)), host_(host) {}

  [[nodiscard]] CallHost& host() const { return host_; }

 private:
  CallHost& host_;
};

/// Where the port's calls run: what becomes of them is told on its thread. Knows those that are not
/// over, and what waits for its turn to begin, since they work with the service, which ends after
/// the port. Threads: any.
class CallHost {
 public:
  explicit CallHost(boost::asio::io_context& io) : io_(io) {}

  /// Runs it on the port's thread, after this has returned. May throw std::bad_alloc.
  void post(std::function<void()> work);

  /// From here until leave() it is waited for. May throw std::bad_alloc.
  /// @return false where the port is about to end: it is not to begin
  [[nodiscard]] bool enter(CarriedCall& call) ABSL_LOCKS_EXCLUDED(mutex_);
  void leave(CarriedCall& call) ABSL_LOCKS_EXCLUDED(mutex_);

  /// As long as it is held, the port does not end: something of it waits elsewhere. May throw
  /// std::bad_alloc.
  [[nodiscard]] std::shared_ptr<const void> stay() ABSL_LOCKS_EXCLUDED(mutex_);

  /// Breaks all calls off, and waits until they are over and nothing stays, for some seconds. While
  /// the port's thread runs, and not on it.
  void end_all() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  boost::asio::io_context& io_;
  Mutex mutex_;
  CondVar left_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::unordered_set<CarriedCall*> calls_ ABSL_GUARDED_BY(mutex_);
  std::size_t stays_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace terrane::http
