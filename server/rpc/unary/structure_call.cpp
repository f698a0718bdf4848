#include "rpc/unary/structure_call.h"

#include <exception>
#include <string>
#include <utility>

#include "rpc/source.h"
#include "rpc/status.h"
#include "rpc/world_messages.h"

namespace terrane::rpc {

StructureCall::StructureCall(CallGate::Pass pass, CallRecord record,
                             grpc::CallbackServerContext& context,
                             v1::GetStructureResponse& response, Land land, StructureQuery query)
    : pass_(std::move(pass)),
      record_(record),
      context_(context),
      response_(response),
      land_(std::move(land)),
      query_(std::move(query)) {}

grpc::ServerUnaryReactor* StructureCall::start(CallGate::Pass pass, CallRecord record,
                                               grpc::CallbackServerContext& context,
                                               v1::GetStructureResponse& response,
                                               schedule::WorkerPool& workers, Land land,
                                               StructureQuery query) {
  const std::shared_ptr<StructureCall> call(new StructureCall(
      std::move(pass), record, context, response, std::move(land), std::move(query)));
  call->self_ = call;
  const auto job = workers.submit(
      schedule::Priority::kView, [call] { call->run_job(); }, source_of(context), kPatience);
  if (!job) call->end(refuse(context, schedule::to_error(job.error())));
  return call.get();
}

void StructureCall::run_job() {
  if (ended_) return;
  std::vector<Structure> structures;
  std::vector<Room> rooms;
  try {
    structures = land_.structures(*query_.world, query_.seed, query_.anchor, query_.anchor);
    if (!structures.empty()) rooms = land_.rooms(*query_.world, query_.seed, query_.anchor);
  } catch (const std::exception& failure) {
    return end(
        to_status({ErrorCode::kInternal, std::string("building failed: ") + failure.what()}));
  }
  if (structures.empty()) {
    return end(to_status(
        {ErrorCode::kNotFound,
         "anchor = (" + std::to_string(query_.anchor.x) + ", " + std::to_string(query_.anchor.y) +
             "): no structure of this world and seed has it; Locate finds the nearest one"}));
  }
  if (ended_.exchange(true)) return;  // the response is gRPC's again
  *response_.mutable_structure() = to_message(structures.front());
  for (const Room& room : rooms) *response_.add_rooms() = to_message(room);
  record_.end(grpc::StatusCode::OK);
  Finish(grpc::Status::OK);
}

void StructureCall::end(const grpc::Status& status) {
  if (ended_.exchange(true)) return;
  record_.end(status.error_code());
  Finish(status);
}

void StructureCall::OnCancel() {
  end(to_status({ErrorCode::kCancelled, "the call was cancelled"}));
}

void StructureCall::OnDone() {
  pass_.reset();  // here: a job that is still queued keeps the rest
  self_.reset();
}

}  // namespace terrane::rpc
