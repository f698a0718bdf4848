#!/usr/bin/env bash
# The examples of terrane_core, with a world file from a real server, and what that server says of
# the same places: core_examples.sh LIBRARY TERRANED TERRANE SOURCE_DIRECTORY
set -euo pipefail
library=$1 terraned=$2 terrane=$3 root=$4
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

mkfifo "$work/ready"
timeout 120 "$terraned" --listen 127.0.0.1:0 --no-cache --http off --log-level warning \
  >"$work/ready" &
server=$!
read -r line <"$work/ready"
address=${line#*grpc }
address=${address%%,*}
export TERRANE_SERVER=$address

"$terrane" worlds continents --save "$work/continents.world"
! "$terrane" worlds --save "$work/none.world" 2>"$work/refusal"
grep -q 'name the world' "$work/refusal"

cc -std=c99 -pedantic-errors -Wall -Wextra -Werror -I"$root/client-sdk/include" \
  "$root/client-sdk/examples/local/main.c" "$library" -o "$work/local"
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(dirname "$library")
"$work/local" "$work/continents.world" 7 | tee "$work/walk"
grep -q "world 'continents', seed 7" "$work/walk"
grep -qE '[1-9][0-9]+ chunks at hand, [1-9][0-9]{4,} triangles drawn' "$work/walk"
status=0
"$work/local" "$root/README.md" 2>"$work/refusal" || status=$?
[ "$status" = 1 ]
grep -q 'no world' "$work/refusal"

# a place's height is that of the triangles around it, so at a block it is the block's
TERRANE_CORE=$library "$root/client-sdk/examples/python/local.py" "$work/continents.world" \
  --seed 7 100,0 -12345,678 | tee "$work/heights"
"$terrane" --world continents --seed 7 sample 100,0 -12345,678 --json >"$work/said"
python3 - "$work/heights" "$work/said" <<'PYTHON'
import json, re, sys
mine = [float(re.search(r"height (\S+?)(,|$)", line).group(1)) for line in open(sys.argv[1])]
said = [sample["height"] for sample in json.load(open(sys.argv[2]))]
assert mine == said and len(mine) == 2, (mine, said)
PYTHON
