terrane_test(sdk_cli_test APART
  SOURCES
    sdk_cli_admin_test.cpp
    sdk_cli_bench_players_test.cpp
    sdk_cli_bench_test.cpp
    sdk_cli_command_line_test.cpp
    sdk_cli_explore_view_test.cpp
    sdk_cli_explore_walk_test.cpp
    sdk_cli_fetch_test.cpp
    sdk_cli_hash_test.cpp
    sdk_cli_locate_test.cpp
    sdk_cli_map_test.cpp
    sdk_cli_parse_test.cpp
    sdk_cli_profile_test.cpp
    sdk_cli_spawn_test.cpp
    sdk_cli_terminal_test.cpp
  LIBRARIES terrane_cli_parts terrane_grpc terrane_codec terrane_explore)
terrane_test(sdk_cli_find_test
  SOURCES sdk_cli_find_test.cpp
  LIBRARIES terrane_cli_parts terrane_worlds terrane_worldgen)
