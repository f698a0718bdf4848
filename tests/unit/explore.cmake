terrane_test(explore_test APART
  SOURCES explore_send_window_test.cpp explore_tile_blocks_test.cpp explore_view_test.cpp
  LIBRARIES terrane_explore)
