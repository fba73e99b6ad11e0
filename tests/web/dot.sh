#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The layout of graphs (web/engine) on the graphs of shaders/, as written and after reconverge and structurize; and what it reads.
#
#   tests/web/dot.sh BIN
#
# BIN: the native commands.
set -eu
cd "$(dirname "$0")/../.."
bin=$1
command -v node >/dev/null || {
  echo "skipped: node is not installed"
  exit 0
}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
for module in shaders/*/*.spvasm shaders/switch/*.comp shaders/early-exit/*.comp; do
  name=$(basename "$module")
  "$bin/spvreconv" --transform=reconverge --no-validate "$module" --dump-cfg="$WORK/reconverge-$name.dot" 2>/dev/null
  "$bin/spvreconv" "$module" --dump-cfg="$WORK/auto-$name.dot" 2>/dev/null
  "$bin/spvreconv" --transform=none "$module" --dump-cfg="$WORK/none-$name.dot" 2>/dev/null
done
node tests/web/dot.js "$WORK"/*.dot
