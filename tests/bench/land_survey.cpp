#include "bench/land_survey.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "bench/land_courses.h"
#include "bench/land_drainage.h"
#include "bench/land_flow.h"
#include "bench/land_regions.h"
#include "bench/land_relief.h"
#include "bench/land_rivers.h"
#include "bench/land_wide.h"

namespace terrane::land {
namespace {

using Job = std::function<Findings()>;

void add_slopes(const Window& window, std::string_view ending, Findings& out) {
  const std::vector<double> coarse = slopes(averaged(window, 8));
  out.add("gentle" + std::string(ending), share_within(coarse, 5, 20));
  if (!ending.empty()) return;
  out.add("steep", share_within(coarse, 35, 90));
  const std::vector<double> fine = slopes(window);
  out.add("slope_p90", quantile(fine, 0.9));
  out.add("slope_p99", quantile(fine, 0.99));
}

Findings mountains(const Source& source, Place place) {
  Findings out;
  const Window window = make_window(source, place.x, place.y, 3, 1024);
  const Flow flow = flow_over(window);
  add_slopes(window, "", out);
  const Line concavity = slope_area(window, flow, 64, 1e5, 1e7);
  if (concavity.points >= 3) {
    out.add("concavity", -concavity.slope);
    out.add("concavity_r2", concavity.r2);
  }
  const Line lengths = hack(window, flow, 1e5, 1e7);
  if (lengths.points >= 10) out.add("hack", lengths.slope);
  out.add("exceedance", -area_exceedance(window, flow, 1e4, 1e6).slope);
  for (const double integral : basin_integrals(window, flow, 1e6, 1e7))
    out.add("hypsometry", integral);
  const std::vector<double> rough = roughness(window, 32);
  const double p10 = quantile(rough, 0.1);
  if (p10 > 0) out.add("roughness", quantile(rough, 0.9) / p10);
  out.add("side_valleys", side_valley_density(window, flow));
  return out;
}

Findings gentle_land(const Source& source, Place place, std::string_view ending) {
  Findings out;
  const Window window = make_window(source, place.x, place.y, 3, 512);
  add_slopes(window, ending, out);
  out.add("hypsometry" + std::string(ending), hypsometric_integral(window));
  return out;
}

void add_lakes(const Window& window, Findings& out) {
  std::vector<double> indices;
  for (const auto& lake : regions_of(window, mask_of(window, Cover::kLake), Through::kSides)) {
    if (static_cast<double>(lake.size()) * window.cell_area() < 1e4) continue;
    if (touches_edge(window, lake)) continue;
    const Shore shore = shore_of(window, lake, 64);
    indices.push_back(shore.index());
    out.add_part("straight_shore", shore.straight_share * shore.length, shore.length);
  }
  if (!indices.empty()) out.add("shore", quantile(indices, 0.5));
}

void add_rivers(const Window& window, const Window& coarse, const Flow& flow, Findings& out) {
  const Rivers rivers = rivers_of(window, mask_of(window, Cover::kRiver));
  const Junctions junctions = junctions_of(rivers);
  out.add_part("junctions", junctions.of_four, junctions.all);
  const Chords chords = chords_of(window, rivers, 512);
  const int all = chords.axes + chords.diagonals + chords.others;
  out.add_part("chords_axes", chords.axes, all);
  out.add_part("chords_diagonals", chords.diagonals, all);
  out.add_part("chords_others", chords.others, all);
  const std::vector<double> bends = sinuosities(window, rivers, 256);
  if (!bends.empty()) out.add("sinuosity", quantile(bends, 0.5));
  const Widths widths = widths_of(window, rivers, coarse, flow, 64);
  out.river_area = widths.area;
  out.river_width = widths.width;
}

Findings waters(const Source& source, Place place) {
  Findings out;
  const Window window = make_window(source, place.x, place.y, 1, 4096);
  {
    const Window middling = thinned(window, 2);
    const Flow flow = flow_over(middling);
    const Hollows hollows = dry_hollows(middling, flow, 3);
    out.add_part("hollows", hollows.dry, hollows.land_km2);
    add_rivers(window, middling, flow, out);
  }
  add_lakes(window, out);
  const Window coarse = thinned(window, 4);
  const Flow flow = flow_over(coarse);
  out.add("hypsometry_land", hypsometric_integral(coarse));
  const Line lengths = hack(coarse, flow, 1e5, 1e7);
  if (lengths.points >= 10) out.add("hack_land", lengths.slope);
  out.add("exceedance_land", -area_exceedance(coarse, flow, 1e4, 1e6).slope);
  out.add("side_valleys_land", side_valley_density(coarse, flow));
  return out;
}

std::vector<Job> jobs_of(const Source& source, const Places& places) {
  std::vector<Job> jobs{[&source] { return whole_world(source); },
                        [&source] { return ranges(source); },
                        [&source] { return spectrum(source); }};
  for (const Place p : places.land) jobs.push_back([&source, p] { return waters(source, p); });
  for (const Place p : places.mountains)
    jobs.push_back([&source, p] { return mountains(source, p); });
  for (const Place p : places.hills)
    jobs.push_back([&source, p] { return gentle_land(source, p, "_hills"); });
  for (const Place p : places.plains)
    jobs.push_back([&source, p] { return gentle_land(source, p, "_plains"); });
  return jobs;
}

}  // namespace

Findings survey(const Source& source, const Plan& plan, int threads) {
  const std::vector<Job> jobs = jobs_of(source, find_places(source, plan));
  std::vector<Findings> found(jobs.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&] {
      for (std::size_t job = next++; job < jobs.size(); job = next++) found[job] = jobs[job]();
    });
  }
  workers.clear();  // joins
  Findings all;
  for (const Findings& one : found) all.add(one);
  settle(all);
  return all;
}

}  // namespace terrane::land
