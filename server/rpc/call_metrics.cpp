#include "rpc/call_metrics.h"

#include <string>

#include "terrane/result.h"

namespace terrane::rpc {
namespace {

constexpr std::array<const char*, kMethods> kNames{
    "ListWorlds",   "GetWorld",    "GetChunk", "GetChunks",  "SamplePoints",   "Locate",
    "GetStructure", "Explore",     "Check",    "Watch",      "GetServerStats", "GetCacheStats",
    "PurgeCache",   "Pregenerate", "Drain",    "SetLogLevel"};
constexpr int kHighestCode = 16;  // of gRPC's

std::string name_of(int code) {
  return code == 0 ? "OK" : std::string(to_string(static_cast<ErrorCode>(code)));
}

}  // namespace

const char* to_string(Method method) { return kNames[static_cast<std::size_t>(method)]; }

const char* to_string(CutOff reason) {
  switch (reason) {
    case CutOff::kNoHello: return "no_hello";
    case CutOff::kNoAck: return "no_ack";
    case CutOff::kNoRead: return "no_read";
    case CutOff::kMemory: return "memory";
    case CutOff::kOutOfMemory: return "out_of_memory";
  }
  return "";
}

CallMetrics::CallMetrics(ops::Metrics& metrics) : refusals(std::make_unique<Refusals>(metrics)) {
  for (const Whose whose : {Whose::kStrangers, Whose::kWeighted}) {
    const ops::Labels clients{{"clients", to_string(whose)}};
    sent_[static_cast<std::size_t>(whose)] = {
        metrics.counter("terrane_sent_chunks_total",
                        "Chunks handed to gRPC or to a WebSocket, by whether their clients have "
                        "more shares than one (weighted) or not (strangers).",
                        clients),
        metrics.counter("terrane_sent_chunk_bytes_total", "Bytes of these chunks, as encoded.",
                        clients)};
  }
  underfoot = metrics.histogram(
      "terrane_underfoot_seconds",
      "How long viewers waited for the chunk underfoot: from the move by which they had none until "
      "it was handed to gRPC or to their WebSocket.");
  unsent_bytes =
      metrics.gauge("terrane_unsent_chunk_bytes",
                    "Bytes of encoded chunks that streams hold until their readers take them.");
  dropped_chunks = metrics.counter("terrane_dropped_chunks_total",
                                   "Chunks made for viewers that had moved on by then.");
  for (auto& [counter, result] :
       {std::pair{&judged_same, "same"}, std::pair{&judged_other, "other"}}) {
    *counter = metrics.counter("terrane_judged_chunks_total",
                               "Chunks that clients have made themselves and had judged: the same "
                               "as the server's, or other ones, which it sent.",
                               {{"result", result}});
  }
  slow_clients_closed =
      metrics.counter("terrane_slow_clients_closed_total",
                      "Explore streams closed because the client said or read nothing in time.");
  for (std::size_t i = 0; i < kCutOffs; ++i) {
    cut_off[i] = metrics.counter("terrane_streams_cut_off_total",
                                 "Explore streams that the server has cut off, by reason.",
                                 {{"reason", to_string(static_cast<CutOff>(i))}});
  }
  callback =
      metrics.histogram("terrane_callback_seconds",
                        "Processor time of callbacks on gRPC's threads, which serve everybody.",
                        {{"rpc", "Explore"}});
  stream_memory = metrics.gauge("terrane_stream_memory_bytes",
                                "Bytes of memory that Explore streams hold, as reckoned.");
  waiting_calls = metrics.gauge("terrane_waiting_calls",
                                "Calls that wait until it is their client's turn to begin.");
  held_connections = metrics.gauge("terrane_held_connections",
                                   "Connections that nobody reads for a while, as more streams of "
                                   "theirs wait than can begin, or calls of theirs are refused.");
  const char* const refused = "terrane_calls_refused_for_memory_total";
  const char* const refused_help =
      "Calls refused since those that are answered from a request held as much memory as they may, "
      "by whose bound it was.";
  refused_for_client_memory = metrics.counter(refused, refused_help, {{"bound", "client"}});
  refused_for_call_memory = metrics.counter(refused, refused_help, {{"bound", "all"}});
  for (std::size_t i = 0; i < kMethods; ++i) {
    const ops::Labels rpc{{"rpc", kNames[i]}};
    methods_[i].open = metrics.gauge("terrane_open_calls", "Calls in progress.", rpc);
    methods_[i].seconds = metrics.histogram("terrane_request_seconds",
                                            "How long calls took, streams as a whole.", rpc);
    for (int code = 0; code <= kHighestCode; ++code) {
      const std::string name = name_of(code);
      if (name == "UNKNOWN") continue;  // those that the service never answers with
      methods_[i].ended[code] =
          metrics.counter("terrane_requests_total", "Calls that ended, by status.",
                          {{"rpc", kNames[i]}, {"code", name}});
    }
  }
}

}  // namespace terrane::rpc
