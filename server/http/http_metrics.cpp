#include "http/http_metrics.h"

#include <algorithm>
#include <string>

namespace terrane::http {
namespace {

constexpr const char* kOther = "other";

}  // namespace

HttpMetrics::HttpMetrics(ops::Metrics& metrics) {
  const char* const closed = "terrane_http_connections_closed_total";
  const char* const why =
      "HTTP connections that the server closed: timeout (idle or too slow), tls (no handshake).";
  connections = metrics.gauge("terrane_http_open_connections", "HTTP connections.");
  timed_out = metrics.counter(closed, why, {{"reason", "timeout"}});
  sent_bytes = metrics.counter("terrane_http_sent_bytes_total",
                               "Bytes of HTTP answers, without their headers.");
  handshakes_failed = metrics.counter(closed, why, {{"reason", "tls"}});
  for (const char* kind :
       {kOther, "worlds", "chunks", "bundles", "tiles", "points", "locate", "structures"}) {
    seconds[kind] = metrics.histogram(
        "terrane_http_request_seconds",
        "From a request over HTTP to its answer, by the path's word: what is below /v1, or other.",
        {{"kind", kind}});
  }
  for (const unsigned status :
       {200u, 204u, 304u, 307u, 400u, 401u, 403u, 404u, 405u, 413u, 429u, 431u, 500u, 503u, 504u}) {
    answers[status] =
        metrics.counter("terrane_http_requests_total", "HTTP requests, by status of the answer.",
                        {{"code", std::to_string(status)}});
  }
}

ops::Histogram HttpMetrics::seconds_of(std::string_view target) const {
  std::string_view left = target.starts_with("/v1/") ? target.substr(0, target.find('?')) : "";
  while (!left.empty()) {
    const auto word = left.substr(0, left.find('/'));
    if (const auto found = seconds.find(word); found != seconds.end()) return found->second;
    left.remove_prefix(std::min(word.size() + 1, left.size()));
  }
  return seconds.find(kOther)->second;
}

void HttpMetrics::answered(unsigned status, std::size_t bytes) const {
  sent_bytes.add(bytes);
  if (const auto found = answers.find(status); found != answers.end()) found->second.add();
}

}  // namespace terrane::http
