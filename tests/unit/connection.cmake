# What carries explorers over WebSockets, without a server.
terrane_test(connection_test
  SOURCES connection_ending_test.cpp connection_url_test.cpp
  LIBRARIES terrane_connection terrane_types)
target_include_directories(connection_test PRIVATE ${PROJECT_SOURCE_DIR}/client-sdk/connection)
# Explorers of C++ that make land.
terrane_test(connection_local_test
  SOURCES connection_local_test.cpp
  LIBRARIES terrane_explorer terrane_client terrane_core terrane_codec terrane_rpc_core terrane_grpc
    terrane_worlds terrane_worldgen)
target_include_directories(connection_local_test PRIVATE ${PROJECT_SOURCE_DIR}/client-sdk/core)
if(NOT TERRANE_SANITIZE)
  add_test(NAME connection.libraries_are_small_and_show_their_functions_alone
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/connection_library.sh
      $<TARGET_FILE:terrane_connection_shared> $<TARGET_FILE:terrane_explorer_shared>
      ${PROJECT_SOURCE_DIR})
  add_test(NAME connection.walks_in_c99
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/connection_examples.sh
      $<TARGET_FILE:terrane_connection_shared> $<TARGET_FILE:terrane_core_shared>
      $<TARGET_FILE:terrane_connection_static> $<TARGET_FILE:terrane_core_static>
      $<TARGET_OBJECTS:terrane_connection_without_tls> $<TARGET_FILE:terraned>
      ${PROJECT_SOURCE_DIR})
endif()
add_test(NAME connection.needs_none_of_the_servers_packages
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/games_only.sh ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR})
add_test(NAME connection.is_built_and_installed_without_them
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/games_only.sh ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR} build)
set_tests_properties(connection.needs_none_of_the_servers_packages PROPERTIES LABELS unsanitized)
set_tests_properties(connection.is_built_and_installed_without_them PROPERTIES
  LABELS "long;unsanitized" TIMEOUT 900)

# From C#, as Unity would load them.
find_program(MCS mcs)
if(NOT TERRANE_SANITIZE AND MCS)
  add_test(NAME connection.walks_in_csharp
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/connection_csharp.sh
      $<TARGET_FILE:terrane_core_shared> $<TARGET_FILE:terrane_connection_shared>
      $<TARGET_FILE:terraned> $<TARGET_FILE:terrane> ${PROJECT_SOURCE_DIR})
  set_tests_properties(connection.walks_in_csharp PROPERTIES LABELS slow)
endif()
