#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The cost of a transform grows with the module, not with the square of its functions: four times as many
# functions take about four times as long on any machine. (Clearing a table by id for each function would
# make it sixteen times.)
#
#   tests/limits/functions.sh SPVRECONV [TRANSFORM…]
#
# Prints processor seconds for the smaller and the larger module, and their ratio.
set -eu
spvreconv=$1
shift
bin=$(dirname "$spvreconv")
# shellcheck disable=SC2046 # a word each
[ $# -gt 0 ] || set -- $("$(dirname "$0")/../pass_lists.sh" | awk '!seen[$1]++ && $1 != "best" { print $2 }')
# shellcheck source=tests/report.sh.inc
. "$(dirname "$0")/../report.sh.inc"

small=1000000
large=4000000
most=9

# seconds FILE TRANSFORM: processor seconds, or nothing if it fails
seconds() {
  "$bin/cost" "$work/log" "$spvreconv" --no-validate --max-time=60 --transform="$2" "$1" -o "$work/out.spv" \
    >"$work/cost"
  read -r seconds _ status <"$work/cost"
  [ "$status" -ne 0 ] || echo "$seconds"
}

# grows TRANSFORM: tried three times, since another program may disturb the measurement
grows() {
  good=1
  ratio=
  for _ in 1 2 3; do
    a=$(seconds "$work/small.spv" "$1")
    b=$(seconds "$work/large.spv" "$1")
    if [ -z "$a" ] || [ -z "$b" ]; then
      break
    fi
    ratio=$(awk "BEGIN { printf \"%.1f\", $b / ($a > 0.02 ? $a : 0.02) }")
    if [ "$(awk "BEGIN { print ($ratio < $most) }")" -eq 1 ]; then
      good=0
      break
    fi
  done
  printf '%-14s %8s s %8s s %6s\n' "$1" "${a:-failed}" "${b:-failed}" "${ratio:-}"
  report $good "$1: four times the functions, ${ratio:-} times as long"
}

"$bin/gen_hostile" tangles "$small" "$work/small.spv"
"$bin/gen_hostile" tangles "$large" "$work/large.spv"
for transform; do
  grows "$transform"
done
finish
