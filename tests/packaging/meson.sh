#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library by Meson has the version and the sources of the one by CMake; with --build it is compiled, as a subproject, and
# a program linked with it writes what the command writes.
# Usage: meson.sh BUILD-DIRECTORY [--build]
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
build=$(realpath "$build")
command -v meson >/dev/null || {
  echo 'skipped: meson is not installed (apt-get install meson)'
  exit 0
}

mkdir -p "$work/program/subprojects"
ln -s "$PWD" "$work/program/subprojects/spvreconv"
cp examples/structurize/structurize.c "$work/program"
cat >"$work/program/meson.build" <<'END'
project('program', 'c')
spvreconv = dependency('spvreconv', fallback: ['spvreconv', 'spvreconv_dep'])
executable('structurize', 'structurize.c', dependencies: spvreconv)
END
quietly meson setup "$work/build" "$work/program" -Dspvreconv:werror=true
version=$(sed -n 's/^#define SPVRECONV_VERSION "\(.*\)"/\1/p' passes/include/spvreconv/spvreconv.h)
grep -qF "spvreconv $version" "$work/log" || grep -qF "Project version: $version" "$work/log" ||
  fail "another version: $(cat "$work/log")"
# sources FOLDER: those in passes/ that are compiled there
sources() {
  sed -n 's|^ *"file": ".*/\(passes/[^"]*\.c\)".*|\1|p' "$1/compile_commands.json" | grep -v '^passes/\(cli\|tool\)/' |
    sort -u
}
sources "$build" >"$work/cmake"
sources "$work/build" >"$work/meson"
[ "$(wc -l <"$work/cmake")" -gt 200 ] || fail "$build/compile_commands.json has no sources"
diff "$work/cmake" "$work/meson" || fail '< only CMake compiles this, > only Meson'

if [ "${2-}" = --build ]; then
  quietly ninja -C "$work/build"
  quietly "$build/bin/spvreconv" --transform=none shaders/irreducible/two_entries.spvasm -o "$work/in.spv"
  quietly "$build/bin/spvreconv" --structurize "$work/in.spv" -o "$work/expected.spv"
  quietly "$work/build/structurize" "$work/in.spv" "$work/out.spv"
  cmp "$work/expected.spv" "$work/out.spv" || fail 'the program writes another module'
fi
echo ok
