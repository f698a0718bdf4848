terrane_test(worlds_test
  SOURCES
    worlds_directory_test.cpp
    worlds_json_test.cpp
    worlds_objects_preset_test.cpp
    worlds_preset_test.cpp
    worlds_reloader_test.cpp
    worlds_terrains_test.cpp
  LIBRARIES terrane_worlds terrane_worldgen terrane_worldfile spdlog::spdlog)

add_test(NAME rooms.include_only_what_they_may
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/include_directions.sh ${PROJECT_SOURCE_DIR})
add_test(NAME sources.are_formatted
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/format.sh ${PROJECT_SOURCE_DIR})
