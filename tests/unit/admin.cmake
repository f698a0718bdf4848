terrane_test(admin_test
  SOURCES admin_area_order_test.cpp
  LIBRARIES terrane_admin)
