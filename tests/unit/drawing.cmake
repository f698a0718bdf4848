terrane_test(drawing_test
  SOURCES ../support/png_picture.cpp drawing_map_grid_test.cpp drawing_shading_test.cpp
  LIBRARIES terrane_drawing PkgConfig::png)
