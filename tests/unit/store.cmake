terrane_test(store_test
  SOURCES store_cache_contents_test.cpp store_chunk_record_test.cpp
    store_chunk_store_test.cpp store_eviction_test.cpp store_opening_test.cpp
    store_recovery_test.cpp store_tree_check_test.cpp
  LIBRARIES terrane_store PkgConfig::lmdb)
