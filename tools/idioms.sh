#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints each line of sources, documents and scripts with an idiom of tools/idioms.txt, and what to write instead.
# Fails if there is one.
#
#   tools/idioms.sh [FOLDER|FILE...]    (default: the whole tree)
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- passes harness spv-emu spv-graph tests examples shaders docs tools packaging cmake third_party \
  ./*.md CMakeLists.txt setup.sh .ci .clang-tidy
tab=$(printf '\t')
found=$(mktemp)
trap 'rm -f "$found"' EXIT
# Patches repeat lines of sources; CSV and words.txt are data.
grep -v '^#' tools/idioms.txt | while IFS=$tab read -r pattern instead; do
  grep -rnIiE --exclude='*.patch' --exclude='*.csv' --exclude=idioms.txt --exclude=words.txt -e "$pattern" -- "$@" |
    sed "s|\$|    -> $instead|" || true
done | sort -t : -k1,1 -k2,2n >"$found"
cat "$found"
[ ! -s "$found" ] || {
  echo "idioms: $(wc -l <"$found") lines to rewrite, see tools/idioms.txt" >&2
  exit 1
}
