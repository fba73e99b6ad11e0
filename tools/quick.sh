#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The inner loop: builds what changed, and runs the tests that answer soon: unit, golden and command line, and the
# tests of the folders that changed since the branch left main (on main: since the last commit).
#
#   tools/quick.sh BUILD
#
# A folder of spv-emu/ has the tests of tests/emu/ of the same name; harness/ has those of tests/harness/ and
# tests/layer/; each folder of passes/ is covered by the unit and golden tests, and by the random modules that
# property_tests names. A script or a test program that changed runs itself.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source-path=SCRIPTDIR source=test_targets.sh.inc
. tools/test_targets.sh.inc
build=$1
# Each takes more than eight seconds of a processor.
slow='^(shaders|limits|graph|messages|tools_.*)$'

changed() {
  local base=HEAD name
  for name in main origin/main; do
    if git rev-parse --verify --quiet "$name" >/dev/null; then
      base=$(git merge-base HEAD "$name")
      break
    fi
  done
  git diff --name-only "$base"
  git ls-files --others --exclude-standard
}

# The property tests that see an error in a folder of passes/
property_tests() {
  case $1 in
  check | walk) echo check ;;
  best | measure) echo equiv_best ;;
  *) echo equiv ;;
  esac
}

# The names of the tests of the files on standard input, or their labels, as "label NAME"
tests_of() {
  local file folder name
  while IFS= read -r file; do
    IFS=/ read -r _ folder _ <<<"$file"
    name=${file##*/}
    name=${name%.*}
    case $file in
    tests/*/test_*.c) echo "$name" ;;
    tests/emu/*.sh | tests/harness/*.sh | tests/layer/*.sh | tests/tools/*.sh | tests/library/*.sh)
      echo "${folder}_$name"
      ;;
    passes/*/*) property_tests "$folder" ;;
    spv-emu/script/*) echo "label tests_harness" ;;
    spv-emu/*/*) echo "label tests_emu_$folder" ;;
    harness/layer/* | harness/capture/*) echo "label tests_layer" ;;
    harness/*) echo "label tests_harness" ;;
    esac
  done | sort -u
}

# The names on standard input as one regular expression that matches them only
any() {
  echo "^($(paste -s -d '|'))\$"
}

cmake -G Ninja -S . -B "$build" >/dev/null
list=$(changed | tests_of)
selected=$(ctest --test-dir "$build" --show-only=json-v1 |
  jq -r --arg slow "$slow" --arg names "$(grep -v '^label ' <<<"$list" | any)" \
    --arg labels "$(sed -n 's/^label //p' <<<"$list" | any)" '
    def labels: [.properties[] | select(.name == "LABELS").value[]];
    .tests[] | select((.name | test($names)) or any(labels[]; test($labels)) or
                      (any(labels[]; test("^(unit|golden|cli)$")) and (.name | test($slow) | not))).name' | any)
mapfile -t targets < <(test_targets "$build" -R "$selected")
cmake --build "$build" --target bin/spvreconv bin/spv-emu bin/spv-graph bin/spv-harness "${targets[@]}"
ctest --test-dir "$build" --output-on-failure --progress -j "$(nproc)" -R "$selected"
