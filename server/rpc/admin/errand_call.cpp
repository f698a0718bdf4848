#include "rpc/admin/errand_call.h"

#include <exception>
#include <new>
#include <utility>

#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"

namespace terrane::rpc {

void ErrandCall::start(IncomingCall incoming, Errands& errands, Work work) {
  const auto call = create(std::move(incoming));
  try {
    const auto begun =
        errands.run(call->stop_, [call, work = std::move(work)] { call->run(work); });
    if (!begun) call->end(begun.error());
  } catch (const std::bad_alloc& failure) {
    call->end(error_of(failure, "beginning"));
  }
}

void ErrandCall::run(const Work& work) {
  try {
    auto answer = work(stop_.get_token());
    if (!answer) return end(answer.error());
    grpc::ByteBuffer bytes = to_buffer(*std::move(answer));
    if (claim_end()) answer_with(std::move(bytes));
  } catch (const std::exception& failure) {
    end(error_of(failure, "administering"));
  }
}

}  // namespace terrane::rpc
