#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Adversarial modules (gen_hostile) take at most 4 GB and 60 s of processor time until they are done or
# refused with one line.
#
#   tests/limits/hostile.sh SPVRECONV SPV_EMU BYTES SECONDS [SHAPE…]
#
# Runs with --max-time=SECONDS (60 is the default). Prints, for each shape and command, seconds, peak MB,
# and how it ended.
set -eu
spvreconv=$1
spv_emu=$2
bytes=$3
limit=$4
shift 4
bin=$(dirname "$spvreconv")
# shellcheck disable=SC2046 # names
[ $# -gt 0 ] || set -- $("$bin/gen_hostile")
# shellcheck source=tests/report.sh.inc
. "$(dirname "$0")/../report.sh.inc"

# costs SHAPE NAME COMMAND…: stays within the limits, and is done or refused with one line, besides notes
costs() {
  what="$1, $2"
  shift 2
  "$bin/cost" "$work/log" "$@" >"$work/cost"
  read -r seconds megabytes status <"$work/cost"
  said=$(grep -v ': note: ' "$work/log" || true)
  printf '%-12s %8s s %6s MB  %s\n' "$what" "$seconds" "$megabytes" \
    "$(if [ "$status" -eq 0 ]; then echo "done"; else echo "$said" | cut -c 1-150; fi)"
  good=0
  if [ "$status" -gt 1 ] || [ "$megabytes" -gt 4000 ] || [ "${seconds%.*}" -gt $((limit + 2)) ] ||
    [ "$(echo "$said" | wc -l)" -gt 1 ]; then
    good=1
  fi
  report $good "$what: $seconds s, $megabytes MB, status $status"
}

for shape; do
  "$bin/gen_hostile" "$shape" "$bytes" "$work/in.spv"
  costs "$shape" spvreconv "$spvreconv" --max-time="$limit" --transform=strip-merges,structurize "$work/in.spv" \
    -o "$work/out.spv"
  rm -f "$work/out.spv"
  costs "$shape" spv-emu "$spv_emu" --max-time="$limit" --max-issues=1000 "$work/in.spv"
done
finish
