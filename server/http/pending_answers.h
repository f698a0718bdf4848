#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>

#include "http/page.h"

namespace terrane::http {

/// Answers that other threads make, brought to the thread of the port. What waits for them is
/// touched by that thread alone, and an answer that comes after the port's end is dropped. Where a
/// Reply goes without having been called, there was no memory to make an answer, and that is the
/// answer.
class PendingAnswers {
 public:
  /// @param io  outlives this
  explicit PendingAnswers(boost::asio::io_context& io);
  /// Everybody who waits is given up. On the port's thread, or once that has ended.
  ~PendingAnswers();
  PendingAnswers(const PendingAnswers&) = delete;
  PendingAnswers& operator=(const PendingAnswers&) = delete;

  /// On the port's thread.
  /// @param then  is called with the answer, on the port's thread, after this has returned
  [[nodiscard]] Reply expect(std::function<void(Page)> then);

 private:
  struct State;
  class Ticket;
  std::shared_ptr<State> state_;
};

}  // namespace terrane::http
