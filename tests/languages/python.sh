#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python package: built as an install builds it, its tests and its example.
# Usage: python.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
# shellcheck source=tests/languages/find.sh.inc
. tests/languages/find.sh.inc
find_python || exit 0
build_package "$work/lib"
export PYTHONPATH="$work/lib"
export LIBSPVRECONV="$build/lib/libspvreconv.so" SPV_EMU="$build/bin/spv-emu"
"$python" packaging/python/tests/test_spvreconv.py
quietly "$python" packaging/python/examples/policies.py shaders/irreducible/two_entries.spvasm
grep -Eq '^pdom +[0-9]+ [0-9]+$' "$work/log" || fail "the example prints $(cat "$work/log")"
echo ok
