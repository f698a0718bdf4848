terrane_test(rpc_unit_test
  SOURCES
    rpc_call_pace_test.cpp
    rpc_call_tracker_test.cpp
    rpc_chunk_wire_test.cpp
    rpc_client_rules_test.cpp
    rpc_explore_check_test.cpp
    rpc_hang_ups_test.cpp
    rpc_locate_test.cpp
    rpc_memory_accounts_test.cpp
    rpc_message_cost_test.cpp
    rpc_request_check_test.cpp
    rpc_request_reads_test.cpp
    rpc_status_details_test.cpp
    rpc_viewer_pace_test.cpp
    rpc_viewer_test.cpp
    rpc_memory_watch_test.cpp
  LIBRARIES terrane_rpc_core google_rpc)

# Puts an operator new of its own in the place of the library's, as sanitizers do.
if(NOT TERRANE_SANITIZE)
  terrane_test(rpc_out_of_memory_test
    SOURCES ../support/failing_memory.cpp rpc_out_of_memory_test.cpp
    LIBRARIES terrane_rpc terrane_worlds terrane_worldgen gRPC::grpc++)
endif()
