#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/result.h"

namespace terrane::http {

class CallHost;

/// A request for a page, as far as pages depend on it.
struct Request {
  std::string target;         // a path, and perhaps a query
  std::string peer;           // of the connection: "ipv4:127.0.0.1:50000", as gRPC says it
  std::string id;             // rpc::Call::request_id()
  std::string authorization;  // the fields of these names; empty: there are none
  std::string forwarded_for;
  std::string if_none_match;
  std::string from_origin;  // of the web page that asks, where a browser says so
  bool takes_gzip = false;
  bool is_preflight = false;     // a browser asks whether it may
  std::string origin;            // of this server's URLs, as the client sees it: "http://host:4151"
  bool has_certificate = false;  // for which somebody vouches whom the server trusts
  std::vector<std::string> subjects = {};  // whom it is for
  std::stop_token gone = {};               // nobody waits for the answer any more
  CallHost* host = nullptr;                // of calls that are made to answer it
  unsigned number = 0;                     // 1: the first of its connection
};

/// What a request yields.
struct Page {
  unsigned status = 200;
  std::string content_type = {};
  std::shared_ptr<const std::string> body = nullptr;  // null: none
  std::string cache_control = "no-store";
  std::vector<std::pair<std::string, std::string>> fields = {};  // besides
  std::shared_ptr<void> held = nullptr;                          // until the client has it all
};

/// Takes the answer to a request, once. Threads: any.
using Reply = std::function<void(Page)>;

/// A page with a line of text.
[[nodiscard]] Page text_page(unsigned status, std::string_view line);

/// A refusal of all methods but GET and HEAD.
[[nodiscard]] Page only_reading();

[[nodiscard]] Page json_page(std::string json);

/// A page for what could not be done: a status that says the same as the error's code, and an
/// HttpError.
[[nodiscard]] Page error_page(const Error& error);

}  // namespace terrane::http
