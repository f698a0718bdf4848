#include "cli/explore/controls.h"

#include <algorithm>
#include <cctype>

#include "cli/parse.h"
#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

// blocks: the farthest that chance goes, along each axis
constexpr std::int64_t kFar = std::int64_t{1} << 30;
constexpr std::size_t kLongestPlace = 40;  // characters

std::optional<Heading> heading_of(const Key& key) {
  switch (key.code) {
    case KeyCode::kUp: return Heading{0, -1};
    case KeyCode::kDown: return Heading{0, 1};
    case KeyCode::kLeft: return Heading{-1, 0};
    case KeyCode::kRight: return Heading{1, 0};
    case KeyCode::kCharacter: break;
    default: return std::nullopt;
  }
  switch (std::tolower(static_cast<unsigned char>(key.character))) {
    case 'k':
    case 'w': return Heading{0, -1};
    case 'j':
    case 's': return Heading{0, 1};
    case 'h':
    case 'a': return Heading{-1, 0};
    case 'l':
    case 'd': return Heading{1, 0};
    case 'y': return Heading{-1, -1};
    case 'u': return Heading{1, -1};
    case 'b': return Heading{-1, 1};
    case 'n': return Heading{1, 1};
    default: return std::nullopt;
  }
}

void choose(ExploreControls& controls, MapStyle style, const World& world) {
  if (layers_for(style, world)) {
    controls.style = style;
  } else {
    controls.notice = "world '" + world.name + "' has no layer " + std::string(name_of(style));
  }
}

/// The next style that the world has.
void choose_next(ExploreControls& controls, int step, const World& world) {
  const auto count = static_cast<int>(kExploreStyles.size());
  int at =
      static_cast<int>(std::find(kExploreStyles.begin(), kExploreStyles.end(), controls.style) -
                       kExploreStyles.begin());
  do {
    at = (at + step + count) % count;
  } while (!layers_for(kExploreStyles[static_cast<std::size_t>(at)], world));
  controls.style = kExploreStyles[static_cast<std::size_t>(at)];
}

void zoom(ExploreControls& controls, int step, const World& world) {
  const int lod = controls.lod + step;
  if (lod < 0) {
    controls.notice = "this is as close as it gets";
  } else if (lod > world.max_lod) {
    controls.notice =
        "world '" + world.name + "' has no coarser level than " + std::to_string(world.max_lod);
  } else {
    controls.lod = static_cast<Lod>(lod);
  }
}

void teleport(ExploreControls& controls, const std::string& place) {
  const auto to = parse_block_pos(place);
  if (!to) {
    controls.notice = "'" + place + "' is no place: write X,Y in whole blocks";
  } else if (!controls.walker.jump(*to)) {
    controls.notice = position(*to) + " is outside of the world";
  }
}

/// A key while a place is asked for.
void type(ExploreControls& controls, const Key& key) {
  std::string& place = *controls.prompt;
  switch (key.code) {
    case KeyCode::kCharacter:
      if (place.size() < kLongestPlace) place += key.character;
      break;
    case KeyCode::kBackspace:
      if (!place.empty()) place.pop_back();
      break;
    case KeyCode::kEnter:
      if (!place.empty()) teleport(controls, place);
      controls.prompt.reset();
      break;
    case KeyCode::kEscape: controls.prompt.reset(); break;
    default: break;
  }
}

void press_character(ExploreControls& controls, char character, const World& world) {
  if (character >= '1' && character < '1' + static_cast<int>(kExploreStyles.size())) {
    choose(controls, kExploreStyles[static_cast<std::size_t>(character - '1')], world);
    return;
  }
  switch (character) {
    case ' ': controls.walker.stop(); break;
    case 'r': controls.walker.toggle(Gait::kRun); break;
    case 'f': controls.walker.toggle(Gait::kFly); break;
    case 't': controls.prompt.emplace(); break;
    case 'T': {
      std::uniform_int_distribution<std::int64_t> anywhere(-kFar, kFar);
      const std::int64_t x = anywhere(controls.chance);
      controls.walker.jump({x, anywhere(controls.chance)});
      break;
    }
    case '+':
    case '=': zoom(controls, -1, world); break;
    case '-':
    case '_': zoom(controls, 1, world); break;
    case 'g': controls.grid = !controls.grid; break;
    case '?': controls.help = !controls.help; break;
    case 'q': controls.quit = true; break;
    default: break;
  }
}

}  // namespace

void press(ExploreControls& controls, const Key& key, const World& world) {
  controls.notice.clear();
  if (key.code == KeyCode::kInterrupt) {
    controls.quit = true;
  } else if (controls.prompt) {
    type(controls, key);
  } else if (key.code == KeyCode::kEscape && controls.help) {
    controls.help = false;
  } else if (key.code == KeyCode::kEscape) {
    controls.quit = true;
  } else if (const auto heading = heading_of(key)) {
    const bool capital = key.code == KeyCode::kCharacter &&
                         std::isupper(static_cast<unsigned char>(key.character)) != 0;
    controls.walker.head(*heading, key.shift || capital);
  } else if (key.code == KeyCode::kEnter) {
    controls.walker.keep_going();
  } else if (key.code == KeyCode::kTab || key.code == KeyCode::kBackTab) {
    choose_next(controls, key.code == KeyCode::kTab ? 1 : -1, world);
  } else if (key.code == KeyCode::kCharacter) {
    press_character(controls, key.character, world);
  }
}

}  // namespace terrane::cli
