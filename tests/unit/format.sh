#!/usr/bin/env bash
# Every source file is as clang-format leaves it, and no line of what people write is longer than
# 100 columns, unless it holds a URL. Prints what is not so; the target `format` mends the former.
#   format.sh SOURCE_DIRECTORY
set -euo pipefail
cd "$1"
status=0
git ls-files '*.cpp' '*.h' | xargs -n 64 clang-format --dry-run -Werror || status=1
git ls-files '*.cpp' '*.h' '*.proto' '*.cmake' '*CMakeLists.txt' '*.sh' '*.py' 'deploy/*' \
  ':!*.png' ':!deploy/monitoring/grafana/terrane.json' \
  Dockerfile tests/run tests/tidy tests/fuzz/run .ci/run .clang-tidy | xargs python3 -c '
import sys
status = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            columns = len(line.rstrip("\n"))
            if columns > 100 and "://" not in line:
                print(f"{path}:{number}: {columns} columns, more than 100")
                status = 1
sys.exit(status)
' || status=1
exit $status
