terrane_test(worlds_test APART
  SOURCES
    worlds_directory_test.cpp
    worlds_json_test.cpp
    worlds_objects_preset_test.cpp
    worlds_preset_test.cpp
    worlds_reloader_test.cpp
    worlds_stamps_preset_test.cpp
    worlds_terrains_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen terrane_worldfile spdlog::spdlog)

