terrane_test(rpc_unit_test
  SOURCES
    rpc_call_tracker_test.cpp
    rpc_chunk_wire_test.cpp
    rpc_client_rules_test.cpp
    rpc_explore_check_test.cpp
    rpc_locate_test.cpp
    rpc_request_check_test.cpp
    rpc_status_details_test.cpp
    rpc_viewer_test.cpp
  LIBRARIES terrane_rpc_core google_rpc)
