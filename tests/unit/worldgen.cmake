terrane_test(worldgen_test
  SOURCES worldgen_displaced_noise_test.cpp worldgen_noise_test.cpp worldgen_worlds_test.cpp worldgen_classic_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen)
terrane_test(worldgen_continents_test
  SOURCES worldgen_continents_biomes_test.cpp worldgen_continents_land_test.cpp
    worldgen_continents_relief_test.cpp worldgen_continents_stages_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen PkgConfig::hwy)
