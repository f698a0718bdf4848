#!/usr/bin/env bash
# The committed reference of world files is what the schema makes: worlds_reference.sh COMMITTED MADE BUILD_DIRECTORY
set -euo pipefail
diff -u "$1" "$2" && exit 0
echo "server/worlds/REFERENCE.md is not what proto/terrane/worldfile/v1/preset.proto makes; renew it with"
echo "  cmake --build $3 --target world_reference_renew"
exit 1
