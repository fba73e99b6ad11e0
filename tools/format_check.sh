#!/bin/sh
# Checks that all C is as clang-format writes it, and that shellcheck has nothing to say.
set -eu
cd "$(dirname "$0")/.."
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
if [ "$version" = 14 ]; then
  find passes harness spv-emu tests examples -name '*.[ch]' -exec clang-format --dry-run -Werror {} +
else
  echo "skipped the C sources: they are as clang-format 14 of Debian 12 writes them, and this is version $version"
fi
shellcheck setup.sh .ci/run
find tools tests packaging harness/cluster \( -name '*.sh' -o -name '*.bash' \) -exec shellcheck -x {} +
echo "format: ok"
