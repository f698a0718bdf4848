# terrane_core through its C functions.
terrane_test_program(core_test APART
  SOURCES core_changes_test.cpp core_chunk_test.cpp core_explorer_test.cpp core_judged_test.cpp
    core_land_test.cpp core_mesh_test.cpp core_patch_test.cpp core_rooms_test.cpp
    core_world_test.cpp
  LIBRARIES terrane_core terrane_codec terrane_rpc_core terrane_grpc terrane_worlds
    terrane_worldgen Threads::Threads)
target_include_directories(core_test PRIVATE ${PROJECT_SOURCE_DIR}/client-sdk/core)
terrane_discover(core_test)
terrane_test_program(core_things_test APART
  SOURCES core_far_trees_test.cpp core_obstacle_test.cpp
  LIBRARIES terrane_core terrane_worlds terrane_worldgen)
target_include_directories(core_things_test PRIVATE ${PROJECT_SOURCE_DIR}/client-sdk/core)
terrane_discover(core_things_test)
terrane_test_program(core_speed_test
  SOURCES core_speed_test.cpp LIBRARIES terrane_core terrane_worlds terrane_worldgen)
target_include_directories(core_speed_test PRIVATE ${PROJECT_SOURCE_DIR}/client-sdk/core)
terrane_discover(core_speed_test LABELS timed unsanitized)

# Puts an operator new of its own in the place of sanitizers'.
if(NOT TERRANE_SANITIZE)
  terrane_test(core_out_of_memory_test
    SOURCES ../support/failing_memory.cpp core_out_of_memory_test.cpp
    LIBRARIES terrane_core terrane_rpc_core terrane_grpc terrane_worlds terrane_worldgen)
  target_include_directories(core_out_of_memory_test PRIVATE
    ${PROJECT_SOURCE_DIR}/client-sdk/core)
endif()

# As games load it, in a program with an operator new of its own.
if(NOT TERRANE_SANITIZE)
  terrane_test(core_memory_test
    SOURCES core_memory_test.cpp LIBRARIES terrane_core_shared terrane_worlds terrane_worldgen)
endif()

# The library as games load it: what it shows, what it needs, how large it is, and a program in C99.
if(NOT TERRANE_SANITIZE)
  add_test(NAME core.library_is_small_and_shows_its_functions_alone
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/core_library.sh
      $<TARGET_FILE:terrane_core_shared> ${PROJECT_SOURCE_DIR})
  add_test(NAME core.walks_in_c99_and_in_python
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/core_examples.sh
      $<TARGET_FILE:terrane_core_shared> $<TARGET_FILE:terraned> $<TARGET_FILE:terrane>
      ${PROJECT_SOURCE_DIR})
endif()

# The flight example in a window that nobody sees, drawn by the processor.
find_program(XVFB Xvfb)
if(NOT TERRANE_SANITIZE AND XVFB AND TARGET terrane_example_flight)
  add_test(NAME core.flies_without_holes
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/core_flight.sh $<TARGET_FILE:terrane_example_flight>
      $<TARGET_FILE:terraned> $<TARGET_FILE:terrane>)
  set_tests_properties(core.flies_without_holes PROPERTIES LABELS slow TIMEOUT 420 RUN_SERIAL ON)
endif()
