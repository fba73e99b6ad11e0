#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All cases of shaders/ on both drivers under the validation layer; twice, if drivers compile them fast,
# with the same result; every skip has a reason.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
variants=none+auto+strip-merges,structurize+unstructure:1,structurize
slow="shaders/machine shaders/physics shaders/render"
fast=$(for folder in shaders/*/; do
  case " $slow " in *" ${folder%/} "*) ;; *) echo "$folder" ;; esac
done)

# corpus ROUND FOLDER...
corpus() {
  round=$1
  shift
  run 0 run --device=lavapipe,swiftshader --validation --transform=$variants \
    --results="$WORK/$round.sqlite" --junit="$WORK/$round.xml" "$@"
  cat "$WORK/out" "$WORK/err"
}
# shellcheck disable=SC2086 # lists of folders
{
  corpus slow $slow
  corpus 1 $fast
  corpus 2 $fast
}
run 0 compare "$WORK/1.sqlite" "$WORK/2.sqlite"
ends "0 changed"
finish
