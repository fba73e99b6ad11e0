#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shapes of docs/repair.md through the layer: with the validation layer, both drivers refuse them without it, and compute
# with it what the emulator expects.
#
#   tests/layer/repair.sh BUILD [--update]     --update: writes the page's table of what drivers do with them unchecked
# shellcheck source=tests/layer/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# outcome: rewords a line of app_pictures --unchecked
outcome() {
  sed 's/^[^:]*: //; s/fail: line .*/other results/; s/^pass$/the right results/; s/^crash$/crash, or no end/
    s/^fail: \(vkCreate[A-Za-z]*\): \(VK_[A-Z_]*\).*/\2 from \1/'
}

# table: what the drivers do with each case, without the validation layer
table() {
  echo "| shape | lavapipe | SwiftShader |"
  echo "| --- | --- | --- |"
  for case in "$WORK"/*.amber; do
    [ "$case" = "$WORK/right.amber" ] ||
      "$BUILD/bin/app_pictures" --unchecked "$case" | outcome | paste -sd'|' |
      sed "s/|/ | /; s/^/| $(basename "$case" .amber) | /; s/$/ |/"
  done
}

for file in tests/repair/*.spvasm; do
  name=$(basename "$file" .spvasm)
  # Some versions of SPIRV-Tools accept the shape.
  spirv-as --target-env spv1.3 "$file" -o "$WORK/module.spv" || fail "$name: not assembled"
  spirv-val --target-env vulkan1.1 "$WORK/module.spv" 2>/dev/null && continue
  "$BUILD/bin/spv-harness" new "$file" >"$WORK/$name.amber" || fail "$name: no case"
done
"$BUILD/bin/spv-harness" new tests/repair/right/one_turn.spvasm >"$WORK/right.amber"
if [ "${2:-}" = --update ]; then
  table | tools/insert_table.sh unchecked docs/repair.md
fi
"$BUILD/bin/app_pictures" "$WORK"/*.amber || fail "app_pictures: exit code $?"
finish
