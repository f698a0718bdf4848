terrane_test(access_test
  SOURCES ../support/tokens.cpp access_file_test.cpp access_live_test.cpp access_token_test.cpp
  LIBRARIES terrane_access OpenSSL::Crypto)
