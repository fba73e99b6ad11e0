#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that all C is as clang-format writes it, that shellcheck has no findings, that every source file names its
# licence, and that no link between documents is dead.
set -eu
cd "$(dirname "$0")/.."
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
if [ "$version" = 14 ]; then
  find passes harness spv-emu spv-graph tests examples -name '*.[ch]' -exec clang-format --dry-run -Werror {} +
else
  echo "skipped the C sources: their format is that of clang-format 14 (Debian 12), and this is version $version"
fi
shellcheck setup.sh .ci/run
find tools tests packaging harness/cluster \( -name '*.sh' -o -name '*.bash' \) -exec shellcheck -x {} +
if git ls-files -- '*.[ch]' '*.def' '*.inc' '*.sh' '*.bash' '*.cmake' '*.awk' '*.jq' '*.js' '*.css' '*.sql' '*CMakeLists.txt' |
  xargs grep -L 'SPDX-License-Identifier: Apache-2.0' | sed 's/$/: the licence is missing: see line 1 of the others/' |
  grep .; then
  exit 1
fi
tools/links.sh
echo "format: ok"
