terrane_test(simulated_link_test
  SOURCES
    ../support/simulated_link.cpp
    ../support/simulated_link_timing.cpp
    simulated_link_test.cpp
    simulated_link_timing_test.cpp
  LIBRARIES terrane_types Threads::Threads)
