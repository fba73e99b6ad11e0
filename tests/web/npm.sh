#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The npm package, installed into an empty folder: on modules of modules.txt the commands and the functions give the bytes, the
# JSON, the messages and the exit codes of the native commands; with the options, files and pipes of the command line.
#
#   tests/web/npm.sh TARBALL BIN
#
# BIN: the native commands. Run by ./setup.sh web and test-long.
set -eu
cd "$(dirname "$0")/../.."
tarball=$(realpath "$1") bin=$(realpath "$2")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
fail() {
  echo "FAIL npm: $*" >&2
  exit 1
}

[ "$(wc -c <"$tarball")" -lt 6000000 ] || fail "the package has $(wc -c <"$tarball") bytes"
mkdir "$WORK/app" "$WORK/native" "$WORK/wasm"
echo '{"private": true}' >"$WORK/app/package.json"
(cd "$WORK/app" && npm install --offline --no-audit --no-fund --silent "$tarball") || fail "npm does not install it"
node=$WORK/app/node_modules/.bin

# both NAME ARGUMENT...: runs the command natively and as JavaScript, each in a folder of its own, and compares what it printed,
# its exit status and the files that it wrote
both() {
  name=$1
  shift
  for side in native wasm; do
    from=$bin
    [ $side = native ] || from=$node
    status=0
    (cd "$WORK/$side" && "$from/$name" "$@" >out 2>err) || status=$?
    echo "$status" >"$WORK/$side/status"
    sed -i 's/"milliseconds": [0-9.e-]*/"milliseconds": 0/' "$WORK/$side/out"
  done
  diff -r "$WORK/native" "$WORK/wasm" >"$WORK/diff" || fail "$name $*: $(head -n 10 "$WORK/diff")"
  rm -f "$WORK"/native/* "$WORK"/wasm/*
}

shaders=$PWD/shaders
while read -r module; do
  case $module in
  *.amber) ;;
  *)
    both spvreconv --structurize "$shaders/$module" -o out.spv
    both spvreconv --check --json --transform=reconverge,structurize "$shaders/$module" -o out.spvasm
    both spvreconv --explain "$shaders/$module"
    ;;
  esac
  both spv-emu --policy=all --json --subgroup-size=16 "$shaders/$module"
done <tests/web/modules.txt

both spvreconv --structurize no-such-file.spv -o out.spv
both spvreconv --no-such-option
both spv-emu --annotate "$shaders/early-exit/bvh.comp"
both spv-graph --help
SPVRECONV_CHECK=2 both spvreconv "$shaders/irreducible/two_entries.spvasm"

"$bin/spvreconv" --structurize "$shaders/irreducible/two_entries.spvasm" -o "$WORK/native.spv"
"$node/spvreconv" --structurize - -o - <"$shaders/irreducible/two_entries.spvasm" | cmp - "$WORK/native.spv" || fail "pipes"
[ "$(stat -c %a "$WORK/native.spv")" = 644 ] || fail "the test expects umask 022"
"$node/spvreconv" --structurize "$WORK/native.spv" -o "$WORK/wasm.spv"
cmp "$WORK/wasm.spv" "$WORK/native.spv" || fail "files"
[ "$(stat -c %a "$WORK/wasm.spv")" = 644 ] || fail "a file's mode is $(stat -c %a "$WORK/wasm.spv")"
"$node/spvreconv" "$shaders/switch/interpreter.comp" --dump-cfg="$WORK/graph.svg" || fail "a picture"
[ "$(grep -c 'class="node"' "$WORK/graph.svg")" -gt 10 ] || fail "a picture without blocks"
(umask 077 && "$node/spvreconv" --structurize "$WORK/native.spv" -o "$WORK/private.spv")
[ "$(stat -c %a "$WORK/private.spv")" = 600 ] || fail "a private file's mode is $(stat -c %a "$WORK/private.spv")"

# Several inputs: refused in one line.
for several in "spvreconv --stats $shaders/switch $shaders/loop" "spvreconv --explain $shaders/switch" "spv-emu $shaders/loop"; do
  status=0
  # shellcheck disable=SC2086 # words
  "$node"/$several >"$WORK/out" 2>"$WORK/err" || status=$?
  [ "$status $(cat "$WORK/out" "$WORK/err")" = \
    "2 ${several%% *}: several inputs, or a folder: in WebAssembly each run reads one; name one file" ] ||
    fail "$several: $status, $(cat "$WORK/out" "$WORK/err")"
done

cp "$shaders/switch/interpreter.comp" "$WORK/shader.comp"
(cd "$WORK" && "$bin/spv-emu" --json --policy=all shader.comp >native.json 2>/dev/null)
cat >"$WORK/app/use.js" <<'END'
const assert = require("assert"), fs = require("fs"), spvreconv = require("spvreconv");
const [shaders, work] = process.argv.slice(2);
const source = fs.readFileSync(`${shaders}/irreducible/two_entries.spvasm`, "utf8");
const words = spvreconv.structurize(source);
assert.deepStrictEqual(Buffer.from(words.buffer), fs.readFileSync(`${work}/native.spv`));
assert.strictEqual(spvreconv.explain(source).structured, false);
assert.strictEqual(spvreconv.explain(words).structured, true);
assert.match(spvreconv.assembly(words), /OpLoopMerge/);
const shader = {name: "shader.comp", content: fs.readFileSync(`${shaders}/switch/interpreter.comp`, "utf8")};
const native = JSON.parse(fs.readFileSync(`${work}/native.json`));
assert.deepStrictEqual(spvreconv.emulate(shader, ["--policy=all"]).results, native.results);
const {report} = spvreconv.transform(source, "reconverge", ["--no-validate"]);
assert.strictEqual(report.functions[0].after.reconverging, true);
assert.throws(() => spvreconv.structurize("OpNonsense"), spvreconv.SpvreconvError);
assert.strictEqual(spvreconv.run("spv-emu", ["--no-such-option"]).status, 2);
// A run that begins with prepared memory, as on the page, does what one without does, and takes less time.
const lib = `${require.resolve("spvreconv")}/../lib`, {preparedMemory, runCommand} = require(`${lib}/engine.js`);
const engine = [require(`${lib}/spvreconv-web.js`), require(`${lib}/compiled.js`)()], memory = preparedMemory(...engine);
for (const [command, ...args] of [["spvreconv", "--structurize", shader.name, "-o", "out.spvasm"], ["spv-emu", "--annotate", shader.name],
  ["spvreconv", "--no-such-option"], ["spv-graph", "--help"]]) {
  const [plain, prepared] = [null, memory].map((start) => {
    const before = process.cpuUsage(), result = runCommand(...engine, command, args, {[shader.name]: shader.content}, start);
    return {result, time: process.cpuUsage(before).user};
  });
  assert.deepStrictEqual(prepared.result, plain.result);
  if (args[0] === "--structurize") assert.ok(prepared.time < plain.time, `${prepared.time} of ${plain.time} us`);
}
assert.strictEqual(process.listenerCount("uncaughtException"), 0);
END
node "$WORK/app/use.js" "$shaders" "$WORK" || fail "the functions"
echo "npm: $(wc -l <tests/web/modules.txt) modules alike"
