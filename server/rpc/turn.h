#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "rpc/request_reads.h"

namespace terrane::rpc {

/// Something else than a call of gRPC's that begins when it is its client's turn among the calls.
class Turn final : public RequestReads::Reader {
 public:
  /// Has `then` called, at once or later, on any thread. Throws std::bad_alloc, and has then done
  /// nothing. Blocks: no.
  /// @param then  does not throw
  static void take(RequestReads& reads, const schedule::Source& source,
                   std::function<void()> then) {
    const auto turn = std::make_shared<Turn>(std::move(then));
    turn->self_ = turn;
    try {
      reads.enter(source, *turn);
    } catch (...) {
      turn->self_.reset();
      throw;
    }
  }

  explicit Turn(std::function<void()> then) : then_(std::move(then)) {}

 private:
  void start_reading() override {
    self_.reset();  // whoever begins it keeps it meanwhile
    std::exchange(then_, nullptr)();
  }
  [[nodiscard]] bool takes_place() const override { return false; }
  void stop_reading(const Error&) override {}

  std::function<void()> then_;
  std::shared_ptr<Turn> self_;  // while it waits
};

}  // namespace terrane::rpc
