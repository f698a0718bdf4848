#!/usr/bin/env bash
# The program in README.md compiles: readme_example.sh COMPILER SOURCE_DIRECTORY
set -euo pipefail
sed -n '/^```cpp$/,/^```$/p' "$2/README.md" | grep -v '^```' |
  "$1" -x c++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only \
    -I"$2/client-sdk/include" -I"$2/proto/include" -
