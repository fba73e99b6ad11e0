#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that all C and C++ is as clang-format writes it, that shellcheck has no findings, that every source file names its
# licence, and that no link between documents is dead.
set -eu
cd "$(dirname "$0")/.."
files=$(mktemp)
trap 'rm -f "$files"' EXIT
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
find passes harness spv-emu spv-graph tests examples packaging web -name '*.[ch]' -o -name '*.[ch]pp' >"$files"
if [ "$version" -lt 14 ]; then
  echo "skipped the C and C++ sources: clang-format is version $version, and must be 14 or later"
  : >"$files"
elif [ "$version" -gt 14 ]; then # which has another format for a macro that is a list in braces
  xargs grep -LzP '#define [^\n]*\\\n +\{' <"$files" >"$files.same"
  mv "$files.same" "$files"
fi
# On all processors.
xargs -r -P "$(nproc)" -n 200 clang-format --dry-run -Werror <"$files"
shellcheck setup.sh .ci/run
find tools tests packaging harness/cluster \( -name '*.sh' -o -name '*.bash' \) -print0 | xargs -0 -P "$(nproc)" -n 20 shellcheck -x
if git ls-files -- '*.[ch]' '*.def' '*.inc' '*.sh' '*.bash' '*.cmake' '*.awk' '*.jq' '*.[ch]pp' '*.py' '*.rs' '*.js' '*.css' '*.sql' '*CMakeLists.txt' |
  xargs grep -L 'SPDX-License-Identifier: Apache-2.0' | sed 's/$/: the licence is missing: see line 1 of the others/' |
  grep .; then
  exit 1
fi
tools/links.sh
echo "format: ok"
