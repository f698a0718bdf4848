terrane_test(http_test
  SOURCES ../support/http_connection.cpp http_hostile_test.cpp http_limits_test.cpp
    http_making_places_test.cpp http_routes_test.cpp
  LIBRARIES terrane_http)
