#!/usr/bin/env bash
# A game in C99 that a real server streams its land to: with shared libraries, and as one program
# without OpenSSL that brings all along.
# connection_examples.sh CONNECTION CORE STATIC_CONNECTION STATIC_CORE NO_TLS_OBJECT TERRANED ROOT
set -euo pipefail
connection=$1 core=$2 static_connection=$3 static_core=$4 no_tls=$5 terraned=$6 root=$7
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
fail() {
  echo "connection_examples.sh: $*" >&2
  exit 1
}

mkfifo "$work/ready"
timeout 120 "$terraned" --listen 127.0.0.1:0 --no-cache --http 127.0.0.1:0 --log-level warning \
  >"$work/ready" &
server=$!
read -r line <"$work/ready"
url=ws://${line#*http }
url=${url%%[, ]*}

source=$root/client-sdk/examples/streamed/main.c
cc=(cc -std=c99 -pedantic-errors -Wall -Wextra -Werror -I"$root/client-sdk/include")
"${cc[@]}" "$source" "$connection" "$core" -o "$work/shared"
"${cc[@]}" -DTERRANE_CORE_STATIC -DTERRANE_CONNECTION_STATIC -c "$source" -o "$work/main.o"
c++ -Wl,--gc-sections -s -static-libstdc++ -static-libgcc "$work/main.o" "$no_tls" \
  "$static_connection" "$static_core" -lpthread -o "$work/whole"
bytes=$(stat -c %s "$work/whole")
echo "a whole game: $bytes bytes; needs" \
  $(readelf -d "$work/whole" | sed -nE 's/.*\(NEEDED\).*\[(.*)\].*/\1/p')
[ "$bytes" -le 3000000 ] || fail "more than 3 MB"
! readelf -d "$work/whole" | grep NEEDED | grep -vE 'lib(m|c)\.so|ld-linux' || fail "it needs these"

export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(dirname "$connection")
for program in shared whole; do
  "$work/$program" "$url" continents 7 | tee "$work/walk"
  grep -qE '[1-9][0-9]+ chunks at hand, [1-9][0-9]{4,} triangles drawn' "$work/walk" ||
    fail "$program sees no land"
done
status=0
"$work/whole" "wss${url#ws}" 2>"$work/refusal" || status=$?
[ "$status" = 1 ]
grep -q 'built without TLS' "$work/refusal"
status=0
"$work/shared" "$url" atlantis 2>"$work/refusal" || status=$?
[ "$status" = 1 ]
grep -q 'ended: .*atlantis' "$work/refusal"
