#include "net/port_thread.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "log.h"
#include "net/accept_loop.h"
#include "terrane/result_macros.h"

namespace terrane::net {

class PortThread::Impl {
 public:
  Impl(PortOptions options, ops::Metrics& metrics) {
    loop_.emplace(
        io_, std::move(options), metrics,
        [this](int descriptor, const AddressBytes& address) { return take_(descriptor, address); });
  }
  ~Impl() { stop(); }

  Result<void> listen(const std::string& address) {
    TERRANE_ASSIGN_OR_RETURN(address_, loop_->listen(address));
    return {};
  }

  void start(TakeConnection take) {
    take_ = std::move(take);
    loop_->start();
    thread_ = std::thread([this] { run(); });
  }

  void send_away(const AddressBytes& client, std::chrono::milliseconds time, std::string why) {
    boost::asio::post(
        io_, [this, client, time, why = std::move(why)] { loop_->send_away(client, time, why); });
  }

  void stop() {
    io_.stop();
    if (thread_.joinable()) thread_.join();
    loop_.reset();
  }

  const std::string& address() const { return address_; }

 private:
  void run() {
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::exception& failure) {  // a lack of memory: the loop goes on
        spdlog::error("accepting connections failed: {}", failure.what());
      }
    }
  }

  std::string address_;
  TakeConnection take_;
  boost::asio::io_context io_{1};
  std::optional<AcceptLoop> loop_;
  std::thread thread_;
};

Result<std::unique_ptr<PortThread>> PortThread::listen(const std::string& address,
                                                       PortOptions options, ops::Metrics& metrics) {
  auto impl = std::make_unique<Impl>(std::move(options), metrics);
  TERRANE_RETURN_IF_ERROR(impl->listen(address));
  return std::unique_ptr<PortThread>(new PortThread(std::move(impl)));
}

PortThread::PortThread(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PortThread::~PortThread() = default;

const std::string& PortThread::address() const { return impl_->address(); }
void PortThread::start(TakeConnection take) { impl_->start(std::move(take)); }
void PortThread::send_away(const AddressBytes& client, std::chrono::milliseconds time,
                           std::string why) {
  impl_->send_away(client, time, std::move(why));
}
void PortThread::stop() { impl_->stop(); }

}  // namespace terrane::net
