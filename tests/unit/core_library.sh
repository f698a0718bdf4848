#!/usr/bin/env bash
# What a game's process takes in with terrane_core: core_library.sh LIBRARY SOURCE_DIRECTORY
set -euo pipefail
library=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

declared=$(grep -oE '\bterrane_[a-z0-9_]+\(' "$root/client-sdk/include/terrane/terrane.h" |
  tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort -u)
echo "functions: $(wc -l <<<"$exported")"
diff <(echo "$declared") <(echo "$exported") || {
  echo "core_library.sh: what the header declares (<) is not what the library shows (>)" >&2
  exit 1
}

needed=$(readelf -d "$library" | sed -nE 's/.*\(NEEDED\).*\[(.*)\].*/\1/p')
echo "needs:" $needed
others=$(grep -vE '^(libstdc\+\+\.so\.6|libgcc_s\.so\.1|libm\.so\.6|libc\.so\.6|ld-linux.*)$' \
  <<<"$needed" || true)
[ -z "$others" ] || { echo "core_library.sh: it needs" $others >&2; exit 1; }

strip -o "$work/stripped" "$library"
bytes=$(stat -c %s "$work/stripped")
echo "stripped: $bytes bytes"
[ "$bytes" -le 1572864 ] || { echo "core_library.sh: more than 1.5 MiB" >&2; exit 1; }

for flags in "-x c -std=c99" "-x c -std=c11" "-x c++ -std=c++11"; do
  echo '#include "terrane/terrane.h"' |
    cc $flags -pedantic-errors -Wall -Wextra -Wconversion -Werror -fsyntax-only \
      -I"$root/client-sdk/include" -
done
