#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Errors that are planted by program (tests/mutants/random.sh): where, which, and that each runs if it is chosen;
# that each patch applies; and the figures on planted errors in the documents.
# Usage: mutants.sh BUILD-DIRECTORY
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}

cat >"$work/shape.h" <<'END'
/* the kinds: enum { NO_NAME, OF_A_COMMENT } */
enum Shape { ROUND, SQUARE = 4, /* with corners */ FLAT };
END
cat >"$work/shape.c" <<'END'
/* if (a < b) in a comment of the first column
 * or if (b && c) after it. */
typedef enum Size { SMALL_ONE, LARGE_ONE } Size;
static const int table[] = {SQUARE + 1, 2};

static int area(int width, int height, const char *name[2],
                int (*shape)(int a, int b)) {
  int n = 0; /* while (n > 1) */
  if (width < height && *name[0] != '<')
    n = width - 1;
  assert(n < 10);
  switch (n) {
  case ROUND:
    return 1;
  }
  return shape(width, height) > 2 ? ROUND : SQUARE;
}
END

# ---- where, and which ----

awk -f tests/mutants/enums.awk "$work/shape.h" "$work/shape.c" >"$work/enums"
printf 'ROUND SQUARE FLAT\nSMALL_ONE LARGE_ONE\n' | diff "$work/enums" - || fail "the names of enums"
awk -v enums="$work/enums" -f tests/mutants/places.awk "$work/shape.c" | cut -f 2- | sed 's/\t */ /g' >"$work/places"
cat >"$work/expected" <<'END'
9 negate if (!(width < height && *name[0] != '<'))
9 relation if (width <= height && *name[0] != '<')
9 logic if (width < height || *name[0] != '<')
9 relation if (width < height && *name[0] == '<')
10 one n = width;
10 delete ;
14 value return 0;
16 arguments return shape(height, width) > 2 ? ROUND : SQUARE;
16 relation return shape(width, height) >= 2 ? ROUND : SQUARE;
16 value return shape(width, height) > 2 ? SQUARE : ROUND;
16 constant return shape(width, height) > 2 ? SQUARE : SQUARE;
16 constant return shape(width, height) > 2 ? ROUND : ROUND;
END
diff "$work/expected" "$work/places" || fail "the errors of each line"

# ---- a choice of lines ----

choose() {
  awk -v enums="$work/enums" -f tests/mutants/places.awk "$work/shape.c" | awk -v seed="$1" -f tests/mutants/choose.awk
}
choose 1 >"$work/first"
choose 1 | cmp -s - "$work/first" || fail "a seed does not choose the same errors again"
[ "$(cut -f 2 "$work/first" | sort -n | tr '\n' ' ')" = "9 10 14 16 " ] || fail "not each line once: $(cat "$work/first")"
for seed in 2 3 4 5 6 7 8 9; do choose $seed; done | sort -u >"$work/many"
[ "$(wc -l <"$work/many")" -ge 9 ] || fail "few errors with many seeds: $(cat "$work/many")"

# ---- all in one program ----

cat >"$work/program.c" <<'END'
#include <stdio.h>
int sum(int a, int b);
static int (*const chosen)(int a, int b) = sum;
int sum(int a, int b) {
  return a + b;
}
static void print(int (*f)(int a, int b), const int (*values)[2],
                  const char *text[]) {
  printf("%s %d\n", text[0], f((*values)[0], (*values)[1]));
}
int main(void) {
  const char *text[] = {"sum"};
  print(chosen, &(const int[2]){3, 4}, text);
  return 0;
}
END
printf '5\t7\t  return a - b;\n9\t8\t  ;\n5\t9\t  return a;\n' >"$work/errors"
awk -v errors="$work/errors" -v header="$PWD/tests/mutants/guard.h" -f tests/mutants/guard.awk \
  "$work/program.c" >"$work/planted.c"
cc -Wall -Wextra -Wno-unused-parameter -Werror "$work/planted.c" -o "$work/planted"
said=$(for number in 0 7 8 9; do SR_PLANTED=$number "$work/planted"; done | tr '\n' ',')
[ "$said" = "sum 7,sum -1,sum 3," ] || fail "the planted errors say $said"
head -c 4096 /dev/zero >"$work/reached"
SR_REACHED=$work/reached "$work/planted" >"$work/said"
[ "$(cat "$work/said")" = "sum 7" ] || fail "what is reached changes what runs"
[ "$(od -An -v -t u1 -w1 "$work/reached" | awk '$1 { print NR - 1 }' | tr '\n' ' ')" = "7 8 9 " ] ||
  fail "not all functions with errors are reached"
awk -v errors=/dev/null -v header=guard.h -f tests/mutants/guard.awk "$work/shape.c" | tail -n +2 | cmp - "$work/shape.c"

# ---- figures ----

tests/mutants/table.sh --check || fail "figures of planted errors"
tail -n +2 tests/mutants/results.csv | while IFS=, read -r name _; do
  [ -f "tests/mutants/$name.patch" ] || fail "results.csv has $name, of which there is no patch"
done

# ---- patches ----

tests/mutants/run.sh --apply >"$work/said" 2>&1 || fail "planted errors: $(cat "$work/said")"
grep -qx "$(printf '%s\n' tests/mutants/*.patch | wc -l) patches apply" "$work/said" || fail "--apply says $(cat "$work/said")"
if tests/mutants/run.sh --apply nothing >"$work/said" 2>&1; then fail "there is an error called nothing"; fi
grep -q '^nothing: no such patch' "$work/said" || fail "--apply nothing says $(cat "$work/said")"

# ---- arguments ----

for bad in 0 1000 3:x x; do
  if tests/mutants/run.sh --random=$bad >"$work/said" 2>&1; then fail "--random=$bad is taken"; fi
  grep -q 'expected --random=COUNT' "$work/said" || fail "--random=$bad says $(cat "$work/said")"
done
if tests/mutants/run.sh --random docs >"$work/said" 2>&1; then fail "docs/ has sources"; fi
grep -q 'lies below: docs' "$work/said" || fail "--random docs says $(cat "$work/said")"
