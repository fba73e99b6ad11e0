#!/bin/sh
# Checks that all C is as clang-format writes it, and that shellcheck has nothing to say.
set -eu
cd "$(dirname "$0")/.."
find passes harness spv-emu tests examples -name '*.[ch]' -exec clang-format --dry-run -Werror {} +
shellcheck setup.sh .ci/run
find tools tests packaging harness/cluster \( -name '*.sh' -o -name '*.bash' \) -exec shellcheck -x {} +
echo "format: ok"
