#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The libraries' symbols: the shared one exports what the header declares and nothing else; the
# static one calls only the functions of the C library that are listed here: no malloc (except as the
# default allocator), no file, no output, no exit.
# Usage: symbols.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc
header=passes/include/spvreconv/spvreconv.h

sed -n '/SPVRECONV_EXPORT [a-z]/,$p' "$header" | grep -o '\<spvreconv_[a-z_]*(' | tr -d '(' |
  sort -u >"$work/declared"
# (in a build for fuzzing the linker exports the counters, too)
nm -D --defined-only "$build/lib/libspvreconv.so" | awk '$NF !~ /___sancov_/ { print $NF }' | sort -u \
  >"$work/exported"
diff "$work/declared" "$work/exported" || fail '< is declared in the header, > is exported'
[ "$(wc -l <"$work/exported")" -gt 15 ]

objdump -p "$build/lib/libspvreconv.so" | grep -q 'SONAME *libspvreconv\.so\.[0-9]*$'

if nm -u "$build/lib/libspvreconv.a" | grep -q __asan; then
  echo "skipped the symbols that are called: sanitizers call further functions"
else
  debug='^$' # with assertions a violated invariant is printed
  nm -u "$build/lib/libspvreconv.a" | grep -q __assert_fail &&
    debug='^open_tree.*:(fprintf|stderr|abort)$'
  # By object: the default allocator is the one that may call realloc and free.
  nm -u "$build/lib/libspvreconv.a" |
    awk '/:$/ { object = $1 } NF == 2 { print object $2 }' |
    grep -Ev ':(sr_|spvreconv_|spv[A-Z])' |
    grep -Ev "$debug" |
    grep -Ev '^arena.*:(realloc|free)$' |
    grep -Ev ':(mem(chr|cmp|cpy|move|set)|bcmp|str(chr|cmp|cspn|len|ncat|ncmp|nlen|rchr|spn|str|toull)|(__isoc23_)?strtoull|v?snprintf|_?setjmp|longjmp|clock_gettime|__ctype_(b|tolower)_loc|bsearch|_GLOBAL_OFFSET_TABLE_|__assert_fail|__stack_chk_fail)$' \
      >"$work/called" || true
  if [ -s "$work/called" ]; then
    fail "the library calls what it should not: $(cat "$work/called")"
  fi
fi
echo ok
