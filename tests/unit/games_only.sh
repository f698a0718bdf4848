#!/usr/bin/env bash
# What games link is configured without any of the server's packages, and with `build` built and
# installed: games_only.sh CMAKE SOURCE_DIRECTORY [build]
set -euo pipefail
cmake=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "games_only.sh: $*" >&2
  exit 1
}

# pkg-config knows nothing but what is wanted
mkdir "$work/pkgconfig"
for package in libhwy libxxhash; do
  cp "$(pkg-config --variable=pcfiledir $package)/$package.pc" "$work/pkgconfig"
done
export PKG_CONFIG_LIBDIR=$work/pkgconfig
hidden=()
for package in Protobuf gRPC absl spdlog fmt CLI11 ZLIB PNG GTest Python3; do
  hidden+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
# configure DIRECTORY [option …]
configure() {
  "$cmake" -S "$root" -B "$@" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTERRANE_GAMES_ONLY=ON \
    "${hidden[@]}" >"$work/log" 2>&1 || { cat "$work/log"; fail "it can't be configured: $*"; }
}
configure "$work/clear" -DTERRANE_CONNECTION_TLS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON
configure "$work/build"
[ "${3:-}" = build ] || exit 0

"$cmake" --build "$work/build" -j "$(nproc)" >"$work/log" 2>&1 ||
  { tail -n 30 "$work/log"; fail "it can't be built"; }
"$cmake" --install "$work/build" --component sdk --prefix "$work/prefix" --strip >/dev/null
find "$work/prefix" -name '*.so' -o -name '*.a' | sort | xargs stat -L -c '%s %n' | sed 's|/.*/||'
! grep -rl 'grpc' "$work/prefix/include" || fail "these headers speak of gRPC"
for library in core connection explorer; do
  [ -e "$(find "$work/prefix" -name "libterrane_$library.so")" ] || fail "no $library"
done
