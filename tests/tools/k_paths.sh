#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The table of K paths in docs/schemes.md is what tools/k_paths.sh prints, and within 3 % of the model beside it.
# Usage: k_paths.sh BUILD-DIRECTORY
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools/k_paths.sh "$1/bin/spv-emu" >"$work/table"
awk '/^<!-- paths table/ { on = 1; next } /^<!-- end/ { on = 0 } on && NF' docs/schemes.md >"$work/page"
diff "$work/page" "$work/table" || {
  echo "FAILED: docs/schemes.md: tools/k_paths.sh | tools/insert_table.sh paths docs/schemes.md"
  exit 1
}
# Columns: K, s K, policies, active lanes, 32/K; each policy has its own s.
awk -F'|' '
  function far(a, b) { return a > 1.03 * b || b > 1.03 * a }
  NR == 3 { for (i = 4; i < NF - 2; i++) s[i] = $i }
  NR > 2 { rows++; for (i = 4; i < NF - 2; i++) bad += far($i, s[i] * $2); bad += far($(NF - 2), $(NF - 1)) }
  END { exit rows != 6 || bad }' "$work/table" || {
  echo "FAILED: more than 3 % from the model: $(cat "$work/table")"
  exit 1
}
echo ok
