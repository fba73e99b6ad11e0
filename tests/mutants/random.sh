#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A mutation test of the tests without a choice of place: plants errors of places.awk at random lines of
# passes/, spv-emu/ and harness/, and reports which test of the suite's fast part finds each.
#
#   tests/mutants/random.sh --random[=COUNT[:SEED]] [FOLDER...]
#
# COUNT: how many errors (20, at most 999). SEED: of the choice (1). FOLDER: below these only.
# MUTANTS_JOBS: processes that build (2). MUTANTS_TIMEOUT: least limit of a test, seconds (90).
#
# An error counts if the source compiles without a warning and its assembly code differs. All are in one
# build, below build-mutants/random/, and an environment variable chooses one (guard.awk), so that only
# tests run again; each test first runs without an error, to see which errors it reaches. An error that
# changes nothing that a user can see is listed as a survivor, too: read survivors before you count them.
# Each is left as a patch in build-mutants/random/survivors/, which run.sh takes with "# class:" and
# "# seen:" on top. Exit status 0, unless something cannot be built or a test fails without an error.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source-path=SCRIPTDIR source=stages.sh.inc
. tests/mutants/stages.sh.inc

work=$PWD/build-mutants/random
tree=$work/tree
build=$tree/build
list=$work/list # number, file, line, kind, the line with the error; separated by tabs
jobs=${MUTANTS_JOBS:-2}
least_limit=${MUTANTS_TIMEOUT:-90}

die() {
  echo "$*" >&2
  exit 1
}

# ---- the choice ----------------------------------------------------------------------------------

list_sources() {
  git ls-files -- "$@" | grep -E '^(passes|spv-emu|harness)/.*\.c$' | grep -v '^passes/cli/cli_help'
}

# Every line of places.awk, in random order.
list_places() { # list_places FOLDER...
  git ls-files -z passes spv-emu harness | grep -z '\.[ch]$' |
    xargs -0 cat /usr/include/spirv/unified1/spirv.h | awk -f tests/mutants/enums.awk >"$work/enums"
  list_sources "$@" | xargs awk -v enums="$work/enums" -f tests/mutants/places.awk |
    awk -v seed="$seed" -f tests/mutants/choose.awk
}

# compile FILE OUTPUT: the assembly code of standard input, as the file would be compiled
compile() {
  local command
  command=$(jq -r --arg file "$tree/$1" 'first(.[] | select(.file == $file)).command' \
    "$build/compile_commands.json" | sed 's/^ccache //; s/ -o [^ ]*//; s/ -c [^ ]*$//')
  [ -n "$command" ] && (cd "$tree/$(dirname "$1")" && eval "$command -S -x c - -o '$2'") 2>"$work/compile.log"
}

with_line() { # with_line FILE LINE TEXT
  text=$3 awk -v line="$2" 'FNR == line { print ENVIRON["text"]; next } { print }' "$1"
}

# Does the error compile, to other code?
counts() { # counts FILE LINE TEXT
  local plain
  plain=$work/plain/${1//\//_}
  if [ ! -f "$plain" ]; then
    with_line "$1" 0 "" | compile "$1" "$plain" || return 1
  fi
  with_line "$1" "$2" "$3" | compile "$1" "$work/changed" && ! cmp -s "$plain" "$work/changed"
}

choose() { # choose FOLDER...
  local file line kind text n=0
  rm -rf "$work/plain"
  mkdir -p "$work/plain"
  list_places "$@" >"$work/places"
  : >"$list"
  while [ $n -lt "$count" ] && IFS=$'\t' read -r file line kind text; do
    counts "$file" "$line" "$text" || continue
    n=$((n + 1))
    printf '%d\t%s\t%s\t%s\t%s\n' $n "$file" "$line" "$kind" "$text" >>"$list"
  done <"$work/places"
  [ $n -gt 0 ] || die "no error can be planted in: $*"
}

# ---- the build -----------------------------------------------------------------------------------

configure() {
  mkdir -p "$tree"
  tools/copy_tree.sh "$tree"
  cmake -G Ninja -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=Release -DSPVRECONV_WERROR=ON >"$work/cmake.log"
}

plant_all() {
  local file
  cut -f 2 "$list" | sort -u | while read -r file; do
    awk -F '\t' -v OFS='\t' -v file="$file" '$2 == file { print $3, $1, $5 }' "$list" >"$work/errors"
    awk -v errors="$work/errors" -v header="$PWD/tests/mutants/guard.h" -f tests/mutants/guard.awk \
      "$file" >"$tree/$file"
  done
  ninja -C "$build" -j "$jobs" >"$work/build.log" 2>&1 || {
    tail -n 20 "$work/build.log" >&2
    die "the planted errors do not build"
  }
}

# ---- the tests -----------------------------------------------------------------------------------

# The tests of a stage: the name, a tab, and what a shell runs.
list_tests() {
  select_tests "$1"
  ctest --test-dir "$build" "${tests[@]}" -E "$skip" --show-only=json-v1 | jq -r '
    .tests[] | select(.command) | (.properties | map({(.name): .value}) | add) as $p
    | "\(.name)\tcd \($p.WORKING_DIRECTORY | @sh) && exec env \($p.ENVIRONMENT // [] | map(@sh) | join(" ")) \(.command | map(@sh) | join(" "))"'
}

# run_test SECONDS COMMAND: passes, or is skipped?
run_test() {
  local status=0
  (ulimit -v $((16 << 20)) && exec timeout -k 5 "$1" bash -c "$2") >"$work/test.log" 2>&1 </dev/null || status=$?
  [ $status -eq 0 ] || [ $status -eq 77 ]
}

# Sets `reached`, the numbers of the errors whose functions the test runs, and `limit`, in seconds.
reach() { # reach NAME COMMAND
  local start=$SECONDS
  head -c 4096 /dev/zero >"$work/reached"
  SR_REACHED=$work/reached run_test 1200 "$2" || {
    echo "$1 fails without an error; $work/test.log" >&2
    status=1 reached=
    return
  }
  limit=$(((SECONDS - start + 1) * 15))
  [ $limit -ge "$least_limit" ] || limit=$least_limit
  reached=$(od -An -v -t u1 -w1 "$work/reached" | awk '$1 { print NR - 1 }')
}

# Runs a test once for each error that it reaches and that nothing has found yet.
try_test() { # try_test STAGE NAME COMMAND
  local number file line kind
  reach "$2" "$3"
  for number in $reached; do
    [ -z "${found[$number]:-}" ] || continue
    IFS=$'\t' read -r _ file line kind _ < <(sed -n "${number}p" "$list")
    [[ " $(stages_of "$file") " == *" $1 "* ]] || continue
    # One that fails once only has not found anything.
    if ! SR_PLANTED=$number run_test "$limit" "$3" && ! SR_PLANTED=$number run_test "$limit" "$3"; then
      found[number]=$2
      printf '%-44s %-9s %s\n' "$file:$line" "$kind" "$2"
    fi
  done
}

# ---- the report ----------------------------------------------------------------------------------

tell_survivors() {
  local number file line kind text
  rm -rf "$work/survivors"
  mkdir -p "$work/survivors"
  while IFS=$'\t' read -r number file line kind text; do
    [ -z "${found[$number]:-}" ] || continue
    printf '%-44s %-9s survived\n' "$file:$line" "$kind"
    with_line "$file" "$line" "$text" | diff -u --label "a/$file" --label "b/$file" "$file" - \
      >"$work/survivors/$number.patch" || true
    grep -E '^[-+] ' "$work/survivors/$number.patch"
  done <"$list"
}

count=20 seed=1 status=0
case $1 in
--random=*)
  [[ ${1#*=} =~ ^([1-9][0-9]{0,2})(:([0-9]{1,9}))?$ ]] || die "$1: expected --random=COUNT[:SEED], with at most 999 errors"
  count=${BASH_REMATCH[1]} seed=${BASH_REMATCH[3]:-1}
  ;;
esac
shift
[ $# -gt 0 ] || set -- passes spv-emu harness
list_sources "$@" >/dev/null || die "no source of passes/, spv-emu/ or harness/ lies below: $*"

configure
choose "$@"
plant_all
found=() # by number: the test
for stage in quick emulator harness layer property policies; do
  cut -f 2 "$list" | while read -r file; do stages_of "$file"; done | grep -qw $stage || continue
  while IFS=$'\t' read -r name command; do
    [ "${#found[@]}" -lt "$(wc -l <"$list")" ] || break
    try_test $stage "$name" "$command"
  done < <(list_tests $stage)
done
tell_survivors
echo "${#found[@]} of $(wc -l <"$list") random errors (seed $seed) found; survivors: $work/survivors"
exit $status
