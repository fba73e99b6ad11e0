#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The C++ headers: their test by each compiler, with warnings as errors, as C++17 and C++20, and the example.
# Usage: cxx.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
SPV_EMU=$(realpath "$build")/bin/spv-emu
export SPV_EMU LD_LIBRARY_PATH="$build/lib"

include=$work/include/spvreconv
mkdir -p "$include"
cp passes/include/spvreconv/spvreconv.h packaging/cxx/*.hpp "$include"
in=shaders/irreducible/two_entries.spvasm
arguments='--policy=pdom,opt --dispatch=8,1,1 --buffer=0:0:u32[256]=random:1'
quietly "$build/bin/spvreconv" --structurize "$in" -o "$work/expected.spv"
# shellcheck disable=SC2086 # words on purpose
"$SPV_EMU" --json $arguments "$work/expected.spv" >"$work/emulated.json"

# built SOURCE COMPILER OPTIONS…
built() {
  source=$1
  shift
  quietly "$@" -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$work/include" "$source" -o "$work/program" \
    -L"$build/lib" -lspvreconv
}

for compiler in 'g++ -std=c++17' 'clang++ -std=c++20'; do
  if command -v "${compiler%% *}" >/dev/null; then
    # shellcheck disable=SC2086 # words on purpose
    {
      built packaging/cxx/tests/test_spvreconv.cpp $compiler
      "$work/program" "$in" "$work/expected.spv" "$work/emulated.json" $arguments
    }
  else
    echo "skipped ${compiler%% *}, which is not installed"
  fi
done
built packaging/cxx/examples/policies.cpp c++ -std=c++17
# shellcheck disable=SC2086 # words on purpose
"$work/program" "$work/expected.spv" $arguments >"$work/json" 2>"$work/log"
[ "$(grep -c '"issued"' "$work/json")" = 4 ] || fail "the example prints $(cat "$work/json" "$work/log")"
! "$work/program" "$in" 2>"$work/log" || fail "the example accepts text"
