#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gives readers of SPIR-V that have nothing to do with this project the output of structurize, and runs what they make
# of it: naga, Tint and SPIRV-Cross (docs/consumers.md).
#
#   tests/consumers/run.sh BUILD FOLDER [GRAPHS]
#
# In FOLDER are then inputs, modules and what the readers wrote, and rows.csv, a line for each language, list of
# transforms and case: SET;LIST;LANGUAGE;CASE;OUTCOME;CAUSE. The outcome is
#   equal         on lavapipe and the emulator
#   driver        in the emulator; lavapipe is wrong by an error of its own
#   differs       the cause says where
#   written       in a language that nothing here compiles
#   unstructured  taken, but the module that was given is not valid
#   refused       the cause is the reader's message
# With GRAPHS, the random graphs alone, so many of each family (from SEED in the environment on).
#
# naga and Tint are expected in ~/.cache/spvreconv, where ./setup.sh consumers puts them; a reader that is missing is
# skipped, with a line that says so. READERS in the environment names those to try (default: "naga tint cross").
set -eu
cd "$(dirname "$0")/../.."
BUILD=$1 WORK=$2 GRAPHS=${3:-}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/spvreconv
NAGA=$cache/naga/node_modules/naga-wasm TINT=$cache/tint
READERS=${READERS:-naga tint cross}
jobs=$(nproc)
mkdir -p "$WORK"
: >"$WORK/rows.csv"

# ---- inputs: cases with EXPECTs in WORK/SET/cases ------------------------------------------------

# graphs COUNT SEED: so many random graphs of each of five families, from that seed on, as kernels of integers of 32 bits.
# Those with a way that never ends make no case.
graphs() {
  cases=$WORK/graphs/cases
  mkdir -p "$cases"
  for family in structured acyclic multiexit irreducible switch; do
    mkdir -p "$WORK/graphs/$family"
    "$BUILD/bin/gen_cases" $(($1 * 3 / 2 + 2)) "$2" "$WORK/graphs/$family" $family >/dev/null
    made=0
    for module in "$WORK/graphs/$family"/*.spv; do
      [ $made -lt "$1" ] || break
      "$BUILD/bin/spv-graph" --to=json "$module" -o "$WORK/graph.json" 2>/dev/null
      ! "$BUILD/bin/spv-graph" --turns=4 --budget=64 "$WORK/graph.json" \
        -o "$cases/${family}_$(basename "$module" .spv).amber" 2>/dev/null || made=$((made + 1))
    done
    [ $made = "$1" ] || {
      echo "only $made graphs of family $family end" >&2
      exit 1
    }
  done
}

# shaders STAGE: the cases of shaders/ with a shader of that stage (compute, fragment), and its shaders without a case,
# with contents from spv-harness new
shaders() {
  cases=$WORK/$1/cases
  mkdir -p "$cases"
  for file in shaders/*/*.amber; do
    ! grep -q "^SHADER $1" "$file" || cp "$file" "$cases/$(case_name "$file")"
  done
  for file in $(find shaders -name "*.$(echo "$1" | cut -c 1-4)" | sort); do
    copy=$cases/$(case_name "$file")
    "$BUILD/bin/spv-harness" new "$file" >"$copy" 2>/dev/null || rm "$copy"
  done
}

# random_draws COUNT: to the fragment shaders, those of the first COUNT programs of gen_frag that need no demotes and no
# operations of a quad or subgroup
random_draws() {
  mkdir -p "$WORK/draws"
  "$BUILD/bin/gen_frag" "$1" 1 "$WORK/draws"
  for file in "$WORK"/draws/*.amber; do
    sed '1,/^SHADER fragment/d; /^END/,$d' "$file" >"$WORK/random.frag"
    if ! grep -q 'demote\|elperInvocation\|subgroup' "$WORK/random.frag"; then
      "$BUILD/bin/spv-harness" new --framebuffer=16x16 "$WORK/random.frag" \
        >"$WORK/fragment/cases/random_$(basename "$file")" 2>/dev/null
    fi
  done
}

# case_name FILE: THEME_NAME.amber, with the suffix of a shader
case_name() {
  echo "$1" | sed 's|^shaders/||; s|/|_|; s|\.amber$||; s|\.\([a-z]*\)$|_\1|; s|$|.amber|'
}

# written SET: the modules of its cases as their front ends wrote them, in WORK/SET/none, but without NonReadable (GLSL's
# writeonly), which naga refuses of every buffer
written() {
  mkdir -p "$WORK/$1/none"
  for file in "$WORK/$1"/cases/*.amber; do
    rm -rf "$WORK/case"
    "$BUILD/bin/spv-harness" modules "$file" "$WORK/case" >/dev/null
    for module in $(shader_files "$file"); do
      shader=${module#*@}
      spirv-dis --raw-id "$WORK/case/${shader%.*.spv}.spv" >"$WORK/case/text"
      grep -v 'Decorate %.* NonReadable$' "$WORK/case/text" |
        spirv-as --preserve-numeric-ids --target-env "spv$(sed -n 's/^; Version: //p' "$WORK/case/text")" - -o "$WORK/$1/none/$module"
    done
  done
}

# shader_files CASE: the names of its modules
shader_files() {
  awk -v list=1 -v name="$(basename "$1" .amber)" -f tests/consumers/splice.awk "$1"
}

# ---- readers -------------------------------------------------------------------------------------

# has READER: is it asked for and installed? naga reads Tint's WGSL again.
has() {
  case " $READERS " in *" $1 "*) ;; *) return 1 ;; esac
  case $1 in
  naga) [ -f "$NAGA/package.json" ] && command -v node >/dev/null ;;
  tint) [ -f "$TINT/package.json" ] && [ -f "$NAGA/package.json" ] && command -v node >/dev/null ;;
  cross) command -v spirv-cross >/dev/null && command -v glslangValidator >/dev/null ;;
  esac
}

# read_all SET LIST: every reader reads WORK/SET/LIST/*.spv
read_all() {
  from=$WORK/$1/$2 out=$WORK/$1/read/$2
  mkdir -p "$out"
  {
    if has naga; then
      find "$from" -name '*.spv' -print0 | xargs -0 -n 50 -P "$jobs" node tests/consumers/naga.mjs "$NAGA" "$out"
    fi
    if has tint; then
      find "$from" -name '*.spv' -print0 |
        xargs -0 -n 50 -P "$jobs" node tests/consumers/tint.mjs "$TINT" "$NAGA" "$out"
    fi
    if has cross; then
      find "$from" -name '*.spv' -print0 | xargs -0 -n 20 -P "$jobs" tests/consumers/cross.sh "$out"
    fi
  } >"$out/answers.csv"
}

# ---- running what they wrote ---------------------------------------------------------------------

# verdicts FOLDER: a line CASE,OUTCOME,CAUSE for each case there, on lavapipe and the emulator
verdicts() {
  "$BUILD/bin/spv-harness" run --json --timeout=900 --device=lavapipe,emu --transform=none "$1" 2>/dev/null | jq -r '
    [.results[]] | group_by(.case)[] | [.[] | select(.outcome | IN("pass", "same") | not) | .device + " " + .outcome] as $bad |
    (.[0].case | sub(".*/"; "") | sub("\\.amber$"; "")) + "," +
      if $bad == [] then "equal," else "differs," + ($bad | join(" and ")) end'
}

# alone_wrong CASE GIVEN: is lavapipe wrong by an error of its own? It is so on what the reader was given, too (the file
# GIVEN), or SwiftShader is right, as the emulator is, or it shows its error with values after loops
# (docs/driver-bugs.md)
alone_wrong() {
  grep -qxF "$(basename "$1" .amber),differs,lavapipe fail" "$2" ||
    "$BUILD/bin/spv-harness" run --device=swiftshader --transform=none "$1" 2>/dev/null | grep -q '^1 passed' ||
    DEVICES=lavapipe,emu VARIANTS=none tests/diff/known.sh "$BUILD" "$1" "lavapipe none fail: "
}

# excused FOLDER GIVEN: verdicts FOLDER, with the outcome `driver` where lavapipe alone is wrong, by an error of its own
excused() {
  verdicts "$1" | while IFS=, read -r name outcome cause; do
    [ "$cause" != "lavapipe fail" ] || ! alone_wrong "$1/$name.amber" "$2" || outcome=driver
    echo "$name,$outcome,$cause"
  done
}

# splice SET FOLDER: in FOLDER, each case all of whose modules are there, with these
splice() {
  for file in "$WORK/$1"/cases/*.amber; do
    missing=
    for module in $(shader_files "$file"); do
      [ -f "$2/$module" ] || missing=$module
    done
    name=$(basename "$file" .amber)
    [ -n "$missing" ] || awk -v name="$name" -f tests/consumers/splice.awk "$file" >"$2/$name.amber"
  done
}

# judge SET LIST: adds the rows of what the readers answered
judge() {
  out=$WORK/$1/read/$2
  splice "$1" "$WORK/$1/$2"
  verdicts "$WORK/$1/$2" >"$out/given"
  for language in naga-spirv naga-wgsl naga-msl naga-hlsl tint-wgsl cross-glsl cross-hlsl cross-msl; do
    grep -q ",$language," "$out/answers.csv" || continue
    : >"$out/verdicts"
    case $language in
    *-msl | naga-hlsl) ;;
    *)
      splice "$1" "$out/$language"
      excused "$out/$language" "$out/given" >"$out/verdicts"
      ;;
    esac
    grep ",$language," "$out/answers.csv" | sort |
      awk -v rows="$1;$2;$language" -v verdicts="$out/verdicts" -v given="$out/given" \
        -f tests/consumers/rows.awk >>"$WORK/rows.csv"
  done
}

# consume SET LIST
consume() {
  [ "$2" = none ] || "$BUILD/bin/spvreconv" --transform="$2" "$WORK/$1/none" -o "$WORK/$1/$2/" 2>"$WORK/$1/refused" || true
  read_all "$1" "$2"
  [ ! -s "$WORK/$1/read/$2/answers.csv" ] || judge "$1" "$2"
}

for reader in $READERS; do
  has "$reader" || case $reader in
  cross) echo "skipped SPIRV-Cross: apt-get install spirv-cross glslang-tools" ;;
  *) echo "skipped $reader: not installed; ./setup.sh consumers installs it (needs Node, too: apt-get install nodejs)" ;;
  esac
done

graphs "${GRAPHS:-60}" "${SEED:-1}"
written graphs
consume graphs structurize
READERS=tint consume graphs structurize,phi-variables
[ -z "$GRAPHS" ] || exit 0
for stage in compute fragment; do
  shaders $stage
  [ $stage = compute ] || random_draws 100
  written $stage
  for list in none strip-merges,structurize unstructure:1,structurize unstructure:2,structurize unstructure:3,structurize; do
    consume $stage $list
  done
done
