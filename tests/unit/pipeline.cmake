terrane_test(pipeline_test
  SOURCES pipeline_chunk_pipeline_test.cpp pipeline_cancel_test.cpp pipeline_memory_cache_test.cpp
  LIBRARIES terrane_pipeline)

# Puts an operator new of its own in the place of the library's, as sanitizers do.
if(NOT TERRANE_SANITIZE)
  terrane_test(pipeline_out_of_memory_test
    SOURCES ../support/failing_memory.cpp pipeline_out_of_memory_test.cpp
    LIBRARIES terrane_pipeline)
endif()
