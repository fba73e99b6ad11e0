#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All cases of shaders/ on both drivers under the validation layer; those of some folders twice, with the same
# result; every skip has a reason. The shaders of cases of fixed functions have no flow worth a variant.
# Nothing fails but what known_failures.txt says of the installed versions of the drivers.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
variants=none+strip-merges,structurize+unstructure:1,structurize
fixed="shaders/output shaders/raster"
again="shaders/irreducible shaders/subgroup"
once=$(for folder in shaders/*/; do
  case " $fixed $again " in *" ${folder%/} "*) ;; *) echo "$folder" ;; esac
done)

"$HARNESS" list-devices >"$WORK/devices"
grep -v '^#' tests/harness/known_failures.txt | while read -r result device case variant version; do
  case "+$variants+" in *"+$variant+"*) ;; *) continue ;; esac
  ! grep "^$device " "$WORK/devices" | grep -qF " $version " || echo "$device $case, $variant: $result"
done >"$WORK/known"

# known FOLDERS...: the failures to expect, as spv-harness lists them, but without the signal
known() {
  for folder; do
    grep -F " ${folder%/}/" "$WORK/known"
  done | sort
}

# corpus ROUND VARIANTS FOLDER...
corpus() {
  round=$1
  transforms=$2
  shift 2
  known "$@" >"$WORK/wanted"
  code=0
  [ ! -s "$WORK/wanted" ] || code=1
  run $code run --device=lavapipe,swiftshader --validation --transform="$transforms" \
    --results="$WORK/$round.sqlite" --junit="$WORK/$round.xml" "$@"
  sed -n '/^failures:$/,$ { s/: \(crash\|fail\): .*/: \1/; s/^    //p }' "$WORK/out" | sort >"$WORK/failures"
  diff "$WORK/wanted" "$WORK/failures" || fail "failures (>) are not those of known_failures.txt (<)"
  cat "$WORK/out" "$WORK/err"
}
# shellcheck disable=SC2086 # lists of folders
{
  corpus once $variants $once
  corpus fixed none $fixed
  corpus 1 $variants $again
  corpus 2 $variants $again
}
run 0 compare "$WORK/1.sqlite" "$WORK/2.sqlite"
ends "0 changed"
finish
