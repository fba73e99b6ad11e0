#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/pass_lists.sh and tests/equiv/pass_lists.c read the same lists from the table of transforms, each of which is run.
# (kernel-to-shader changes how arguments are passed: tests/harness/kernels.sh runs it.)
#
#   tests/equiv/pass_lists.sh SPVRECONV TEST_KEPT
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests/pass_lists.sh | cut -d' ' -f2,3 >"$work/script"
"$2" --lists >"$work/program"
diff "$work/script" "$work/program"
"$1" --help | awk '/^Transforms/ { t = 1; next } t && /^$/ { t = 0 } t { print $1 }' >"$work/help"
tests/pass_lists.sh | awk -v help="$work/help" '
  { has[$1] = 1 }
  END { while ((getline name < help) > 0) { n++; if (!has[name] && name != "none" && name != "kernel-to-shader") { print "no test runs " name; bad = 1 } }
        exit bad || n < 2 }'
