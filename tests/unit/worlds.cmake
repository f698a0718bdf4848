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

# REFERENCE.md, from the schema: world_reference_renew writes it, a test compares it.
set(worlds_dir ${PROJECT_SOURCE_DIR}/server/worlds)
add_executable(world_reference ${worlds_dir}/reference.cpp)
target_link_libraries(world_reference PRIVATE terrane_options terrane_worldfile)
set(reference ${CMAKE_CURRENT_BINARY_DIR}/REFERENCE.md)
add_custom_command(OUTPUT ${reference}
  COMMAND protobuf::protoc -I ${PROJECT_SOURCE_DIR}/proto --include_source_info --include_imports
    -o preset.desc terrane/worldfile/v1/preset.proto
  COMMAND world_reference preset.desc > ${reference}
  DEPENDS world_reference VERBATIM)
add_custom_target(world_reference_made ALL DEPENDS ${reference})
add_custom_target(world_reference_renew
  COMMAND ${CMAKE_COMMAND} -E copy ${reference} ${worlds_dir}/REFERENCE.md
  DEPENDS ${reference} VERBATIM)
add_test(NAME worlds.reference_is_up_to_date
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/worlds_reference.sh
    ${worlds_dir}/REFERENCE.md ${reference} ${PROJECT_BINARY_DIR})
