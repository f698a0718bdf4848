#!/usr/bin/env bash
# The flight example over a world from a real server, made in its process and streamed: no holes in
# the ground while it flies at 100 blocks a second, and distances as terrane_land_ray has them; and
# pictures with all that there is to be drawn: core_flight.sh FLIGHT TERRANED TERRANE
set -euo pipefail
flight=$1 terraned=$2 terrane=$3
work=$(mktemp -d)
server= screen=
trap 'for id in $server $screen; do kill "$id" || true; done; rm -rf "$work"' EXIT

mkfifo "$work/ready" "$work/display"
timeout 300 "$terraned" --listen 127.0.0.1:0 --no-cache --http 127.0.0.1:0 --log-level warning \
  >"$work/ready" &
server=$!
read -r line <"$work/ready"
address=${line#*grpc }
url=ws://${line#*http }
url=${url%%[, ]*}
"$terrane" --server "${address%%,*}" worlds continents --save "$work/continents.world"

# the number of a display that is free comes on descriptor 3
timeout 300 Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$work/display" \
  >/dev/null 2>&1 &
screen=$!
read -r display <"$work/display"
export DISPLAY=:$display LIBGL_ALWAYS_SOFTWARE=1

flies() {
  timeout 90 "$flight" "$@" --size 320x200 --script tour --frames 60 --check | tee "$work/figures"
  grep -qE '^check: [1-9][0-9]* frames, .* 0 holes' "$work/figures"
}
flies "$work/continents.world" --seed 74 --at 2624,12160,60,305
flies "$work/continents.world" --seed 74 --at 549755810000,-549755810000
flies "$url" --seed 74 --at 2624,12160,60,305
flies "$url" --judged --seed 74 --at 2624,12160,60,305

# A frame asks the library for less than 2 ms of the processor, but for one in a hundred; nothing is
# drawn meanwhile, as a graphics card would do that.
timeout 90 "$flight" "$work/continents.world" --seed 74 --at 2624,12160,60,305 --size 64x64 \
  --script tour --unseen --frames 600 | tee "$work/figures"
awk -v most=$((2 * ${TERRANE_TIME_SCALE:-1})) \
  '/^SDK, of the processor/ { p99 = $6 } END { exit p99 == "" || p99 > most }' "$work/figures"

mkdir "$work/shots"
timeout 90 "$flight" "$work/continents.world" --seed 74 --at 3200,13000,40,330,-3 --size 320x200 \
  --script tour --frames 10 --shots "$work/shots" --every 10 >/dev/null
[ "$(stat -c %s "$work/shots/00010.png")" -gt 20000 ]  # far more than a plain colour takes

status=0
"$flight" "$0" 2>"$work/refusal" || status=$?
[ "$status" = 1 ]
grep -q 'no world' "$work/refusal"
status=0
"$flight" "$url" --world atlantis 2>"$work/refusal" || status=$?
[ "$status" = 1 ]
grep -q atlantis "$work/refusal"
