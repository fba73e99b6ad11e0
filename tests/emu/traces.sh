#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Golden traces: what each policy keeps, block by block, on the figures of the papers. Each file
# tests/emu/traces/*.groups has one figure: comments, then for each run a line `> OPTIONS CASE`, what --trace-groups
# writes, and each policy's issues, with those that are overhead: packed subgroups and JOINs show only in these.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
golden=tests/emu/traces
here=$PWD

# trace FILE: the same file with the runs made again
trace() {
  while IFS= read -r line; do
    case $line in
    '#'*) echo "$line" ;;
    '> '*)
      echo "$line"
      # shellcheck disable=SC2086 # words
      run 0 --max-issues=10000 --csv --trace-groups="$WORK/groups" ${line#> } >&2
      cat "$WORK/groups"
      for name in policy issued overhead; do
        column $name >"$WORK/$name"
      done
      paste -d, "$WORK/policy" "$WORK/issued" "$WORK/overhead" | sed 's/\(.*\),\(.*\),/\1: \2 issues, overhead /'
      ;;
    esac
  done <"$1"
}

for file in "$golden"/*.groups; do
  trace "$file" >"$WORK/made"
  diff -u "$file" "$WORK/made" || fail "$file differs"
done
for file in "$golden"/*.joins; do
  run 0 --policy=jip --dump-joins="$WORK/joins" "${file%.joins}.amber"
  diff -u "$file" "$WORK/joins" || fail "$file differs"
  run 0 --policy=jip --csv "${file%.joins}.amber"
  column issued >"$WORK/placed"
  run 0 --policy=jip --csv --joins="$WORK/joins" "${file%.joins}.amber"
  column issued | diff "$WORK/placed" - || fail "$file given back has other issues"
done

# Without the JIP that leads to them, lanes are left behind.
sed 's/GOTO %9, JIP %8/GOTO %9, JIP %9/' "$golden/collange.joins" >"$WORK/joins"
run 1 --policy=jip --joins="$WORK/joins" "$golden/collange.amber" && prints "deadlock"
for case in "$golden"/*.amber; do
  grep -qF -- "$case" "$golden"/*.groups || fail "$case has no trace"
done

# - is standard output.
for kind in stack entries groups; do
  run 0 --policy=pdom "$golden/collange.amber" --trace-$kind="$WORK/trace"
  (cd "$WORK" && "$EMU" --policy=pdom "$here/$golden/collange.amber" --trace-$kind=-) >"$WORK/out"
  head -n "$(wc -l <"$WORK/trace")" "$WORK/out" | cmp - "$WORK/trace" || fail "--trace-$kind=- prints something else"
  [ ! -e "$WORK/-" ] || fail "--trace-$kind=- writes a file"
  run 2 --policy=pdom "$golden/collange.amber" --json --trace-$kind=- && says "--trace-$kind without a file cannot be used with it"
done

# Each policy that has a schedule has a trace, with each of its options.
runs=$(grep -h '^> ' "$golden"/*.groups)
run 0 --policy=all --csv "$golden/collange.amber"
for policy in $(column policy); do
  [ "$policy" = opt ] || grep -hq "^$policy," "$golden"/*.groups || fail "no trace of $policy"
done
for option in --barrier-placement=nak --barrier-placement=ipdom --barrier-placement=frontier \
  --barrier-scheduling=round-robin --barrier-scheduling=oldest \
  --dwf-order=majority --dwf-order=minority --dwf-order=time-stamp --dwf-order=pc; do
  case $runs in
  *"$option"*) ;;
  *) fail "no trace with $option" ;;
  esac
done
finish
