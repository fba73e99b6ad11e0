#!/bin/sh
# All cases of shaders/ on both drivers under the validation layer, twice with the same result; every
# skip has its reason.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
variants=none+auto+strip-merges,structurize+unstructure:1,structurize

for round in 1 2; do
  run 0 run --device=lavapipe,swiftshader --validation --transform=$variants \
    --results="$WORK/$round.sqlite" --junit="$WORK/$round.xml" shaders
done
cat "$WORK/out" "$WORK/err"
run 0 compare "$WORK/1.sqlite" "$WORK/2.sqlite"
ends "0 changed"
finish
