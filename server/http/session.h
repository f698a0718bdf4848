#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "http/call_host.h"
#include "http/http_metrics.h"
#include "http/limits.h"
#include "http/pending_answers.h"
#include "http/routes.h"

namespace terrane::http {

/// What all connections share; outlives them.
struct Port {
  const Routes& routes;
  const Limits& limits;
  const HttpMetrics& metrics;
  PendingAnswers& answers;
  CallHost& calls;
};

/// Serves a connection until it ends: a request, its answer, the next request. What the client
/// sends meanwhile stays in the socket, so that it holds a header's worth of memory at most. All of
/// it runs on the port's thread.
/// @param tls  null: in the clear
void start_session(boost::asio::ip::tcp::socket socket,
                   std::shared_ptr<boost::asio::ssl::context> tls, Port& port);

}  // namespace terrane::http
