#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packaging/ci: its files are YAML without findings of yamllint, every command in them is a shell's, and what
# spvreconv-check does on a folder with a structured module, with a violation, and with a finding of --lint.
# Usage: ci.sh BUILD
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$1/bin:$PATH
check=packaging/ci/spvreconv-check/check.sh

fail() {
  echo "FAILED: $*"
  exit 1
}

# expect CODE ARGUMENT...: of check.sh
expect() {
  code=$1 status=0
  shift
  "$check" "$@" >"$work/out" 2>&1 || status=$?
  [ "$status" = "$code" ] || fail "check.sh $*: $status, not $code: $(cat "$work/out")"
}

mkdir "$work/good" "$work/bad" "$work/lint" "$work/empty"
bad=tests/golden/structurize/acceleration_structure.spvasm
spvreconv "$bad" -o "$work/good/module.spv" 2>/dev/null
cp "$bad" "$work/bad"
cp shaders/*/waterfall.comp "$work/lint"
expect 0 "$work/good" spirv note ""
expect 1 "$work/bad" spirv note ""
grep -q 'acceleration_structure.*violation' "$work/out" || fail "the violation is not named"
expect 0 "$work/lint" spirv note "$work/lint.sarif"
grep -q '"2.1.0"' "$work/lint.sarif" || fail "no SARIF"
expect 1 "$work/lint" spirv error ""
expect 0 "$work/lint" spirv off ""
expect 2 "$work/empty" spirv note ""
expect 2 "$work/good" other note ""

if command -v yamllint >/dev/null; then
  yamllint -s -d '{extends: default, rules: {line-length: {max: 130}, document-start: disable}}' packaging/ci ||
    fail "yamllint"
else
  echo "skipped the format of packaging/ci: yamllint is not installed"
fi
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
  /usr/bin/python3 - packaging/ci/workflow.yml packaging/ci/spvreconv-check/action.yml >"$work/commands.sh" <<'END_PYTHON'
import re, sys, yaml
print("#!/bin/bash")
for path in sys.argv[1:]:
    tree = yaml.safe_load(open(path))
    jobs = tree["jobs"].values() if "jobs" in tree else [tree["runs"]]
    for job in jobs:
        assert "runs-on" in job or job.get("using") == "composite", path
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), (path, step)
            print("(\n" + re.sub(r"\$\{\{.*?\}\}", "value", step.get("run", ":")) + "\n)")
END_PYTHON
  bash -n "$work/commands.sh" || fail "a command is not a shell's"
fi
