#include "http/viewer.h"

#include <spdlog/fmt/fmt.h>
#include <zlib.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "http/viewer_files.h"

namespace terrane::http {
namespace {

// Everything comes from here, and nothing in it is written by anybody else.
constexpr const char* kPolicy =
    "default-src 'self'; img-src 'self' data: blob:; worker-src 'self' blob:; connect-src 'self' "
    "ws: wss:; frame-ancestors 'self'; base-uri 'none'; "
    "form-action 'none'";

/// For who does not take gzip. Throws std::bad_alloc.
std::string unpacked(std::span<const unsigned char> gzip) {
  constexpr int kGzip = 15 + 16;  // zlib.h: a window of 2^15, behind a header of gzip's
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  z_stream stream{};
  stream.next_in = const_cast<Bytef*>(gzip.data());  // it is not written to
  stream.avail_in = static_cast<uInt>(gzip.size());
  if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  std::string text;
  for (int done = Z_OK; done == Z_OK;) {
    const std::size_t before = text.size();
    text.resize(before + kPiece);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = kPiece;
    done = inflate(&stream, Z_NO_FLUSH);
    text.resize(before + kPiece - stream.avail_out);
  }
  return text;
}

using Body = std::shared_ptr<const std::string>;

/// A file as it is sent, which takes no memory for each client that has not read it yet.
struct Sent {
  const ViewerFile* file;
  std::string etag;
  Body gzip, plain;
};

/// Made when somebody asks for the first time.
const std::vector<Sent>& sent_files() {
  static const std::vector<Sent> files = [] {
    std::vector<Sent> made;
    for (const ViewerFile& file : viewer_files()) {
      const std::string gzip(reinterpret_cast<const char*>(file.gzip.data()), file.gzip.size());
      made.push_back({.file = &file,
                      .etag = fmt::format("W/\"{:016x}\"", std::hash<std::string>()(gzip)),
                      .gzip = std::make_shared<const std::string>(gzip),
                      .plain = std::make_shared<const std::string>(unpacked(file.gzip))});
    }
    return made;
  }();
  return files;
}

Page page_of(const Sent& sent, const Request& request) {
  const std::string_view name = sent.file->name;
  const bool is_page = name == "index.html" || name == "licenses.txt";
  Page page{.content_type = std::string(sent.file->type),
            .cache_control = is_page ? "no-cache" : "public, max-age=31536000, immutable",
            .fields = {{"ETag", sent.etag}, {"Vary", "Accept-Encoding"}}};
  if (is_page) {
    page.fields.emplace_back("Content-Security-Policy", kPolicy);
    page.fields.emplace_back("Referrer-Policy", "no-referrer");
  }
  page.fields.emplace_back("X-Content-Type-Options", "nosniff");
  if (request.if_none_match.find(sent.etag) != std::string::npos) {
    page.status = 304;
    return page;
  }
  if (request.takes_gzip) page.fields.emplace_back("Content-Encoding", "gzip");
  page.body = request.takes_gzip ? sent.gzip : sent.plain;
  return page;
}

}  // namespace

std::optional<Page> viewer_page(std::string_view path, const Request& request) {
  const auto& files = sent_files();
  if (!path.starts_with('/')) return std::nullopt;  // no server's path, such as that of "?"
  if (path == "/" && files.empty())
    return text_page(404, "this server was built without its viewer; there is /v1/worlds");
  const std::string_view name = path == "/" ? "index.html" : path.substr(1);
  const auto found =
      std::ranges::find(files, name, [](const Sent& sent) { return sent.file->name; });
  if (found == files.end()) return std::nullopt;
  return page_of(*found, request);
}

}  // namespace terrane::http
