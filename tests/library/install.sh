#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An install into an empty prefix: the example, built from it alone, once with pkg-config and once with
# find_package, writes the same module as the command line. Then the tree is moved, and the same is done
# with the static library.
# Usage: install.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc

# there FILE…: the files are in the prefix
there() {
  for file; do
    [ -e "$prefix/$file" ] || fail "no $file"
  done
}

sanitize=
nm -u "$build/lib/libspvreconv.a" | grep -q __asan && sanitize='-fsanitize=address,undefined'
prefix=$work/first
quietly cmake --install "$build" --prefix "$prefix"
lib=$(cd "$prefix" && find lib -name libspvreconv.so -printf '%h\n')
there bin/spvreconv bin/spv-emu bin/spv-harness include/spvreconv/spvreconv.h "$lib/libspvreconv.a" \
  "$lib/pkgconfig/spvreconv.pc" "$lib/cmake/spvreconv/spvreconvConfig.cmake" \
  share/doc/spvreconv/README.md
# The installed pages have their pictures, and the pages that they name.
find "$prefix/share/doc/spvreconv" -name '*.md' | while read -r page; do
  grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' |
    grep -vE '^[a-z]*:|\.\./(tests|shaders|passes|spv-emu|harness|tools|third_party|examples|packaging|web|CONTRIBUTING)|^(passes|third_party|examples|packaging|web|CONTRIBUTING)' |
    while read -r link; do
      [ -e "$(dirname "$page")/$link" ] || fail "installed $page: $link is missing"
    done
done
named=$(grep -rlFI -e "$work" -e "$PWD" "$prefix" || true)
[ -z "$named" ] || fail "folders of this machine are named in $named"

in=$work/in.spv
quietly spirv-as --preserve-numeric-ids shaders/irreducible/two_entries.spvasm -o "$in"
quietly "$prefix/bin/spvreconv" --transform=structurize "$in" -o "$work/expected.spv"

# same PROGRAM: it writes the same module as spvreconv
same() {
  rm -f "$work/out.spv"
  quietly env LD_LIBRARY_PATH="$prefix/$lib" ASAN_OPTIONS=detect_leaks=0 "$1" "$in" "$work/out.spv"
  cmp "$work/expected.spv" "$work/out.spv" || fail "$1 writes another module"
}

# by_pkg_config OPTIONS FLAGS…
by_pkg_config() {
  export PKG_CONFIG_PATH="$prefix/$lib/pkgconfig"
  options=$1
  shift
  # shellcheck disable=SC2046,SC2086 # words on purpose
  quietly cc -std=c99 -Wall -Wextra -Wpedantic -Werror $sanitize "$@" -o "$work/example" \
    "$prefix/share/spvreconv/examples/structurize/structurize.c" \
    $(pkg-config --cflags --libs $options spvreconv)
  same "$work/example"
}

# by_find_package FOLDER
by_find_package() {
  rm -rf "$work/by-cmake"
  quietly cmake -S "$1" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$sanitize"
  quietly cmake --build "$work/by-cmake"
  same "$work/by-cmake/structurize"
}

# host PROGRAM: it starts, and finds the library
host() {
  ! LD_LIBRARY_PATH="$prefix/$lib" "$1" 2>"$work/log" || fail "$1 without arguments"
  grep -q 'arguments are MODULE.spv' "$work/log" || fail "$(cat "$work/log")"
}

by_pkg_config ''
by_find_package "$prefix/share/spvreconv/examples/structurize"
# The host of kernels, by its makefile and its CMakeLists.txt
cp -r "$prefix/share/spvreconv/examples/kernel" "$work/kernel"
quietly make -C "$work/kernel" CFLAGS="-std=c99 -Wall -Wextra -Wpedantic -Werror $sanitize"
host "$work/kernel/run_kernel"
quietly cmake -S "$work/kernel" -B "$work/kernel/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$sanitize"
quietly cmake --build "$work/kernel/build"
host "$work/kernel/build/run_kernel"

mv "$prefix" "$work/moved"
prefix=$work/moved
by_pkg_config ''
[ -n "$sanitize" ] || by_pkg_config --static -static
by_find_package "$prefix/share/spvreconv/examples/structurize"
cp -r "$prefix/share/spvreconv/examples/structurize" "$work/static"
sed -i 's/0.1 REQUIRED/0.1 REQUIRED COMPONENTS static/; s/spvreconv::spvreconv)/spvreconv::spvreconv_static)/' \
  "$work/static/CMakeLists.txt"
by_find_package "$work/static"
! ldd "$work/by-cmake/structurize" | grep -q libspvreconv || fail "not linked statically"

# An unknown transform: a line on standard error, and nothing written.
rm -f "$work/out.spv"
! env LD_LIBRARY_PATH="$prefix/$lib" "$work/example" "$in" "$work/out.spv" polish 2>"$work/log" || fail "polish"
grep -q "unknown transform 'polish'" "$work/log" || fail "$(cat "$work/log")"
[ ! -e "$work/out.spv" ] || fail "written on failure"

# The header is valid C++, too.
echo '#include <spvreconv/spvreconv.h>' >"$work/header.cc"
quietly c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" "$work/header.cc"
echo ok
