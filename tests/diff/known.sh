#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Is every wrong result of a driver in a case due to the error value_after_endless_loop of docs/driver-bugs.md?
# Then none of the wrong variants is wrong once loops have a second exit (second_exit.awk). The script also
# moves values to memory, which must not be the reason: with that change alone some variant must still
# be wrong. Exit code 0 if all this holds.
#
#   tests/diff/known.sh BUILD CASE.amber "DEVICE VARIANT fail: MESSAGE; …"   (as judge.jq writes it)
set -u
BUILD=$1 case=$2 detail=$3
# shellcheck source=tests/diff/common.sh.inc
. tests/diff/common.sh.inc
PROGRAMS=${PROGRAMS:-}
DEVICES=${DEVICES%,pocl} # which takes no module
case "$detail" in
*' crash: '* | *' timeout: '* | *' invalid: '*) exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/exits0" "$work/exits1"
"$BIN/spv-harness" modules "$case" "$work" >/dev/null || exit 1
whole=$work/$(subject "$case").spv

# rewrite EXITS NAME: the case with its module changed in this way
rewrite() {
  spirv-dis --raw-id --no-header "$work/module.spv" | awk -v exits="$1" -f tests/diff/second_exit.awk |
    assemble "$work/module.spv" "$work/exits$1/$2.spv" || exit 1
  frame_expecting "$case" "$2.spv" >"$work/exits$1/$2.amber"
}

printf '%s\n' "$detail" | tr ';' '\n' |
  awk -v devices="^($(echo "$DEVICES" | tr ',' '|'))$" '$1 ~ devices { print $2 }' | sort -u >"$work/variants"
while read -r variant; do
  [ "$PROGRAMS" != kernel ] || variant=kernel-to-shader,${variant#kernel-to-shader,}
  if [ "$variant" = none ]; then
    cp "$whole" "$work/module.spv"
  else
    "$BIN/spvreconv" "$whole" --transform="$variant" -o "$work/module.spv" 2>/dev/null || exit 1
  fi
  rewrite 0 "$variant"
  rewrite 1 "$variant"
done <"$work/variants"
[ -s "$work/variants" ] || exit 1
VARIANTS=none
judge "$work/exits0" >"$work/judged"
cut -f 2 "$work/judged" | grep -qv agree || exit 1
# All must have run on as many devices: an invalid module does not run, and so cannot differ.
judge "$work/exits1" | awk -F '\t' -v cases="$(wc -l <"$work/variants")" -v devices="$(head -n 1 "$work/judged" | cut -f 4)" '
  $2 == "agree" && $4 == devices { agree++ }
  END { exit agree != cases || NR != cases }'
