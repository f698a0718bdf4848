// Explorers of C++ over WebSockets.
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "explore_checks.h"
#include "explorer.h"
#include "explorer_impl.h"
#include "link.h"
#include "servers.h"
#include "terrane/result_macros.h"
#include "terrane/web_socket.h"

namespace terrane {
namespace connection {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

class WebSocketExplorer final : public Explorer::Impl {
 public:
  WebSocketExplorer(Servers servers, ExploreOptions options)
      : explorer_(std::in_place_type<core::StreamedViewer>, std::move(options)),
        viewer_(std::get<core::StreamedViewer>(explorer_.viewer)),
        link_(std::in_place, std::move(servers), &explorer_) {}

  Result<void> move(const Pose& pose) override {
    TERRANE_RETURN_IF_ERROR(viewer_.move(pose, Clock::now()));
    link_->flush();
    return {};
  }
  ExploreNews poll() override {
    ExploreNews news = viewer_.take_news();
    link_->flush();
    return news;
  }
  bool wait(milliseconds timeout) override {
    const auto end =
        Clock::now() + std::clamp(timeout, milliseconds(0), milliseconds(std::chrono::hours(24)));
    while (!viewer_.has_news()) {
      const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
      if (left <= milliseconds(0)) return false;
      link_->wait(left);
    }
    return true;
  }
  std::shared_ptr<const Chunk> chunk(const Tile& tile) const override {
    return viewer_.chunk(tile);
  }
  ExploreStats stats() const override { return viewer_.stats(); }
  bool close() override {
    link_.reset();
    return true;
  }

 private:
  terrane_explorer explorer_;
  core::StreamedViewer& viewer_;
  std::optional<Link> link_;  // last: it uses the others
};

/// Whatever the provider throws is an error.
Result<std::string> ask(const TokenProvider& provider) {
  try {
    TERRANE_ASSIGN_OR_RETURN(auto given, provider());
    if (given.text.empty())
      return fail(ErrorCode::kUnauthenticated, "the token provider gave an empty token");
    TERRANE_RETURN_IF_ERROR(check_token(given.text));
    return std::move(given.text);
  } catch (const std::exception& failure) {
    return fail(ErrorCode::kUnauthenticated,
                std::string("the token provider threw: ") + failure.what());
  } catch (...) {
    return fail(ErrorCode::kUnauthenticated, "the token provider threw");
  }
}

}  // namespace
}  // namespace connection

Result<Explorer> connect_explorer(const WebSocketOptions& servers, ExploreOptions options) {
  TERRANE_RETURN_IF_ERROR(client::check(options));
  std::string urls;
  for (const std::string& url : servers.urls) urls += (urls.empty() ? "" : ",") + url;
  std::function<Result<std::string>()> token;
  if (servers.token) {
    token = [provider = servers.token] { return connection::ask(provider); };
  }
  TERRANE_ASSIGN_OR_RETURN(auto checked,
                           connection::check_servers(urls, servers.ca_file, std::move(token),
                                                     servers.insecure_token, servers.patience));
  try {
    return Explorer(
        std::make_unique<connection::WebSocketExplorer>(std::move(checked), std::move(options)));
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kResourceExhausted,
                std::string("no thread or no descriptor is left: ") + exception.what());
  }
}

}  // namespace terrane
