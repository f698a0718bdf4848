terrane_test(pipeline_test
  SOURCES pipeline_chunk_pipeline_test.cpp pipeline_cancel_test.cpp pipeline_memory_cache_test.cpp
  LIBRARIES terrane_pipeline)
