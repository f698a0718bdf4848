#include "http/routes.h"

namespace terrane::http {
namespace {

Page readiness(Phase phase) {
  switch (phase) {
    case Phase::kStarting: return text_page(503, "starting");
    case Phase::kServing: return text_page(200, "serving");
    case Phase::kServingUncached:
      return text_page(200, "serving without a cache: --data can't be used, and the log says why");
    case Phase::kDraining: return text_page(503, "draining: no new calls are taken");
  }
  return text_page(500, "unknown phase");
}

/// Of a server that would serve, if only it could be reached; empty when it can.
std::string trouble(const char* port, net::Accepting accepting) {
  switch (accepting) {
    case net::Accepting::kYes: return "";
    case net::Accepting::kFull:
      return std::string("the ") + port + " port holds as many connections as it may";
    case net::Accepting::kNoDescriptors:
      return std::string("the ") + port +
             " port can't accept connections: no more files can be opened (ulimit -n)";
  }
  return "unknown state";
}

}  // namespace

Page Routes::get(std::string_view target) const {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/metrics") return {200, "text/plain; version=0.0.4; charset=utf-8", metrics_.text()};
  if (path == "/healthz") return text_page(200, "alive");
  if (path == "/readyz") {
    for (const std::string& problem : {trouble("gRPC", ports_.grpc), trouble("HTTP", ports_.http)})
      if (is_serving(phase_) && !problem.empty()) return text_page(503, problem);
    return readiness(phase_);
  }
  return text_page(404, "there is nothing at this path; there are /metrics, /healthz and /readyz");
}

Page text_page(unsigned status, std::string_view line) {
  return {status, "text/plain; charset=utf-8", std::string(line) + "\n"};
}

}  // namespace terrane::http
