#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs of docs/languages.md: each has at most twenty lines and prints what the page says.
# Usage: docs.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
# shellcheck source=tests/languages/find.sh.inc
. tests/languages/find.sh.inc
export SPV_EMU="$build/bin/spv-emu" LIBSPVRECONV="$build/lib/libspvreconv.so" LIBSPVRECONV_DIR="$build/lib" \
  LD_LIBRARY_PATH="$build/lib"
page=docs/languages.md
quietly "$build/bin/spvreconv" --transform=none shaders/irreducible/two_entries.spvasm -o "$work/two_entries.spv"
sed -n '/^    pdom /,/^$/s/^    //p' "$page" >"$work/known"
[ "$(wc -l <"$work/known")" = 2 ] || fail "$page has no output"

# program LANGUAGE FILE: writes it from the page
program() {
  mkdir -p "$(dirname "$work/$2")"
  sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/!p}" "$page" >"$work/$2"
  lines=$(grep -c . "$work/$2") || fail "$page has no $1"
  [ "$lines" -le 20 ] || fail "$page: $1 has $lines lines"
}

# prints LANGUAGE COMMAND…
prints() {
  language=$1
  shift
  (cd "$work" && "$@" >printed 2>log) || fail "$language: $(cat "$work/log")"
  diff "$work/known" "$work/printed" || fail "$page, $language: < is in the page, > is printed"
}

program python structure.py
if find_python; then
  build_package "$work/lib"
  PYTHONPATH=$work/lib prints Python "$python" structure.py
  "$SPV_EMU" --policy=maximal --buffers=auto "$work/structured.spv" >"$work/log" 2>&1 || fail 'structured.spv is not a module'
fi

program cpp structure.cpp
mkdir -p "$work/include/spvreconv"
cp passes/include/spvreconv/spvreconv.h packaging/cxx/*.hpp "$work/include/spvreconv"
quietly c++ -std=c++17 -Wall -Wextra -Werror -I"$work/include" "$work/structure.cpp" -o "$work/structure" \
  -L"$build/lib" -lspvreconv
prints C++ ./structure

program rust rust/spvreconv/examples/structure.rs
if find_cargo; then
  cp -r packaging/rust "$work"
  (cd "$work/rust" && quietly cargo build --quiet --example structure)
  prints Rust "$CARGO_TARGET_DIR/debug/examples/structure"
fi

program js structure.js
if [ -d build-web/package ]; then
  mkdir "$work/node_modules"
  ln -s "$PWD/build-web/package" "$work/node_modules/spvreconv"
  prints JavaScript node structure.js
else
  echo "skipped JavaScript: the package is not built (./setup.sh web)"
fi
echo ok
