#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python package: built as an install builds it, its tests and its example.
# Usage: python.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
build=$(realpath "$build")

python=
for candidate in python3 /usr/bin/python3; do
  ! "$candidate" -c 'import cffi, setuptools' 2>/dev/null || {
    python=$candidate
    break
  }
done
[ -n "$python" ] || {
  echo "skipped: no Python 3 with cffi and setuptools (apt-get install python3-cffi python3-setuptools)"
  exit 0
}
cp -r packaging/python "$work/source"
export LIBSPVRECONV_HEADER="$PWD/passes/include/spvreconv/spvreconv.h"
(cd "$work/source" && quietly "$python" setup.py build --build-lib "$work/lib")
export PYTHONPATH="$work/lib" PYTHONDONTWRITEBYTECODE=1
export LIBSPVRECONV="$build/lib/libspvreconv.so" SPV_EMU="$build/bin/spv-emu"
"$python" packaging/python/tests/test_spvreconv.py
quietly "$python" packaging/python/examples/policies.py shaders/irreducible/two_entries.spvasm
grep -Eq '^pdom +[0-9]+ [0-9]+$' "$work/log" || fail "the example prints $(cat "$work/log")"
echo ok
