// Compares what is drawn with what terrane_land_ray says: no holes, and the same distances.
#pragma once
#include <vector>

#include "terrane/terrane.h"
#include "view.h"

namespace flight {

class Check {
 public:
  /// Looks at a grid of pixels of what Scene::draw_plain has drawn. A hole has ground above it in
  /// the picture, or is where nothing waits to be drawn.
  /// @param is_all  all that is at hand is drawn
  void look(const View& view, const terrane_land* land, bool is_all, int width, int height);
  /// Prints figures. @return whether there were no holes, little that waited, and distances agree
  bool tell();

 private:
  int frames_ = 0, rays_ = 0, hits_ = 0, holes_ = 0, edges_ = 0, behind_ = 0;
  std::vector<double> errors_;  // of distances, as shares of them
};

}  // namespace flight
