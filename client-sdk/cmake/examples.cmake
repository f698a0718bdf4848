# Each directory of examples/ is a project of its own; here they are only compiled.
foreach(example explore hello stream)
  add_executable(terrane_example_${example} examples/${example}/main.cpp)
  target_link_libraries(terrane_example_${example} PRIVATE terrane_options terrane_client)
endforeach()
