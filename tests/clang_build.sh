#!/usr/bin/env bash
# Builds the server, the SDK and the command line with Clang, whose analysis refuses whatever
# touches a member without the lock that guards it. The programs are not run: other builds are.
#   tests/clang_build.sh            what is shipped
#   tests/clang_build.sh --tests    and the tests
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  "") exec deploy/build clang OFF ;;
  --tests) exec deploy/build clang ON ;;
  *) echo "clang_build.sh: '$1' is not known; usage: tests/clang_build.sh [--tests]" >&2; exit 2 ;;
esac
