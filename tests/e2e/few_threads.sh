#!/usr/bin/env bash
# A server that may not have the threads that it needs says so and ends: few_threads.sh TERRANED
set -euo pipefail
for kilobytes in 110000 130000 150000; do
  status=0
  text=$(ulimit -s 8192
    ulimit -v "$kilobytes"
    timeout 20 "$1" --listen 127.0.0.1:0 --http off --no-cache 2>&1) || status=$?
  if [ "$status" != 1 ] || ! grep -q 'threads at least.*ulimit -u and -v.*TasksMax' <<<"$text"; then
    echo "few_threads.sh: with $kilobytes kB it ended with $status and said: $text" >&2
    exit 1
  fi
done
