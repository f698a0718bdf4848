#!/usr/bin/env bash
# `terrane hash` of a 32 x 32-chunk rectangle around the origin: the same on every instruction set,
# with one worker and with several, cold and cached, across a restart, without a cache - and over
# every level of detail, for every world.
#   hash_everywhere.sh TERRANED TERRANE
set -euo pipefail
terraned=$1 terrane=$2
scratch=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] && return
  kill -TERM "$server" 2>/dev/null || true
  wait "$server" || { echo "FAILED: terraned exited with $?"; exit 1; }
  server=
}
finish() {
  status=$?
  [ -n "$server" ] && kill -KILL "$server" 2>/dev/null
  rm -rf "$scratch"
  exit $status
}
trap finish EXIT

# start FLAG…: a server on a free port; sets $address once it is ready.
start() {
  mkfifo "$scratch/ready"
  "$terraned" --listen 127.0.0.1:0 --http off --log-level warning "$@" >"$scratch/ready" &
  server=$!
  read -r line <"$scratch/ready"
  rm "$scratch/ready"
  address=${line#*grpc }
  address=${address%%,*}
}

failures=0
# expect WORLD WHAT: the hash of the rectangle is the one seen first for this world.
declare -A first
expect() {
  local hash
  hash=$("$terrane" --server "$address" --world "$1" --seed 18446744073709551615 \
    hash --from -16,-16 --to 15,15)
  [ -n "${first[$1]:-}" ] || first[$1]=$hash
  if [ "$hash" = "${first[$1]}" ]; then
    echo "$1 $hash  $2"
  else
    echo "FAILED: $1 $hash, not ${first[$1]}: $2"
    failures=1
  fi
}

worlds="continents classic perlin skyline faultlines resource_isles"
start --data "$scratch/data" --workers 2
for world in $worlds; do expect "$world" "cold, 2 workers"; done
for world in $worlds; do expect "$world" "cached"; done
stop
start --data "$scratch/data" --workers 1
for world in $worlds; do expect "$world" "cached, after a restart"; done
stop
targets=
for simd in scalar ssse3 sse4 avx2 avx512 neon; do
  # This address is refused by all of them.
  refusal=$("$terraned" --simd "$simd" --no-cache --listen 127.256.0.1:0 2>&1) || true
  [[ $refusal == *"instruction set '$simd' is not"* ]] || targets+=" $simd"
done
for simd in $targets; do
  TERRANE_SIMD=$simd start --no-cache --workers 1
  for world in $worlds; do expect "$world" "cold, 1 worker, $simd"; done
  stop
done

declare -A slow
declare -A max_lod=([continents]=8 [classic]=8 [skyline]=8 [faultlines]=4 [resource_isles]=2)
by_lod() { "$terrane" --server "$address" --world "$1" hash --from -4,-4 --to 3,3 --lod "$2"; }
TERRANE_SIMD=scalar start --no-cache
for world in "${!max_lod[@]}"; do
  for ((lod = 0; lod <= max_lod[$world]; ++lod)); do
    slow[$world$lod]=$(by_lod "$world" "$lod")
  done
done
stop
start --data "$scratch/data"
for world in "${!max_lod[@]}"; do
  for ((lod = 0; lod <= max_lod[$world]; ++lod)); do
    hash=$(by_lod "$world" "$lod")
    [ "$hash" = "${slow[$world$lod]}" ] || {
      echo "FAILED: $world, lod $lod: $hash, not ${slow[$world$lod]}"
      failures=1
    }
  done
done
stop
[ "$(echo $targets | wc -w)" -ge 2 ] || {
  echo "FAILED: only these instruction sets were tried: $targets"
  failures=1
}
exit $failures
