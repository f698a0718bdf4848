terrane_test(ops_test SOURCES ops_machine_test.cpp ops_metrics_test.cpp LIBRARIES terrane_ops)
