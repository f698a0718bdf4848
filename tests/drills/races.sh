#!/usr/bin/env bash
# Races between the server's callbacks, and of these with its workers: attacks on a server that was
# built with ThreadSanitizer, which is to report nothing. Suppressions of its own: in those of the
# tests everything below gRPC's frames is left out.
#   races.sh TERRANED ATTACKER
set -euo pipefail
terraned=$1 attacker=$2
supp=$(cd "$(dirname "$0")/../support" && pwd)/tsan_server.supp
scratch=$(mktemp -d)
server=
finish() {
  status=$?
  [ -n "$server" ] && kill -KILL "$server" 2>/dev/null
  rm -rf "$scratch"
  exit $status
}
trap finish EXIT

mkfifo "$scratch/ready"
export TSAN_OPTIONS="suppressions=$supp history_size=7"
"$terraned" --listen 127.0.0.1:0 --http 127.0.0.1:0 --data "$scratch/cache" \
  >"$scratch/ready" 2>"$scratch/log" &
server=$!
read -r line <"$scratch/ready"
address=${line#*grpc }
address=${address%%,*}
http=${line#*http }
http=${http%%,*}
# None that gets thousands of statuses: to leave out what gRPC does to each takes minutes.
for attack in cold_chunks far_moves fast_viewers http_tiles http_same_chunk; do
  for client in 1 2; do
    timeout 3 "$attacker" "$attack" "$address" "$http" "127.0.3.$client" 5 >/dev/null 2>&1 &
    clients[client]=$!
  done
  wait "${clients[@]}" || true  # they are stopped by the time that is up
done
kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
if [ $status -ne 0 ]; then
  cat "$scratch/log"
  echo "FAILED: the server ended with exit code $status" >&2
  exit 1
fi
echo "no races in the server's callbacks"
