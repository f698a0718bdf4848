terrane_test(schedule_test
  SOURCES
    schedule_alarm_clock_test.cpp
    schedule_client_costs_test.cpp
    schedule_fair_queue_test.cpp
    schedule_worker_pool_test.cpp
    schedule_regular_client_test.cpp
  LIBRARIES terrane_schedule)
