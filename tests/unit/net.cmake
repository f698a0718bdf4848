terrane_test(net_test
  SOURCES ../support/certificates.cpp net_certificates_test.cpp
    net_client_address_test.cpp net_limits_test.cpp net_listen_test.cpp
    net_open_connections_test.cpp net_port_test.cpp
    net_proxy_header_test.cpp net_refusal_report_test.cpp net_connection_reads_test.cpp
    net_ignored_clients_test.cpp net_packet_filter_test.cpp
  LIBRARIES terrane_net Boost::headers OpenSSL::Crypto)
