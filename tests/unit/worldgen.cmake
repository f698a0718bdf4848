terrane_test(worldgen_test APART
  SOURCES worldgen_abandon_test.cpp worldgen_classic_test.cpp worldgen_displaced_noise_test.cpp
    worldgen_noise_test.cpp worldgen_worlds_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen PkgConfig::hwy)
terrane_test_program(worldgen_continents_test
  SOURCES worldgen_continents_biomes_test.cpp worldgen_continents_drainage_test.cpp
    worldgen_continents_land_test.cpp worldgen_continents_landforms_test.cpp
    worldgen_continents_limits_test.cpp worldgen_continents_patches_test.cpp
    worldgen_continents_relief_test.cpp worldgen_continents_rivers_test.cpp
    worldgen_continents_stages_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen PkgConfig::hwy)
# Statistics of much land, by code that the others run, too.
set(statistics continents_biomes.*:continents_land.*:continents_rivers.*)
terrane_discover(worldgen_continents_test FILTER -${statistics})
terrane_discover(worldgen_continents_test FILTER ${statistics} TIMEOUT 900 LABELS unsanitized)
terrane_test(worldgen_objects_test
  SOURCES worldgen_placement_test.cpp worldgen_stamps_test.cpp
    worldgen_structures_layout_test.cpp worldgen_structures_sites_test.cpp
    worldgen_roads_test.cpp
    worldgen_villages_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen)
terrane_test_program(worldgen_stamps_speed_test
  SOURCES worldgen_stamps_speed_test.cpp LIBRARIES terrane_worldgen)
terrane_discover(worldgen_stamps_speed_test LABELS timed unsanitized)
terrane_test(worldgen_plain_worlds_test
  SOURCES worldgen_faultlines_test.cpp worldgen_resource_isles_test.cpp worldgen_skyline_test.cpp
  LIBRARIES terrane_worldgen)
terrane_test(worldgen_compiled_world_test
  SOURCES worldgen_compiled_world_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen)
