#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every case of shaders/ on the installed lavapipe, after its graph was mangled and made structured again: prints a row of
# docs/consumers.md for each kind of list. Exit status 1: a variant crashed or differs that
# tests/harness/known_failures.txt does not have.
#
#   tests/consumers/mesa.sh BUILD [CASE...]
#
# ./setup.sh consumers runs it in the chroot of Debian 13, whose driver is Mesa 25.
set -eu
cd "$(dirname "$0")/../.."
build=$1
shift
[ $# -gt 0 ] || set -- shaders
driver=$("$build/bin/spv-harness" list-devices | sed -n 's/^lavapipe .*llvmpipe \(Mesa [0-9.]*\)[^(]* (\(LLVM [0-9.]*\)).*/\1, \2/p')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v driver="${driver%,*}" '$2 == "lavapipe" && index($0, driver) { print $3 ", " $4 ": " $1 }' \
  tests/harness/known_failures.txt >"$work/known"
[ -s "$work/known" ] || echo none >"$work/known"
status=0

# seeds LIST: unstructure:1,LIST+ … +unstructure:8,LIST
seeds() {
  for seed in 1 2 3 4 5 6 7 8; do
    printf '%sunstructure:%s,%s' "$([ $seed = 1 ] || echo +)" $seed "$1"
  done
}

# row NAME LISTS CASE...: what the driver does with these variants
row() {
  name=$1 lists=$2
  shift 2
  "$build/bin/spv-harness" run --json --device=lavapipe --timeout=900 --transform="$lists" "$@" >"$work/run" 2>/dev/null || true
  jq -r --arg row "| lavapipe ($driver) | \`$name\` |" '
    [.results[] | select(.outcome | IN("skip", "same") | not) | select(.variant != "none" or .outcome != "invalid")] as $ran |
    [$ran[] | select(.outcome != "pass")] as $bad |
    [$ran[] | select(.variant != "none") | .case] as $changed |
    $row + " \($changed | unique | length) | \($changed | length) | \([$bad[] | select(.outcome == "crash")] | length) | " +
      "\([$bad[] | select(.outcome != "crash")] | length) |",
    ($bad[] | "\(.case), \(.variant): \(.outcome)")' "$work/run" >"$work/rows"
  head -n 1 "$work/rows"
  sed 1d "$work/rows" | grep -vFf "$work/known" >"$work/bad" || true
  [ ! -s "$work/bad" ] || {
    sed 's/^/mesa: /' "$work/bad" >&2
    status=1
  }
}

echo '| Driver | Transforms | Cases | Modules | Crashes | Other differences |'
echo '| --- | --- | ---: | ---: | ---: | ---: |'
row 'unstructure:1 to :8, structurize' "none+$(seeds structurize)" "$@"
row 'unstructure:1 to :8, undispatch, structurize' "none+$(seeds undispatch,structurize)" "$@"
row 'best' none+best "$@"
exit $status
