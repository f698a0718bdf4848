#!/usr/bin/env bash
# tests/run lists its rooms, and refuses one that it does not have with that list.
set -euo pipefail
cd "$1"
help=$(tests/run --help)
for room in worldgen cli e2e; do
  grep -qw "$room" <<<"$help" || { echo "tests/run --help does not name $room"; exit 1; }
done
status=0
said=$(tests/run nosuchroom 2>&1) || status=$?
[ "$status" -eq 2 ] || { echo "exit status $status, not 2: $said"; exit 1; }
grep -q "no room 'nosuchroom'" <<<"$said" || { echo "not said which room: $said"; exit 1; }
grep -qw worldgen <<<"$said" || { echo "the rooms are not listed: $said"; exit 1; }
