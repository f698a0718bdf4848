#pragma once

#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "cli/explore/walk.h"
#include "cli/map/drawing.h"
#include "cli/terminal/keys.h"
#include "terrane/world.h"

namespace terrane::cli {

/// What somebody who explores a world has chosen by keys.
struct ExploreControls {
  Walker walker;
  Lod lod = 0;
  MapStyle style = MapStyle::kRelief;
  bool grid = false;                       // whether borders of chunks show
  bool help = false;                       // whether the keys are explained
  std::optional<std::string> prompt = {};  // what has been typed of a place to go to
  std::string notice = {};                 // what the last key could not do
  bool quit = false;
  std::mt19937_64 chance = {};  // for far places
};

/// What a key does.
void press(ExploreControls& controls, const Key& key, const World& world);

/// Styles by the digit that chooses them, from 1.
inline constexpr std::array kExploreStyles{
    MapStyle::kRelief,   MapStyle::kBiome, MapStyle::kHeight, MapStyle::kTemperature,
    MapStyle::kHumidity, MapStyle::kWater, MapStyle::kForest, MapStyle::kRocks};

/// What a key does, for people.
struct KeyHelp {
  std::string_view keys;
  std::string_view what;
};

inline constexpr std::array kExploreHelp{
    KeyHelp{"arrows  hjkl  wasd", "walk while held; yubn: diagonally"},
    KeyHelp{"shift", "with these: ten times as fast"},
    KeyHelp{"enter", "keep walking"},
    KeyHelp{"space", "stop"},
    KeyHelp{"r  f", "run, fly"},
    KeyHelp{"t  T", "teleport to X,Y, or far away"},
    KeyHelp{"+  -", "closer, further (level of detail)"},
    KeyHelp{"1 to 8  tab", "layer"},
    KeyHelp{"g", "borders of chunks"},
    KeyHelp{"?", "these lines"},
    KeyHelp{"q  esc", "quit"},
};

}  // namespace terrane::cli
