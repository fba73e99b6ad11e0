#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shapes of docs/repair.md (tests/repair/NAME.spvasm): control flow that translators wrote wrong. SPIRV-Tools refuses
# each, and the harness does not run it; `auto` repairs it, to portable structure; then the emulator and the drivers
# compute what they do for the version written by hand (tests/repair/right/NAME.spvasm). The blocks that the page shows
# are those of the files.
#
#   tests/harness/repair.sh SPV-HARNESS [--update]     --update: writes the page's blocks
#
# A shape's first lines: what it is; "; From:" its producers; "; Says:" what spirv-val says, as |-separated texts; and
# perhaps "; Until:" the version of SPIRV-Tools that accepts it, as 202501.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
update=${2:-}
PATH=$(cd "$BIN" && pwd):$PATH
page=docs/repair.md
version=$(spirv-val --version | sed -n 's/.*v\(20[0-9]*\)\.\([0-9]*\).*/\1 \2/p' | awk '{ printf "%d%02d\n", $1, $2; exit }')

# field NAME KEY: the text of the shape's line
field() {
  sed -n "s/^; $2: //p" "tests/repair/$1.spvasm"
}

# assemble FILE OUT: with the names of blocks and values as OpNames
assemble() {
  awk 'FNR == NR { if (/OpFunction / || inside && $2 == "=") names = names "OpName " $1 " \"" substr($1, 2) "\"\n"
      inside = inside || /OpFunction /
      next }
    { print }
    /OpName %data/ { printf "%s", names }' "$1" "$1" >"$WORK/named.spvasm"
  spirv-as --target-env spv1.3 "$WORK/named.spvasm" -o "$2" || fail "$1: not assembled"
}

# refused NAME: spirv-val refuses the module, for the reason that the shape names
refused() {
  until=$(field "$1" Until)
  if spirv-val --target-env vulkan1.1 "$WORK/before.spv" 2>"$WORK/said"; then
    { [ -n "$until" ] && [ "$version" -ge "$until" ]; } || fail "$1: spirv-val accepts it"
    return 1
  fi
  field "$1" Says | tr '|' '\n' >"$WORK/says"
  grep -qFf "$WORK/says" "$WORK/said" || fail "$1: spirv-val says something else: $(cat "$WORK/said")"
}

# repaired NAME: auto says so, and its output is valid, portable and computes the same
repaired() {
  spvreconv "$WORK/before.spv" --check -o "$WORK/after.spv" 2>"$WORK/err" || fail "$1: $(cat "$WORK/err")"
  grep -q 'function main: repaired: [0-9]* violations\{0,1\} of structured control flow' "$WORK/err" ||
    fail "$1: not repaired: $(cat "$WORK/err")"
  spirv-val --target-env vulkan1.1 "$WORK/after.spv" || fail "$1: the output is not valid"
  spvreconv --explain=portable "$WORK/after.spv" || fail "$1: the output is not portable"
}

# cases NAME: of the shape and of the right version; both have the same contents and expected results
cases() {
  "$HARNESS" new "tests/repair/$1.spvasm" >"$WORK/$1.amber" || fail "$1: no case"
  "$HARNESS" new "tests/repair/right/$1.spvasm" >"$WORK/$1-right.amber" || fail "$1: no case of the right version"
  for each in "$1" "$1-right"; do
    grep -E '^(BUFFER|RUN|EXPECT)' "$WORK/$each.amber" >"$WORK/$each.results"
  done
  [ "$(grep -c '^EXPECT' "$WORK/$1.results")" -gt 9 ] || fail "$1: no results"
  diff "$WORK/$1.results" "$WORK/$1-right.results" || fail "$1: the emulator's results are not those of the right version"
}

# flow FILE: its blocks, without the instructions in them; ids without a name are %new1, %new2, ...
flow() {
  awk '
    function named(line, id) {
      while (match(line, /%[0-9]+/)) {
        id = substr(line, RSTART, RLENGTH)
        if (!(id in names)) names[id] = "%new" ++count
        line = substr(line, 1, RSTART - 1) names[id] substr(line, RSTART + RLENGTH)
      }
      return line
    }
    /OpFunction / { inside = 1; next } /OpFunctionEnd/ { inside = 0 }
    inside && /OpLabel|Merge|OpBranch|OpSwitch|OpReturn|OpUnreachable/ {
      sub(/^ +/, ""); gsub(/ +/, " "); print (/OpLabel/ ? "" : "  ") named($0) }' "$1"
}

# show NAME: what the page shows
show() {
  spirv-dis --no-header "$WORK/after.spv" -o "$WORK/after.spvasm"
  flow "tests/repair/$1.spvasm" >"$WORK/left"
  flow "$WORK/after.spvasm" >"$WORK/right"
  printf '    spirv-val: … %s …\n\n' "$(field "$1" Says | cut -d'|' -f1)"
  { echo "before" && cat "$WORK/left"; } >"$WORK/left.titled"
  { echo "after" && cat "$WORK/right"; } >"$WORK/right.titled"
  paste -d'\t' "$WORK/left.titled" "$WORK/right.titled" |
    awk -F'\t' '{ line = sprintf("    %-52s%s", $1, $2); sub(/ +$/, "", line); print line }'
}

count=0
for file in tests/repair/*.spvasm; do
  name=$(basename "$file" .spvasm)
  count=$((count + 1))
  assemble "$file" "$WORK/before.spv"
  cases "$name"
  refused "$name" || continue
  repaired "$name"
  echo "$WORK/$name.amber" >>"$WORK/broken"
  echo "$WORK/$name-right.amber" >>"$WORK/whole"
  show "$name" >"$WORK/shown"
  if [ "$update" = --update ]; then
    tools/insert_table.sh "$name" $page <"$WORK/shown"
  else
    awk -v "name=$name" 'index($0, "<!-- " name " table") == 1 { inside = 1; next } /^<!-- end/ { inside = 0 }
      inside' $page | sed '1d;$d' | diff - "$WORK/shown" ||
      fail "$page: < is in it, > is what $file gives: sh $0 SPV-HARNESS --update writes it"
  fi
done
[ "$count" = 10 ] || fail "$count shapes"

# On each device the broken modules run repaired only, the right ones as they are.
for device in auto emu; do
  xargs "$HARNESS" run --device=$device --transform=none+auto <"$WORK/broken" >"$WORK/out" 2>&1 || fail "$device: $(cat "$WORK/out")"
  grep -E ': none ' "$WORK/out" | grep -vE ': none invalid; auto pass$' && fail "$device: not refused, or not repaired"
  grep -q 'none invalid; auto pass$' "$WORK/out" || fail "$device: nothing was run"
  grep -E '^ +invalid: ' "$WORK/out" | grep -v -- '; --transform=auto repairs it$' && fail "$device: no advice"
  xargs "$HARNESS" run --device=$device --transform=none <"$WORK/whole" >"$WORK/out" 2>&1 || fail "$device: $(cat "$WORK/out")"
done
finish
