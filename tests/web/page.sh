#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of ./setup.sh web in a browser without a window, as files and from a server; it refers to nothing outside of its
# folder.
#
#   tests/web/page.sh SITE BIN [PICTURES]
#
# PICTURES: a folder for screenshots. Run by ./setup.sh web and test-long.
set -eu
cd "$(dirname "$0")/../.."
site=$(realpath "$1") bin=$2
WORK=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$WORK"' EXIT
fail() {
  echo "FAIL page: $*" >&2
  exit 1
}
MOST=300000
# shellcheck source-path=SCRIPTDIR source=../page.sh.inc
. tests/page.sh.inc

sed -E 's/<script src="(engine|examples)\.js">//' "$site/index.html" >"$WORK/alone.html"
alone "$WORK/alone.html"
mkdir "$WORK/files" "$WORK/served"
for folder in files served; do
  "$bin/spvreconv" --transform=none --no-validate shaders/irreducible/state_machine.spvasm -o "$WORK/$folder/dropped.spv"
done
node tests/web/page.js "file://$site/index.html" "$WORK/files" ${3:+"$(realpath "$3")"} || fail "as files"
node tests/web/serve.js "$site" >"$WORK/port" &
server=$!
while [ ! -s "$WORK/port" ]; do sleep 0.1; done
node tests/web/page.js "http://127.0.0.1:$(cat "$WORK/port")/index.html" "$WORK/served" || fail "from a server"
