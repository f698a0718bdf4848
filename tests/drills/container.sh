#!/usr/bin/env bash
# The container as an operator runs it: built from the Dockerfile, started with a read-only root,
# without capabilities, with one volume; chunks through the SDK from the host; stopped by SIGTERM;
# started again on the same volume, where the cache must answer.
#   container.sh TERRANE     (needs root: it starts a Docker engine of its own where none is
#                            running; exit code 77 where that can't be done)
set -euo pipefail
terrane=$1
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
engine=
container=
finish() {
  status=$?
  [ -z "$container" ] || docker rm -f "$container" >/dev/null 2>&1 || true
  docker volume rm -f terrane-drill >/dev/null 2>&1 || true
  if [ -n "$engine" ]; then
    kill "$engine" && wait "$engine" || true
  fi
  rm -rf "$scratch"
  exit "$status"
}
trap finish EXIT
fail() { echo "FAILED: $*"; exit 1; }

if ! docker info >/dev/null 2>&1; then
  dockerd --host unix:///var/run/docker.sock >"$scratch/dockerd.log" 2>&1 &
  engine=$!
  until docker info >/dev/null 2>&1; do
    kill -0 "$engine" 2>/dev/null || {
      engine=
      tail -n 5 "$scratch/dockerd.log"
      echo "SKIPPED: no Docker engine runs here, and none can be started"
      exit 77
    }
    sleep 0.2
  done
fi
# The base image, as everybody has it, or made from Debian's packages where no registry can be
# reached.
if ! docker image inspect debian:bookworm-slim >/dev/null 2>&1 &&
  ! timeout 60 docker pull -q debian:bookworm-slim >/dev/null 2>&1; then
  debootstrap --variant=minbase bookworm "$scratch/root" >"$scratch/debootstrap.log" 2>&1 || {
    tail -n 5 "$scratch/debootstrap.log"
    fail "debootstrap"
  }
  rm -rf "$scratch"/root/var/cache/apt/archives/*.deb
  tar -C "$scratch/root" -c . | docker import - debian:bookworm-slim >/dev/null
fi
# What npm fetches for the viewer has to be trusted within the container, too.
viewer=ON
[ "$(npm config get cafile 2>/dev/null || echo null)" = null ] || viewer=OFF
docker build -q --build-arg TERRANE_VIEWER=$viewer --build-arg TERRANE_REVISION=drill \
  -t terrane-drill . \
  >"$scratch/build.log" 2>&1 || {
  tail -n 20 "$scratch/build.log"
  fail "docker build"
}
size=$(docker image inspect -f '{{.Size}}' terrane-drill)
echo "image: $((size / 1000000)) MB"
[ "$size" -lt 100000000 ] || fail "the image has $size bytes"
[ "$(docker image inspect -f '{{.Config.User}}' terrane-drill)" = 4150:4150 ] ||
  fail "the image's user is no number, or root"
[[ $(docker run --rm terrane-drill --version) == *"revision drill"* ]] ||
  fail "--version does not say the revision"
odd=$(docker export "$(docker create --name terrane-drill-files terrane-drill)" |
  tar -tv | grep -E '^-..[sS]|^-.....[sS]|/(ba)?sh$' || true)
docker rm terrane-drill-files >/dev/null
[ -z "$odd" ] || fail "the image has what it need not: $odd"

# start: runs the container and sets $address once it is ready.
start() {
  container=$(docker run -d --read-only --cap-drop ALL --security-opt no-new-privileges \
    -e TERRANE_INSECURE=1 -v terrane-drill:/data -p 127.0.0.1::4150 terrane-drill)
  local tries=0
  until [[ $(docker logs "$container" 2>&1) == *"terraned ready"* ]]; do
    [ $((tries += 1)) -lt 300 ] || { docker logs "$container"; fail "not ready in 60 s"; }
    sleep 0.2
  done
  address=$(docker port "$container" 4150/tcp | head -n 1)
}
hash() { "$terrane" --server "$address" --world perlin --seed 7 hash --from -8,-8 --to 7,7; }
stop() {
  docker stop -t 30 "$container" >/dev/null
  local code
  code=$(docker inspect -f '{{.State.ExitCode}}' "$container")
  [ "$code" = 0 ] || { docker logs "$container"; fail "exit code $code after SIGTERM"; }
}

start
[ "$(docker top "$container" -eo pid,uid | awk 'NR == 2 {print $2}')" = 4150 ] ||
  fail "the server runs as another user"
[ -z "$(docker diff "$container")" ] || fail "the root file system was written to"
docker exec "$container" terraned --check-health || fail "the health check says not serving"
until [ "$(docker inspect -f '{{.State.Health.Status}}' "$container")" = healthy ]; do
  [ "$(docker inspect -f '{{.State.Running}}' "$container")" = true ] || fail "it died"
  sleep 0.5
done
first=$(hash)
stop
docker rm "$container" >/dev/null
start
second=$(hash)
stop
[ "$first" = "$second" ] || fail "another world after a restart: $first, then $second"
docker logs "$container" 2>&1 | grep -v '^{.*}$' && fail "a line of the log is no JSON"
hits=$(docker logs "$container" 2>&1 | sed -nE 's/.*pipeline totals:.* hits=([0-9]+).*/\1/p')
[ "${hits:-0}" -eq 256 ] || {
  docker logs "$container"
  fail "${hits:-no} of 256 chunks came from the cache after a restart"
}
echo "container: non-root, read-only, healthy; $first cold and cached;" \
  "$hits of 256 chunks from the cache after a restart"
