#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Readers of other projects take what structurize makes of a random graph of each family, and compute the same with it;
# ./setup.sh consumers gives them many (docs/consumers.md). A reader that is not installed is skipped.
#
#   tests/consumers/test.sh BUILD
set -eu
"$1/bin/spv-harness" list-devices | grep -q '^lavapipe *llvmpipe' || {
  echo "skipped: lavapipe is not installed; apt-get install mesa-vulkan-drivers"
  exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SEED=3 tests/consumers/run.sh "$1" "$work" 1
awk -v known=tests/consumers/known.txt -f tests/consumers/table.awk "$work/rows.csv"
tests/consumers/mesa.sh "$1" shaders/loop/do_while.amber

# The modules that show errors of readers are valid; structurize avoids the errors of SPIRV-Cross.
for file in tests/consumers/readers/*.spvasm; do
  module=$work/$(basename "$file" .spvasm).comp.spv
  spirv-as --target-env spv1.3 "$file" -o "$module"
  spirv-val --target-env vulkan1.1 "$module"
  "$1/bin/spvreconv" --transform=strip-merges,structurize "$module" -o "$module"
  if command -v spirv-cross >/dev/null && tests/consumers/cross.sh "$work/cross" "$module" | grep refused; then
    echo "FAILED: SPIRV-Cross refuses $file after structurize"
    exit 1
  fi
done
