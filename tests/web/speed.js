// SPDX-License-Identifier: Apache-2.0
/* speed: processor time of the commands in WebAssembly, once Node has compiled them, and of the native ones, in milliseconds.
 *
 *   node tests/web/speed.js PACKAGE BIN
 *
 * PACKAGE: the npm package, unpacked (build-web/package); BIN: the native commands. Each figure is the least of five runs. */
"use strict";

const {spawnSync} = require("child_process"), fs = require("fs"), os = require("os"), path = require("path");

const [lib, bin] = [path.resolve(process.argv[2], "lib"), path.resolve(process.argv[3])];
const {runCommand} = require(path.join(lib, "engine.js")), factory = require(path.join(lib, "spvreconv-web.js"));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "speed-"));

/* A compute shader of 1,004 lines: 200 loops, each with a way out. */
function longShader() {
  const loops = Array.from({length: 200}, (_, i) =>
    `  for (uint i = 0u; i < n; i++) {\n    v = v * ${2 * i + 3}u + i;\n    if ((v & ${i + 1}u) == 0u)\n      break;\n  }\n`);
  return "#version 450\nlayout(set = 0, binding = 0) buffer B { uint v; uint n; };\nvoid main() {\n" + loops.join("") + "}\n";
}

function cases() {
  const shader = longShader(), from = {"long.comp": shader};
  fs.writeFileSync(path.join(work, "long.comp"), shader);
  const made = spawnSync(path.join(bin, "spvreconv"), ["--transform=strip-merges", "--no-validate", "long.comp", "-o", "long.spv"], {cwd: work});
  if (made.status !== 0) throw new Error(String(made.stderr));
  const mandelbrot = fs.readFileSync("shaders/bench/mandelbrot.amber", "utf8");
  fs.writeFileSync(path.join(work, "mandelbrot.amber"), mandelbrot);
  return [
    ["spvreconv", ["--transform=strip-merges,structurize", "long.comp", "-o", "out.spv"], from],
    ["spvreconv", ["--structurize", "long.spv", "-o", "out.spv"], {"long.spv": fs.readFileSync(path.join(work, "long.spv"))}],
    ["spv-emu", ["mandelbrot.amber"], {"mandelbrot.amber": mandelbrot}],
  ];
}

/* What bash says of the processor time of a program that it starts. */
function native(command, args) {
  const run = spawnSync("bash", ["-c", 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1', "bash", path.join(bin, command), ...args],
    {cwd: work, encoding: "utf8"});
  if (run.status !== 0) throw new Error(`${command}: status ${run.status}`);
  return run.stderr.trim().split(" ").reduce((sum, seconds) => sum + 1000 * seconds, 0);
}

function wasm(module, command, args, files) {
  const before = process.cpuUsage(), run = runCommand(factory, module, command, args, files), {user, system} = process.cpuUsage(before);
  if (run.status !== 0) throw new Error(`${command}: ${run.stderr}`);
  return (user + system) / 1000;
}

function least(measure) {
  return Math.min(...Array.from({length: 5}, measure));
}

const module_ = new WebAssembly.Module(fs.readFileSync(path.join(lib, "spvreconv.wasm")));
for (const [command, args, files] of cases()) {
  const a = least(() => native(command, args)), b = least(() => wasm(module_, command, args, files));
  console.log(`${command} ${args.join(" ")}: native ${a.toFixed(0)} ms, WebAssembly ${b.toFixed(0)} ms, ${(b / a).toFixed(1)} times`);
}
fs.rmSync(work, {recursive: true});
