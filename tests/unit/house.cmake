# The tree itself: who includes whom, and how files look.
add_test(NAME rooms.include_only_what_they_may
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/include_directions.sh ${PROJECT_SOURCE_DIR})
add_test(NAME sources.are_formatted
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/format.sh ${PROJECT_SOURCE_DIR})
add_test(NAME run.rooms_are_listed_and_unknown_ones_refused
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run_rooms.sh ${PROJECT_SOURCE_DIR})
