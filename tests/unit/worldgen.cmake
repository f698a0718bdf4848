terrane_test(worldgen_test
  SOURCES worldgen_noise_test.cpp worldgen_worlds_test.cpp worldgen_classic_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen)
