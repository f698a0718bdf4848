#!/usr/bin/env bash
# What a game's process takes in with terrane_connection and with terrane_explorer:
# connection_library.sh CONNECTION EXPLORER SOURCE_DIRECTORY
set -euo pipefail
connection=$1 explorer=$2 root=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "connection_library.sh: $*" >&2
  exit 1
}

# looks NAME LIBRARY BYTES NEEDED-PATTERN
looks() {
  local needed bytes
  needed=$(readelf -d "$2" | sed -nE 's/.*\(NEEDED\).*\[(.*)\].*/\1/p')
  strip -o "$work/stripped" "$2"
  bytes=$(stat -c %s "$work/stripped")
  echo "$1: $bytes bytes stripped; needs" $needed
  [ "$bytes" -le "$3" ] || fail "$1 has more than $3 bytes"
  ! grep -vE "^($4|lib(ssl|crypto)\.so\.3|libstdc\+\+\.so\.6|lib(gcc_s|m|c)\.so.*|ld-linux.*)$" \
    <<<"$needed" || fail "$1 needs these"
}
looks terrane_connection "$connection" 600000 'libterrane_core\.so\..*'
looks terrane_explorer "$explorer" 2000000 '-'

header=$root/client-sdk/include/terrane/connection.h
diff <(grep -oE '\bterrane_(connection_[a-z_]+|download_world)\(' "$header" | tr -d '(' | sort -u) \
  <(nm -D --defined-only "$connection" | awk '{print $3}' | sort -u) ||
  fail "what the header declares (<) is not what the library shows (>)"
! nm -DC --defined-only "$explorer" | awk '{$1 = $2 = ""; print}' |
  grep -vE '^ *terrane::((connect|local)_explorer\(|Explorer::)' |
  grep -vE '^ *(vtable|typeinfo).* terrane::Explorer' ||
  fail "terrane_explorer shows more than Explorers"

for flags in "-x c -std=c99" "-x c -std=c11" "-x c++ -std=c++11"; do
  echo '#include "terrane/connection.h"' |
    cc $flags -pedantic-errors -Wall -Wextra -Wconversion -Werror -fsyntax-only \
      -I"$root/client-sdk/include" -
done
