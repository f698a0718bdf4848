#pragma once

#include <cstdint>
#include <string_view>

namespace terrane {

/// Why exactly a call was refused or failed: closed, for programs to look at. The numbers are those
/// of terrane.v1.ErrorReason, which says of each what to do.
enum class ErrorReason : std::uint8_t {
  kUnspecified = 0,
  // the request is wrong
  kFieldMissing = 1,
  kFieldMalformed = 2,
  kFieldOutOfRange = 3,
  kTooMany = 4,
  kMessageTooLarge = 5,
  kWorldUnknown = 6,
  kWorldChanged = 7,
  kNameUnknown = 8,
  kLayerNotInWorld = 9,
  kLayerNotAtLod = 10,
  kStructureNotThere = 11,
  kFormatNotServed = 12,
  kMessageOutOfOrder = 13,
  kMethodUnknown = 14,
  // the server does not know who asks, or does not let them
  kNotPermitted = 15,
  kCertificateMissing = 16,
  kTokenMissing = 17,
  kTokenInvalid = 18,
  kTokenExpired = 19,
  // the server has too much to do
  kWaitTooLong = 20,
  kClientShareTaken = 21,
  kQueueFull = 22,
  kStreamMemoryFull = 24,
  kOutOfMemory = 25,
  kCallMemoryFull = 26,
  kClientMemoryFull = 27,
  // the client does too little
  kClientTooSlow = 30,
  // the server is about to stop, or something of it is broken
  kDraining = 40,
  kGeneratorFailed = 41,
  kChunkDamaged = 42,
};

/// "QUEUE_FULL": as google.rpc.ErrorInfo.reason has it.
constexpr std::string_view to_string(ErrorReason reason) {
  switch (reason) {
    case ErrorReason::kUnspecified: return "UNSPECIFIED";
    case ErrorReason::kFieldMissing: return "FIELD_MISSING";
    case ErrorReason::kFieldMalformed: return "FIELD_MALFORMED";
    case ErrorReason::kFieldOutOfRange: return "FIELD_OUT_OF_RANGE";
    case ErrorReason::kTooMany: return "TOO_MANY";
    case ErrorReason::kMessageTooLarge: return "MESSAGE_TOO_LARGE";
    case ErrorReason::kWorldUnknown: return "WORLD_UNKNOWN";
    case ErrorReason::kWorldChanged: return "WORLD_CHANGED";
    case ErrorReason::kNameUnknown: return "NAME_UNKNOWN";
    case ErrorReason::kLayerNotInWorld: return "LAYER_NOT_IN_WORLD";
    case ErrorReason::kLayerNotAtLod: return "LAYER_NOT_AT_LOD";
    case ErrorReason::kStructureNotThere: return "STRUCTURE_NOT_THERE";
    case ErrorReason::kFormatNotServed: return "FORMAT_NOT_SERVED";
    case ErrorReason::kMessageOutOfOrder: return "MESSAGE_OUT_OF_ORDER";
    case ErrorReason::kMethodUnknown: return "METHOD_UNKNOWN";
    case ErrorReason::kNotPermitted: return "NOT_PERMITTED";
    case ErrorReason::kCertificateMissing: return "CERTIFICATE_MISSING";
    case ErrorReason::kTokenMissing: return "TOKEN_MISSING";
    case ErrorReason::kTokenInvalid: return "TOKEN_INVALID";
    case ErrorReason::kTokenExpired: return "TOKEN_EXPIRED";
    case ErrorReason::kWaitTooLong: return "WAIT_TOO_LONG";
    case ErrorReason::kClientShareTaken: return "CLIENT_SHARE_TAKEN";
    case ErrorReason::kQueueFull: return "QUEUE_FULL";
    case ErrorReason::kStreamMemoryFull: return "STREAM_MEMORY_FULL";
    case ErrorReason::kOutOfMemory: return "OUT_OF_MEMORY";
    case ErrorReason::kCallMemoryFull: return "CALL_MEMORY_FULL";
    case ErrorReason::kClientMemoryFull: return "CLIENT_MEMORY_FULL";
    case ErrorReason::kClientTooSlow: return "CLIENT_TOO_SLOW";
    case ErrorReason::kDraining: return "DRAINING";
    case ErrorReason::kGeneratorFailed: return "GENERATOR_FAILED";
    case ErrorReason::kChunkDamaged: return "CHUNK_DAMAGED";
  }
  return "UNSPECIFIED";
}

}  // namespace terrane
