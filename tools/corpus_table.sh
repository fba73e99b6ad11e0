#!/bin/sh
# The applications of the papers among the cases: how many conditional branches they have beside what is
# published, and what they cost under three policies. Markdown, as docs/corpus.md has it.
#
#   tools/corpus_table.sh [BUILD [SIZE]]   (default: build, subgroups of 32)
#
# branches    OpBranchConditional, and each label of an OpSwitch, over all shaders of the case
# published   number of branch instructions that Wu et al., table 2, give; `-` where none is
# PDOM, TF    issues under pdom and tf-stack
# STRUCT      issues under pdom of the module without merges, structurized by copies (struct-copy)
# entries     most entries of the sorted stack of tf-stack, the running one included
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$here/build}
size=${2:-32}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# branches CASE: of all its shaders
branches() {
  rm -f "$work"/*.comp "$work"/*.spvasm
  awk -v work="$work" '
    /^SHADER / { file = work "/" $3 (/ GLSL/ ? ".comp" : ".spvasm"); next }
    /^END/ { file = "" }
    file != "" { print >file }' "$1"
  for shader in "$work"/*.comp; do
    [ -e "$shader" ] || continue
    glslangValidator -V --target-env vulkan1.1 "$shader" -o "$work/module.spv" >/dev/null
    spirv-dis "$work/module.spv" >"${shader%.comp}.spvasm"
  done
  cat "$work"/*.spvasm | awk '
    / *OpBranchConditional / { n++ }
    / *OpSwitch / { n += (NF - 3) / 2 }
    END { print n + 0 }'
}

# issues CASE POLICY TRANSFORM: issues and depth of the stack, or "- -"
issues() {
  "$build/bin/spv-emu" --csv --subgroup-size="$size" --policy="$2" --transform="$3" "$1" 2>/dev/null |
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
      NR > 1 && $at["status"] == "ok" { found = $at["issued"] " " $at["stack_max_depth"] }
      END { print found == "" ? "- -" : found }'
}

echo "| case | branches | published | PDOM | TF | STRUCT | TF / PDOM | STRUCT / PDOM | entries |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
cd "$here/shaders"
for case in call/*.amber exception/*.amber machine/*.amber physics/*.amber render/*.amber \
  search/*.amber vision/*.amber; do
  published=$(sed -n 's/^# Published: \([0-9,]*\)\( and \([0-9]*\)\)\{0,1\} branch.*/\1 \3/p' "$case" |
    tr -d , | awk '{ print $1 + $2 }')
  # shellcheck disable=SC2046 # two words each
  set -- $(issues "$case" pdom none) $(issues "$case" tf-stack none) \
    $(issues "$case" pdom strip-merges,struct-copy)
  echo "${case%.amber} $(branches "$case") ${published:--} $1 $3 $5 $4"
done | awk '
  function ratio(a, b) { return a == "-" || b == "-" ? "-" : sprintf("%.3f", a / b) }
  { print "| `" $1 "` | " $2 " | " $3 " | " $4 " | " $5 " | " $6 " | " ratio($5, $4) " | " ratio($6, $4) " | " $7 " |" }'
