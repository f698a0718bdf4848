#!/usr/bin/env bash
# A game for Windows, under wine, that a real server streams its land to:
# connection_windows.sh COMPILER WINE CORE_DLL CONNECTION_DLL TERRANED ROOT
set -euo pipefail
compiler=$1 wine=$2 core=$3 connection=$4 terraned=$5 root=$6
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
export WINEPREFIX=$work/wine WINEDEBUG=-all

! "${compiler%%-g++*}-objdump" -p "$connection" | sed -n 's/.*DLL Name: //p' |
  grep -viE '^(KERNEL32|msvcrt|WS2_32|MSWSOCK|terrane_core)\.dll$' || {
  echo "connection_windows.sh: the library needs these" >&2
  exit 1
}
cp "$core" "$connection" "$work"
"$compiler" -static -x c -std=c99 -pedantic-errors -Wall -Wextra -Werror \
  -I"$root/client-sdk/include" "$root/client-sdk/examples/streamed/main.c" -x none \
  "$work/terrane_connection.dll" "$work/terrane_core.dll" -o "$work/streamed.exe"

mkfifo "$work/ready"
timeout 200 "$terraned" --listen 127.0.0.1:0 --no-cache --http 127.0.0.1:0 --log-level warning \
  >"$work/ready" &
server=$!
read -r line <"$work/ready"
url=ws://${line#*http }
url=${url%%[, ]*}
cd "$work"
timeout 120 "$wine" streamed.exe "$url" continents 7 | tee walk
grep -qE '[1-9][0-9]+ chunks at hand, [1-9][0-9]{4,} triangles drawn' walk
status=0
timeout 60 "$wine" streamed.exe "$url" atlantis 2>refusal || status=$?
[ "$status" = 1 ]
grep -q 'ended: .*atlantis' refusal
