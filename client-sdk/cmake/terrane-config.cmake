include(CMakeFindDependencyMacro)
# the one header that the public headers include besides those of the standard library
find_dependency(tl-expected)
include(${CMAKE_CURRENT_LIST_DIR}/terrane-targets.cmake)
