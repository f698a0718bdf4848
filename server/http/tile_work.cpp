#include "http/tile_work.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "codec/chunk_codec.h"
#include "drawing/png.h"
#include "schedule/refusal.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

using drawing::MapGrid, drawing::Picture, drawing::PngEncoder, drawing::SampleRectangle;

// What a job does of a tile: each takes about a millisecond where relief is drawn.
constexpr std::size_t kChunksPerJob = 16;
constexpr int kRowsPerJob = 16;         // drawn
constexpr int kEncodedRowsPerJob = 64;  // of the PNG

/// How much slopes are exaggerated: the same for all of a level, or tiles would not fit. Land is
/// the gentler the farther one looks: figures from the built-in worlds.
double exaggeration_at(Lod lod) {
  constexpr double kNear = 1.2, kGrowth = 1.35, kMost = 10;
  return std::min(kNear * std::pow(kGrowth, lod), kMost);
}

drawing::Legend legend_of(const worldgen::World& world) {
  drawing::Legend legend;
  legend.chunk_size = world.chunk_size;
  legend.sea_level_q4 = world.sea_level_q4;
  legend.set_span(world.ranges.height_q4.min, world.ranges.height_q4.max);
  for (std::size_t id = 0; id < std::min(world.biomes.size(), legend.biomes.size()); ++id)
    legend.biomes[id] = drawing::from_rgb(world.biomes[id].color);
  legend.placement_kinds = world.placement_kinds;
  legend.structure_kinds = world.structure_kinds;
  return legend;
}

/// The middle of a picture.
Picture without_apron(const Picture& picture, int apron) {
  if (apron == 0) return picture;
  Picture out{picture.width - 2 * apron, picture.height - 2 * apron, {}};
  out.rgb.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  for (int y = apron; y < picture.height - apron; ++y) {
    const std::ptrdiff_t at = (std::ptrdiff_t{y} * picture.width + apron) * 3;
    const auto row = picture.rgb.begin() + at;
    out.rgb.insert(out.rgb.end(), row, row + std::ptrdiff_t{out.width} * 3);
  }
  return out;
}

/// Heights above sea level in blocks as red * 256 + green + blue / 256 - 32768.
void place_heights(const Chunk& chunk, const SampleRectangle& area, std::int32_t sea_level_q4,
                   Picture& picture) {
  constexpr std::int64_t kZero_q4 = 32768 * 16;
  const auto size = std::int64_t{chunk.size};
  for (std::int64_t y = 0; y < size; ++y) {
    const std::int64_t row = chunk.coord.y * size + y - area.y;
    for (std::int64_t x = 0; x < size; ++x) {
      const std::int64_t column = chunk.coord.x * size + x - area.x;
      if (row < 0 || row >= area.height || column < 0 || column >= area.width) continue;
      const std::int64_t height =
          kZero_q4 + chunk.height_q4[static_cast<std::size_t>(y * size + x)] - sea_level_q4;
      std::uint8_t* const at = picture.rgb.data() + (row * area.width + column) * 3;
      at[0] = static_cast<std::uint8_t>(height >> 12);
      at[1] = static_cast<std::uint8_t>(height >> 4 & 255);
      at[2] = static_cast<std::uint8_t>((height & 15) << 4);
    }
  }
}

class TileWork : public std::enable_shared_from_this<TileWork> {
 public:
  TileWork(schedule::WorkerPool& workers, TileTask task, Chunks chunks);

  void submit();

 private:
  void run();
  [[nodiscard]] Result<bool> step();
  [[nodiscard]] Result<bool> place_chunks();
  bool draw_rows();
  [[nodiscard]] Page page();

  schedule::WorkerPool& workers_;
  const TileTask task_;
  Chunks chunks_;
  std::size_t placed_ = 0;  // chunks
  std::optional<MapGrid> grid_;
  std::optional<MapGrid::Drawing> drawing_;  // of the grid
  Picture picture_;
  std::optional<PngEncoder> encoder_;  // of the picture
};

TileWork::TileWork(schedule::WorkerPool& workers, TileTask task, Chunks chunks)
    : workers_(workers), task_(std::move(task)), chunks_(std::move(chunks)) {}

void TileWork::submit() {
  const auto work = shared_from_this();
  const auto refuse = [work](const schedule::Refused& refused) {
    work->task_.reply(error_page(schedule::to_error(refused)));
  };
  const auto queued =
      workers_.submit(schedule::Priority::kView, {[work] { work->run(); }, refuse}, task_.source);
  if (!queued) refuse(queued.error());
}

void TileWork::run() {
  if (task_.gone.stop_requested()) return;
  const Result<bool> is_all = step();
  if (!is_all) return task_.reply(error_page(is_all.error()));
  if (*is_all) return task_.reply(page());
  submit();
}

/// @return whether that was all. Errors: kDataLoss for a damaged chunk, kInternal of libpng.
Result<bool> TileWork::step() {
  if (placed_ < chunks_.size()) return place_chunks();
  if (grid_) return draw_rows();
  if (!encoder_) encoder_.emplace(picture_);
  return encoder_->add_rows(kEncodedRowsPerJob);
}

Result<bool> TileWork::place_chunks() {
  const SampleRectangle& area = task_.area;
  const TileLayer& layer = task_.layer;
  if (placed_ == 0 && layer.is_terrarium) {
    picture_ = {area.width, area.height, {}};
    picture_.rgb.resize(static_cast<std::size_t>(area.width) *
                        static_cast<std::size_t>(area.height) * 3);
  } else if (placed_ == 0) {
    grid_.emplace(legend_of(*task_.world), area, task_.lod, layer.style, layer.layers);
  }
  const std::size_t past = std::min(placed_ + kChunksPerJob, chunks_.size());
  for (; placed_ < past; ++placed_) {
    const codec::EncodedChunk encoded = std::move(chunks_[placed_]);
    TERRANE_ASSIGN_OR_RETURN(const Chunk chunk,
                             codec::decode(*encoded, task_.coords[placed_], layer.layers));
    if (grid_) {
      grid_->place(chunk);
    } else {
      place_heights(chunk, area, task_.world->sea_level_q4, picture_);
    }
  }
  return false;
}

bool TileWork::draw_rows() {
  if (!drawing_) {
    drawing_.emplace(*grid_, exaggeration_at(task_.lod));
  } else if (drawing_->draw_rows(kRowsPerJob)) {
    picture_ = without_apron(drawing_->take(), task_.apron);
    drawing_.reset();
    grid_.reset();
  }
  return false;
}

Page TileWork::page() {
  return page_with(task_.heading, "image/png",
                   std::make_shared<const std::string>(encoder_->take()));
}

}  // namespace

void draw_tile(schedule::WorkerPool& workers, TileTask task, Chunks chunks) {
  std::make_shared<TileWork>(workers, std::move(task), std::move(chunks))->submit();
}

}  // namespace terrane::http
