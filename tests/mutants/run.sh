#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A mutation test of the tests. Each patch of this folder plants one plausible error. It is applied to
# a copy of the tree; the targets that it can affect are built, and the fast part of the suite runs up to
# the first test that fails or exceeds its time limit (so an endless loop is found, too). A test that
# fails counts only if it fails again alone, and passes without the error. Errors in passes/ are also
# given to the translation-validation checker, whether or not a test has found them, on a fixed set of
# modules through every transform.
#
#   tests/mutants/run.sh [--apply | --compile | --checker] [NAME[=TESTS]...]
#   tests/mutants/run.sh --random[=COUNT[:SEED]] [FOLDER...]    errors by program: see random.sh
#
# NAME: of a patch, without .patch; default: all. TESTS: a pattern; only the tests that it names run, and the
# checker stays "unknown": for many errors of one area. --apply: check only that each applies to the working
# tree, and to one file of it; nothing is copied or built. --compile: that each applies and compiles.
# --checker: ask only the checker, and keep what the last run of the suite found.
# MUTANTS_JOBS: tests at a time (2). MUTANTS_TIMEOUT: seconds for a test (90). MUTANTS_STAGES: only
# these stages of the suite (see stages_of), to try a test; nothing is stored then.
# The copy, its build and the modules are kept in build-mutants/. Results go to results.csv, from which
# table.sh makes the table in docs/planted-errors.md. Exit status 1: an error survived without "# equivalent:" in
# its patch, or was found in spite of it, or a patch does not apply or compile.
#
# A patch is made against the path in its +++ line; if that file has moved, the one file of its name to
# which the patch applies is taken. Lines above it: "# class:", "# seen:" (what a user would see), and
# "# equivalent:" with the reason, if no test can find it.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
--random | --random=*) exec tests/mutants/random.sh "$@" ;;
--apply | --compile | --checker) ;;
-*)
  echo "mutants: $1: no such option; --apply, --compile, --checker, --random, or names of patches" >&2
  exit 2
  ;;
esac
# shellcheck source-path=SCRIPTDIR source=stages.sh.inc
. tests/mutants/stages.sh.inc
# shellcheck source-path=SCRIPTDIR/../../tools source=test_targets.sh.inc
. tools/test_targets.sh.inc

patches=tests/mutants
results=$patches/results.csv
work=$PWD/build-mutants
tree=$work/tree
build=$tree/build # ccache knows the objects of a build in its tree
modules=$work/modules
jobs=${MUTANTS_JOBS:-2}
memory=$((16 << 20)) # KiB that a process of a test may have
timeout=${MUTANTS_TIMEOUT:-90} # seconds for a test
module_timeout=10 # seconds for a module under the checker
errors=0

complain() {
  echo "$*" >&2
  errors=$((errors + 1))
}

# ---- the copy ------------------------------------------------------------------------------------

list_sources() {
  git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [ ! -f "$file" ] || printf '%s\0' "$file"
  done
}

make_copy() {
  tools/copy_tree.sh "$tree"
  cmake -G Ninja -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=Release \
    -DSPVRECONV_WERROR=ON -DSPVRECONV_TEST_TIMEOUT="$timeout" >"$work/cmake.log"
  ninja -C "$build" -j "$jobs" >"$work/build.log" || {
    tail -n 20 "$work/build.log" >&2
    exit 1
  }
}

# ---- patches -------------------------------------------------------------------------------------

# about KEY PATCH: the header line of that name
about() {
  sed -n "s/^# $1: //p; /^---/q" "$2"
}

applies() { # applies FILE PATCH
  patch --dry-run --batch --silent --fuzz=2 "$tree/$1" "$2" >/dev/null 2>&1
}

# The file, in the tree, that a patch is for; nothing if there is none, or several.
file_of() {
  local path fits=() file
  path=$(sed -n 's|^+++ b/||p' "$1")
  if [ -f "$tree/$path" ] && applies "$path" "$1"; then
    echo "$path"
    return
  fi
  while read -r file; do
    if applies "$file" "$1"; then fits+=("$file"); fi
  done < <(cd "$tree" && find passes spv-emu harness -type f -name "${path##*/}" | sort)
  [ ${#fits[@]} -ne 1 ] || echo "${fits[0]}"
}

planted=

plant() { # plant FILE PATCH
  planted=$1
  cp "$tree/$1" "$work/original"
  patch --batch --silent --fuzz=2 --no-backup-if-mismatch "$tree/$1" "$2"
}

# The original gets a new time stamp, or ninja would keep the objects of the planted error.
pull_out() {
  [ -n "$planted" ] || return 0
  cp "$work/original" "$tree/$planted"
  planted=
}
trap pull_out EXIT

# ---- building and running ------------------------------------------------------------------------

# Generators that scripts look for were made by the first build.
build_for_tests() {
  local list
  mapfile -t list < <(test_targets "$build" "${tests[@]}" -E "$skip")
  [ ${#list[@]} -eq 0 ] || ninja -C "$build" -j "$jobs" "${list[@]}" >"$work/build.log" 2>&1
}

run_ctest() {
  (ulimit -v $memory && ctest --test-dir "$build" "$@") >"$work/ctest.log" 2>&1
}

# Runs the selected tests up to one that fails twice; `found` is its name, or empty.
run_tests() {
  local name
  found=
  while ! run_ctest "${tests[@]}" -E "$skip" --stop-on-failure -j "$jobs"; do
    name=$(sed -n '1s/^[0-9]*://p' "$build/Testing/Temporary/LastTestsFailed.log")
    if ! run_ctest -R "^$name\$"; then
      found=$name
      return
    fi
    echo "$name failed once only" >&2
    skip="$skip|^$name\$"
  done
}

# ---- the tests without an error ------------------------------------------------------------------

# Keeps, for each state of the sources, the tests that are known to pass.
note_state() {
  local state
  state=$(list_sources | sort -z | grep -zvE "^docs/|^$patches/|^setup.sh" | xargs -0 cat | cksum)
  [ "$state" = "$(head -n 1 "$work/passed" 2>/dev/null)" ] || echo "$state" >"$work/passed"
}

# A test that has found the error means nothing unless it passes without it.
confirm() { # confirm TEST FILE PATCH
  ! grep -qx "$1" "$work/passed" || return 0
  pull_out
  build_for_tests
  if ! run_ctest -R "^$1\$"; then
    echo "$1 fails without any planted error; $work/ctest.log" >&2
    exit 1
  fi
  echo "$1" >>"$work/passed"
  plant "$2" "$3"
}

# ---- the checker ---------------------------------------------------------------------------------

has_checker() {
  "$build/bin/spvreconv" --help | grep -q -- --check
}

# Shaders as glslang and spirv-opt write them, assembly, and random modules of every family.
make_modules() {
  local file n=0
  rm -rf "$modules"
  mkdir -p "$modules"
  for file in "$tree"/shaders/*/*.comp "$tree"/shaders/*/*.frag "$tree"/shaders/*/*.vert; do
    n=$((n + 1))
    glslangValidator -V --target-env vulkan1.3 "$file" -o "$modules/$n.spv" >/dev/null
    spirv-opt -O --target-env=vulkan1.3 "$modules/$n.spv" -o "$modules/$n-opt.spv"
  done
  for file in "$tree"/shaders/*/*.spvasm "$tree"/tests/golden/*/*.spvasm; do
    n=$((n + 1))
    spirv-as --preserve-numeric-ids --target-env spv1.6 "$file" -o "$modules/$n.spv" 2>/dev/null ||
      rm -f "$modules/$n.spv"
  done
  "$build/bin/gen_cases" 280 1 "$modules" >/dev/null
  "$build/bin/test_decorations" --write="$modules" >/dev/null # decorated values, many joins
  mkdir "$modules/twins"                                      # for what merges
  "$build/bin/gen_cases" 250 1 "$modules/twins" twins >/dev/null
  "$build/bin/test_twins" --all="$modules/twins" >/dev/null
  rm -f "$modules"/*.amber "$modules"/twins/*.amber
}

transforms="structurize strip-merges,structurize unstructure:1,structurize
  reconverge strip-merges,reconverge,structurize strip-merges,struct-copy strip-merges,linearize
  strip-merges,guard merge-copies,structurize strip-merges,struct-copy,merge-copies,structurize
  $(tests/pass_lists.sh | awk '$4 != "-" { print $3 }')"

# Does the checker refuse the output of the planted error for some module? Sets `checker`. If not, does the
# verifier between the passes? A transform that crashes or hangs on many modules is not run further.
ask_checker() {
  local module transform status crashes=0 hangs=0 all
  checker=no
  for transform in $transforms; do
    all=("$modules"/*.spv "$modules"/*.spvasm)
    [[ $transform != *merge-copies* ]] || all+=("$modules"/twins/*)
    for module in "${all[@]}"; do
      status=0
      (ulimit -v $memory && timeout -k 1 $module_timeout "$build/bin/spvreconv" --check --no-validate \
        "--transform=$transform" "$module" -o "$work/out.spv" >"$work/check.log" 2>&1) 2>/dev/null ||
        status=$?
      if [ $status -eq 3 ] && grep -q 'check:' "$work/check.log"; then
        checker=yes
        return
      fi
      [ $status -ne 3 ] || checker=verifier
      [ $status -lt 124 ] || crashes=$((crashes + 1))
      [ $status -ne 124 ] || hangs=$((hangs + 1))
      if [ $crashes -ge 20 ]; then
        checker=crash
        [ $hangs -lt $crashes ] || checker=hang
        return
      fi
    done
  done
}

# Sets `checker`: yes, verifier, crash, hang, no, unknown, or - for errors outside passes/, which no checker of
# modules can find.
judge() {
  checker=-
  [[ $1 == passes/* ]] || return 0
  checker=unknown
  $checks || return 0
  ninja -C "$build" -j "$jobs" bin/spvreconv >"$work/build.log" 2>&1 || return 0
  ask_checker
}

# ---- one mutant ----------------------------------------------------------------------------------

store() { # store NAME CLASS FOUND SECONDS CHECKER
  { [ ! -f $results ] || grep -v "^$1," $results || true; } >"$work/results"
  echo "$1,$2,$3,$4,$5" >>"$work/results"
  { echo "mutant,class,found_by,seconds,checker"; grep -v '^mutant,' "$work/results" | sort; } >$results
}

compile() { # compile NAME FILE
  local object=$tree/$2^
  case $2 in
  spv-emu/*.h | spv-emu/*.inc) object=spv_emu_core ;;
  *.h | *.inc | *.def) object=all ;;
  esac
  ninja -C "$build" -j "$jobs" "$object" >"$work/build.log" 2>&1 && return 0
  complain "$1 does not compile:"
  tail -n 20 "$work/build.log" >&2
  return 1
}

# The name of the test that has found the error last, from the table of results; unknown if none.
found_before() { # found_before NAME
  local before
  before=$(awk -F, -v "name=$1" '$1 == name { print $3 "," $4 }' $results)
  echo "${before:-unknown,0}"
}

run_checker() { # run_checker NAME FILE
  local before
  [[ $2 == passes/* ]] || return 0
  judge "$2"
  before=$(found_before "$1")
  store "$1" "$(about class "$patches/$1.patch")" "${before%,*}" "${before#*,}" $checker
  printf '%-32s checker: %s\n' "$1" $checker
}

run_mutant() { # run_mutant NAME FILE TESTS
  local name=$1 patch=$patches/$1.patch stage stages start=$SECONDS seconds
  stages=${MUTANTS_STAGES:-$(stages_of "$2")}
  [ -z "$3" ] || stages=named
  for stage in $stages; do
    select_tests "$stage" "$3"
    if ! build_for_tests; then
      complain "$name: what it needs does not build:"
      tail -n 20 "$work/build.log" >&2
      return
    fi
    run_tests
    [ -z "$found" ] || break
  done
  seconds=$((SECONDS - start))
  [ -z "$found" ] || confirm "$found" "$2" "$patch"
  if [ -n "$3" ] && [[ $2 == passes/* ]]; then checker=unknown; else judge "$2"; fi
  if [ -n "$found" ] && [ -n "$(about equivalent "$patch")" ]; then
    complain "$name is said to be equivalent, and $found finds it"
  elif [ -n "$(about equivalent "$patch")" ]; then
    found=equivalent
  elif [ -z "$found" ]; then
    complain "$name survived: $(about seen "$patch")"
  fi
  [ -n "${MUTANTS_STAGES:-}" ] || store "$name" "$(about class "$patch")" "${found:-survived}" $seconds $checker
  printf '%-32s %-10s %-24s %4d s  checker: %s\n' "$name" "$(about class "$patch")" \
    "${found:-survived}" $seconds $checker
}

take() { # take NAME TESTS
  local patch=$patches/$1.patch file
  if [ ! -f "$patch" ] || [ -z "$(about class "$patch")" ] || [ -z "$(about seen "$patch")" ] ||
    [ "$(grep -c '^+++ ' "$patch")" -ne 1 ]; then
    complain "$1: no such patch, or it lacks its class, what is seen, or its one file"
    return
  fi
  file=$(file_of "$patch")
  if [ -z "$file" ]; then
    complain "$1: the patch does not apply, or to several files"
    return
  fi
  ! $apply_only || return 0
  plant "$file" "$patch"
  if compile "$1" "$file" && ! $compile_only; then
    if $checker_only; then run_checker "$1" "$file"; else run_mutant "$1" "$file" "$2"; fi
  fi
  pull_out
}

# ---- all of it -----------------------------------------------------------------------------------

apply_only=false compile_only=false checker_only=false
case ${1:-} in
--apply) apply_only=true tree=$PWD && shift ;;
--compile) compile_only=true && shift ;;
--checker) checker_only=true && shift ;;
esac
if [ $# -eq 0 ]; then
  for patch in "$patches"/*.patch; do
    name=${patch##*/}
    set -- "$@" "${name%.patch}"
  done
fi

$apply_only || make_copy
if ! $apply_only && ! $compile_only; then
  $checker_only || note_state
  checks=false
  if ! printf '%s\n' "$@" | grep -qv =; then
    : # no error is given to it
  elif has_checker; then
    checks=true
    make_modules
  else
    echo "spvreconv has no --check: what the checker alone finds stays unknown"
  fi
fi
for name; do
  pattern=
  [[ $name != *=* ]] || pattern=${name#*=}
  take "${name%%=*}" "$pattern"
done
if ! $apply_only && ! $compile_only && [ -z "${MUTANTS_STAGES:-}" ]; then
  tests/mutants/table.sh
fi
if $apply_only && [ $errors -eq 0 ]; then
  echo "$# patches apply"
fi
if $compile_only && [ $errors -eq 0 ]; then
  echo "$# patches apply and compile"
fi
[ $errors -eq 0 ]
