#include "drills/cached_server.h"

#include <chrono>
#include <utility>

namespace terrane::drills {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ChunksRequest request(const ChunkRectangle& area) {
  return {.world = {.name = "classic", .seed = 7}, .area = area};
}

}  // namespace

ChunkRectangle square(int index, int edge) {
  return {{index * edge, 0}, {index * edge + edge - 1, edge - 1}};
}

CachedServer::CachedServer(const std::filesystem::path& cache, std::vector<std::string> flags) {
  if (!cache.empty()) flags.insert(flags.end(), {"--data", cache.string()});
  const auto start = Clock::now();
  process_ = std::make_unique<e2e::ServerProcess>(flags);
  start_seconds_ = seconds_since(start);
  if (process_->ready_line().empty()) return;
  // One attempt: a drill wants to know of every broken connection.
  auto client = Client::connect(
      {.address = process_->address(), .deadline = std::chrono::seconds(60), .max_attempts = 1});
  if (client) client_.emplace(*std::move(client));
}

std::size_t CachedServer::chunks_at_start() const {
  const std::string& line = process_->ready_line();
  const std::size_t at = line.rfind('(');
  return at == std::string::npos ? 0 : std::stoul(line.substr(at + 1));
}

std::optional<Chunks> CachedServer::fetch(const ChunkRectangle& area) const {
  if (!client_) return std::nullopt;
  Chunks chunks;
  ChunkStream stream = client_->chunks(request(area));
  for (;;) {
    auto item = stream.next();
    if (!item) return std::nullopt;
    if (!*item) return chunks;
    if (**item) chunks[(**item)->coord] = ***item;
  }
}

void CachedServer::kill_after(const ChunkRectangle& area, std::size_t chunks) {
  ChunkStream stream = client_->chunks(request(area));
  for (std::size_t i = 0; i < chunks; ++i) {
    const auto item = stream.next();
    if (!item || !*item) break;
  }
  process_.reset();
}

std::size_t Truth::wrong(const Chunks& got, const ChunkRectangle& area) {
  Chunks& fresh = known_[area.first];
  const auto expected =
      static_cast<std::size_t>((area.last.x - area.first.x + 1) * (area.last.y - area.first.y + 1));
  if (fresh.size() != expected) fresh = server_.fetch(area).value_or(Chunks{});
  EXPECT_EQ(fresh.size(), expected);
  std::size_t wrong = 0;
  for (const auto& [coord, chunk] : fresh) {
    const auto it = got.find(coord);
    if (it == got.end() || it->second != chunk) ++wrong;
  }
  return wrong;
}

void copy_cache(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::filesystem::create_directories(to);
  for (const char* name : {"data.mdb", "LOCK"}) {
    std::filesystem::copy_file(from / name, to / name,
                               std::filesystem::copy_options::overwrite_existing);
  }
}

void fill_cache(const std::filesystem::path& cache, const std::vector<ChunkRectangle>& areas) {
  CachedServer server(cache);
  for (const ChunkRectangle& area : areas)
    ASSERT_TRUE(server.fetch(area)) << server.process().log();
  ASSERT_EQ(server.process().stop(), 0) << server.process().log();
}

Survival survive(const std::filesystem::path& cache, const ChunkRectangle& old_area,
                 const ChunkRectangle& new_area, Truth& truth) {
  Survival survival;
  for (; survival.restarts <= 3; ++survival.restarts) {
    CachedServer server(cache);
    if (server.ready()) survival.kept = server.chunks_at_start();
    bool whole = true;
    for (const ChunkRectangle& area : {old_area, new_area, old_area}) {
      const auto chunks = whole ? server.fetch(area) : std::nullopt;
      whole = chunks.has_value();
      if (chunks) survival.wrong += truth.wrong(*chunks, area);
    }
    const int exit_code = server.process().stop();
    const std::string log = server.process().log();
    survival.wiped |= log.find("wiped") != std::string::npos;
    if (!whole || exit_code != 0) continue;
    survival.counted += server.process().total("store", "bad_checksums");
    return survival;
  }
  ADD_FAILURE() << "the server still ends by itself after three restarts";
  return survival;
}

}  // namespace terrane::drills
