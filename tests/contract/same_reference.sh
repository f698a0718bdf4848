#!/usr/bin/env bash
# A committed reference is what its schema makes: same_reference.sh COMMITTED MADE COMMAND_TO_RENEW
set -euo pipefail
diff -u "$1" "$2" && exit 0
echo "$1 is not what the schemas make; renew it with"
echo "  $3"
exit 1
