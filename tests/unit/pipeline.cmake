terrane_test(pipeline_test
  SOURCES pipeline_chunk_pipeline_test.cpp pipeline_cancel_test.cpp pipeline_recent_chunks_test.cpp
  LIBRARIES terrane_pipeline)
