#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What debian/ says is so: its version, the symbols of the library, and that the commands pass the tests that an installed
# package passes; with --lintian, which takes ten seconds, also that lintian has no errors for the source package.
# Usage: debian.sh BUILD-DIRECTORY [--lintian]
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
build=$(realpath "$build")

version=$(sed -n 's/^#define SPVRECONV_VERSION "\(.*\)"/\1/p' passes/include/spvreconv/spvreconv.h)
soname=libspvreconv${version%%.*}
[ "$(dpkg-parsechangelog -S Version)" = "$version" ] || fail 'debian/changelog has another version'
grep -q "^Package: $soname$" debian/control || fail "debian/control has no $soname"

# Every exported symbol is in the file, and none that is in the file is missing.
if command -v dpkg-gensymbols >/dev/null; then
  quietly dpkg-gensymbols -c4 "-v$version" "-p$soname" "-e$build/lib/libspvreconv.so" "-I$PWD/debian/$soname.symbols" \
    "-O$work/symbols"
else
  echo 'skipped the symbols: dpkg-gensymbols is not installed (apt-get install dpkg-dev)'
fi

if [ -x "$build/bin/spv-harness" ]; then
  quietly env PATH="$build/bin:$PATH" debian/tests/commands
else
  echo 'skipped the commands: spv-harness is not built'
fi

if [ "${2-}" = --lintian ] && ! command -v lintian >/dev/null; then
  echo 'skipped lintian, which is not installed'
elif [ "${2-}" = --lintian ]; then
  mkdir "$work/spvreconv-$version"
  git ls-files -z | xargs -0 cp --parents -t "$work/spvreconv-$version"
  cd "$work"
  quietly dpkg-source -Zgzip -z1 -b "spvreconv-$version"
  quietly lintian --fail-on error "spvreconv_$version.dsc"
fi
echo ok
