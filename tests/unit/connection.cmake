# What carries explorers over WebSockets, without a server.
terrane_test(connection_test
  SOURCES connection_ending_test.cpp connection_url_test.cpp
  LIBRARIES terrane_connection terrane_types)
target_include_directories(connection_test PRIVATE ${PROJECT_SOURCE_DIR}/client-sdk/connection)
