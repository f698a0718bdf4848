#include "rpc/unary/structure_call.h"

#include <spdlog/fmt/fmt.h>

#include <exception>
#include <new>
#include <utility>

#include "rpc/checks/refused_field.h"
#include "rpc/pace.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "rpc/world_messages.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {

StructureCall::StructureCall(IncomingCall incoming, TerrainQueries terrain, StructureQuery query)
    : ServerCall(std::move(incoming)), terrain_(std::move(terrain)), query_(std::move(query)) {}

void StructureCall::start(IncomingCall incoming, schedule::WorkerPool& workers,
                          TerrainQueries terrain, StructureQuery query) {
  const auto call = create(std::move(incoming), std::move(terrain), std::move(query));
  try {
    const auto job = workers.submit(
        schedule::Priority::kView,
        {[call] { call->run_job(); },
         [call](const schedule::Refused& why) { call->end(schedule::to_error(why)); }},
        call->source(), kPatience);
    if (!job) call->end(schedule::to_error(job.error()));
  } catch (const std::bad_alloc& failure) {
    call->end(error_of(failure, "building"));
  }
}

void StructureCall::run_job() {
  if (is_ended()) return;
  std::vector<Structure> structures;
  std::vector<Room> rooms;
  try {
    structures = terrain_.structures(*query_.world, query_.seed, query_.anchor, query_.anchor,
                                     abandon_when_ended());
    if (!structures.empty()) rooms = terrain_.rooms(*query_.world, query_.seed, query_.anchor);
  } catch (const worldgen::Abandoned&) {
    return;
  } catch (const std::exception& failure) {
    return end(error_of(failure, "building"));
  }
  if (structures.empty()) {
    return end(refused_field({.code = ErrorCode::kNotFound,
                              .reason = ErrorReason::kStructureNotThere,
                              .field = "anchor",
                              .value = fmt::format("({}, {})", query_.anchor.x, query_.anchor.y)},
                             "no structure of this world and seed has it; Locate finds the "
                             "nearest one"));
  }
  if (!claim_end()) return;
  try {
    v1::GetStructureResponse response;
    *response.mutable_structure() = to_message(structures.front());
    for (const Room& room : rooms) *response.add_rooms() = to_message(room);
    answer_with(to_buffer(response.SerializeAsString()));
  } catch (const std::bad_alloc& failure) {
    finish(refuse(call(), error_of(failure, "answering")));
  }
}

void StructureCall::OnCancel() { end({ErrorCode::kCancelled, "cancelled"}); }

}  // namespace terrane::rpc
