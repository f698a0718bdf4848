#!/usr/bin/env bash
# Every source file is as clang-format leaves it.
set -euo pipefail
cd "$1"
git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run -Werror
