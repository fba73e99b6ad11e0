#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The figures of one case under every policy, after every transform, with every size of subgroups and in every
# priority order, as CSV: program, transform, priority and size, followed by the columns of spv-emu --csv.
#
#   counts.sh BUILD CASE.amber NAME >COUNTS.csv
#
# A transform that refuses the case is one row with status "refused" and the reason.
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
emu=$bin/spv-emu name=$3
"$here/bare_case.sh" "$1" "$2" "$work/bare"
case=$work/bare/case.amber

SIZES=${SIZES:-8 32 64 workgroup}

# Each after strip-merges, so that structured programs are structured again.
TRANSFORMS='none structurize struct-copy:any reconverge linearize guard'

# Priority orders besides lrpo, for the policies that use one; `profile`: chosen from the paths that lanes
# take in subgroups of that size.
PRIORITIES='rpo ocelot dfpd bfpd domreg profile'

# States that opt may visit for each dispatch: with more its bounds hardly improve.
OPT_BUDGET=65536

priority_option() {
  case $1 in
  profile) echo "--priority=profile:$work/profile.json" ;;
  *) echo "--priority=$1" ;;
  esac
}

transform_option() {
  case $1 in
  none | reconverge) echo "--transform=$1" ;;
  *) echo "--transform=strip-merges,$1" ;;
  esac
}

# All policies run the case; opt only the case as written.
policies_of() {
  all=scalar,none,pdom,tf-stack,tf-sandy,structured,maximal,ssy,exec
  case $1 in
  none) echo $all,opt ;;
  *) echo "${all#scalar,none,}" ;;
  esac
}

# measure TRANSFORM PRIORITY SIZE POLICIES. Cycles differ from issues by what insertions in sorted stacks take.
measure() {
  status=0
  "$emu" --csv --subgroup-size="$3" --policy="$4" --opt-budget=$OPT_BUDGET --cost=issues,insertion=1 \
    "$(transform_option "$1")" "$(priority_option "$2")" "$case" >"$work/out" 2>"$work/err" || status=$?
  if [ -s "$work/out" ]; then
    sed "1d; s|^$case|$name,$1,$2,$3,$name|" "$work/out"
  elif [ $status -eq 1 ]; then
    refused "$1" "$2" "$3"
  else
    cat "$work/err" >&2
    exit 1
  fi
}

# A row with the same columns as the others; the reason without characters that CSV would quote.
refused() {
  reason=$(sed -n '1s/.*case\.amber: //p' "$work/err" | tr -d '",')
  awk -v row="$name,$1,$2,$3,$name,,,,refused,$reason" -v columns="$columns" \
    'BEGIN { for (i = 10; i < columns + 4; i++) row = row ","; print row }'
}

"$emu" --csv --policy=none "$case" >"$work/out" 2>/dev/null || true
head=$(head -n 1 "$work/out")
columns=$(echo "$head" | awk -F , '{ print NF }')
[ -n "$head" ] || exit 0 # the emulator refuses the case: it draws, for example
echo "program,transform,priority,size,$head"
for size in $SIZES; do
  "$emu" --csv --policy=tf-stack --subgroup-size="$size" --profile="$work/profile.json" "$case" >"$work/out" \
    2>"$work/err" || cp "$work/err" "$work/profile.json" # no profile: what refuses it says why
  for transform in $TRANSFORMS; do
    measure "$transform" lrpo "$size" "$(policies_of "$transform")"
  done
  for priority in $PRIORITIES; do
    measure none "$priority" "$size" tf-stack,tf-sandy
  done
done
