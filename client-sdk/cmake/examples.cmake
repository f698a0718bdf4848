# Each directory of examples/ is a project of its own; here they are only compiled.
foreach(example explore hello stream)
  add_executable(terrane_example_${example} examples/${example}/main.cpp)
  target_link_libraries(terrane_example_${example} PRIVATE terrane_options terrane_client)
endforeach()

# Where a game's libraries are: deploy/install-deps --full.
find_package(SDL2 QUIET)
find_package(OpenGL QUIET COMPONENTS OpenGL)
if(SDL2_FOUND AND TARGET OpenGL::OpenGL)
  set(flight examples/flight)
  add_executable(terrane_example_flight
    ${flight}/check.cpp ${flight}/gl.cpp ${flight}/ground.cpp ${flight}/land.cpp ${flight}/main.cpp
    ${flight}/player.cpp ${flight}/report.cpp ${flight}/scene.cpp ${flight}/shapes.cpp
    ${flight}/things.cpp)
  target_link_libraries(terrane_example_flight PRIVATE terrane_options terrane_connection_shared
    OpenGL::OpenGL PkgConfig::png SDL2::SDL2 Threads::Threads)
  target_include_directories(terrane_example_flight PRIVATE
    ${PROJECT_SOURCE_DIR}/client-sdk/include)
endif()
