# land_statistics: what a world's land is like, in figures of geomorphology. land_test: whether what
# measures it is right, on land whose figures are known.
add_library(terrane_land STATIC
  land_courses.cpp land_drainage.cpp land_fit.cpp land_flow.cpp land_measures.cpp land_places.cpp
  land_regions.cpp land_relief.cpp land_rivers.cpp land_skeleton.cpp land_spectrum.cpp
  land_survey.cpp land_wide.cpp land_window.cpp)
target_include_directories(terrane_land PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(terrane_land
  PUBLIC terrane_options terrane_worlds terrane_worldgen Threads::Threads)

add_executable(land_statistics land_statistics.cpp)
target_link_libraries(land_statistics PRIVATE terrane_land)

terrane_test(land_test APART
  SOURCES land_drainage_test.cpp land_relief_test.cpp land_rivers_test.cpp land_wide_test.cpp
  LIBRARIES terrane_land)
