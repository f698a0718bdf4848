#!/usr/bin/env bash
# The arrows of server/ARCHITECTURE.md, read off the #include lines: which room may see which, and
# which foreign headers stay where.
# Prints every line that breaks a rule; exits 1 if there is one.
set -uo pipefail
cd "$1" || exit 2
failures=0

# forbid WHERE PATTERN WHY: no file below WHERE includes what PATTERN (an extended regular
# expression) matches.
forbid() {
  local found
  local include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'
  found=$(grep -rnE --include='*.h' --include='*.cpp' "$include($2)" $1 2>/dev/null)
  if [ -n "$found" ]; then
    printf '%s\n  -> %s\n' "$found" "$3"
    failures=1
  fi
}

# room NAME ALLOWED…: server/NAME includes itself and the ALLOWED rooms only.
room() {
  local name=$1 other
  shift
  for other in worldgen worlds store schedule pipeline admin net access rpc ops config http; do
    [ "$other" = "$name" ] && continue
    case " $* " in *" $other "*) continue ;; esac
    forbid "server/$name" "$other/" "server/$name may include only: $name $*"
  done
}

room worldgen
room worlds worldgen
room store
room schedule
room ops
room config
room pipeline worldgen store schedule ops
room net ops
room access ops
room admin pipeline worldgen store schedule
room rpc admin pipeline worlds net access ops worldgen schedule
room http rpc pipeline worlds net access ops worldgen schedule

rooms() { for r in "$@"; do printf 'server/%s ' "$r"; done; }
forbid "$(rooms worldgen worlds schedule admin net access ops)" \
  'codec/' \
  'only store, pipeline and rpc handle encoded chunks'
forbid "client-sdk" \
  '(worlds|store|schedule|pipeline|admin|net|access|rpc|ops|config|http)/' \
  'the SDK never includes the server'
forbid "$(find client-sdk -mindepth 1 -maxdepth 1 ! -name cli ! -name core) \
  $(find client-sdk/cli -mindepth 1 -maxdepth 1 ! -name find)" \
  'worldgen/' \
  'only client-sdk/core and client-sdk/cli/find make land themselves'
forbid "client-sdk/core" \
  '(grpc|google/|terrane/(v1|client|admin|token|mutex)|absl|boost|fstream|iostream|thread>)' \
  'terrane_core is for games: no gRPC, protobuf, abseil or Boost, no I/O, no threads'
forbid "server proto" \
  'terrane/(client|chunk_stream|explorer|height_field)' \
  'the server never includes the SDK'
forbid "$(rooms worldgen worlds store schedule pipeline admin net access ops config http)" \
  'explore/(level_view|send_window|tile_blocks|view|view_range)\.h' \
  'only server/rpc and client-sdk/core know how a viewer is served'
forbid "$(rooms worldgen worlds store schedule pipeline admin net access rpc ops config http)" \
  'spdlog/spdlog' \
  'log.h is how rooms log: it keeps fmt from being compiled with each file'
forbid "proto/explore" 'codec/' 'what is in view knows nothing of chunks'
forbid "$(rooms worldgen worlds store schedule pipeline admin net access rpc ops config)" \
  'drawing/' \
  'only server/http and the command line draw'
forbid "server/http" \
  'rpc/(server|grpc_|unary|admin|world_messages|streams/[^w])' \
  'the HTTP port carries calls of server/rpc, and knows nothing of how gRPC does or they are served'
forbid "proto/include proto/codec proto/explore proto/drawing" \
  '(worldgen|worlds|store|schedule|pipeline|admin|net|access|rpc|ops|http)/' \
  'the contract depends on nobody'

forbid "$(rooms worldgen worlds store schedule pipeline net rpc ops http config) proto client-sdk" \
  '(jansson|cjose)' \
  'cJOSE and its jansson stay in server/access'

public="proto/include proto/codec proto/explore proto/drawing client-sdk/include client-sdk/cli"
forbid "$(rooms worldgen worlds schedule pipeline admin net access rpc ops http) proto client-sdk" \
  'lmdb\.h' \
  'LMDB stays in server/store'
others=$(find client-sdk -mindepth 1 -maxdepth 1 ! -name connection | paste -sd ' ')
forbid "$(rooms worldgen worlds store pipeline rpc ops) proto $others" \
  'boost/(asio|beast)' \
  'Asio stays in server/schedule, server/net, server/http, client-sdk/connection'
forbid "client-sdk/connection" \
  '(grpc|google/|terrane/(v1|client|admin|mutex)|absl)' \
  'client-sdk/connection is for games without gRPC'
forbid "$(rooms worlds store schedule pipeline admin net access rpc ops http) proto client-sdk" \
  'hwy/' \
  'Highway stays in server/worldgen'
forbid "$(rooms worldgen worlds store schedule pipeline admin net access rpc http config)" \
  'prometheus/' \
  'Prometheus stays in server/ops'
forbid "$(rooms worldgen worlds store schedule pipeline admin net access ops http) $public" \
  'grpc' \
  'gRPC stays in server/rpc and client-sdk/src'
forbid "$(rooms worldgen store schedule pipeline admin net access ops http) $public" \
  'google/protobuf|terrane/(v1|worldfile)/' \
  'protobuf stays in server/worlds, server/rpc and client-sdk/src'
forbid "$(printf 'client-sdk/core/%s ' explore_client.{h,cpp} explore_messages.{h,cpp} \
  reconnect_timing.{h,cpp} held_chunks.{h,cpp} out_of_range_chunks.{h,cpp})" \
  '(mutex|thread|atomic)' \
  "the client's side of Explore is a machine: no threads"
forbid "proto/explore" \
  '(mutex|thread|atomic|condition_variable|fstream|iostream|spdlog/.*|absl/.*)>' \
  'proto/explore has no threads, no I/O and no clock'

exit $failures
