// SPDX-License-Identifier: Apache-2.0
/* spvreconv: the commands as functions; see index.d.ts. Each call runs a command in memory, with no access to files. */
"use strict";

const {runCommand} = require("./lib/engine.js");
const compiled = require("./lib/compiled.js");
const factory = require("./lib/spvreconv-web.js");
const {version} = require("./package.json");

class SpvreconvError extends Error {
  constructor(result) {
    super(result.stderr.trim() || `exit status ${result.status}`);
    this.name = "SpvreconvError";
    this.status = result.status;
    this.stderr = result.stderr;
  }
}

function run(command, args, files) {
  const result = runCommand(factory, compiled(), command, args, files);
  return {...result, stdout: new TextDecoder().decode(result.stdout)};
}

/* An input as a file: {name, content}. */
function fileOf(input) {
  if (typeof input === "string") return {name: /^#!amber/.test(input) ? "input.amber" : "input.spvasm", content: input};
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input)) return {name: "input.spv", content: input};
  return input;
}

function wordsOf(bytes) {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/* Runs a command that prints JSON; an exit status other than 0 is an error only if it prints none. */
function report(command, input, options) {
  const {name, content} = fileOf(input);
  const result = run(command, [...options, "--json", name], {[name]: content});
  if (!result.stdout.trim()) throw new SpvreconvError(result);
  return {result, report: JSON.parse(result.stdout)};
}

function transform(input, list = "auto", options = []) {
  const made = report("spvreconv", input, [`--transform=${list}`, ...options, "-o", "output.spv"]);
  if (made.result.status !== 0 || !made.result.files["output.spv"]) throw new SpvreconvError(made.result);
  return {words: wordsOf(made.result.files["output.spv"]), report: made.report};
}

function structurize(input, options = []) {
  return transform(input, "structurize", options).words;
}

function explain(input, options = []) {
  return report("spvreconv", input, ["--explain", ...options]).report;
}

function emulate(input, options = []) {
  return report("spv-emu", input, options).report;
}

function assembly(input) {
  const {name, content} = fileOf(input);
  const result = run("spvreconv", ["--transform=none", "--no-validate", name, "-o", "output.spvasm"], {[name]: content});
  if (!result.files["output.spvasm"]) throw new SpvreconvError(result);
  return new TextDecoder().decode(result.files["output.spvasm"]);
}

module.exports = {version, run, transform, structurize, explain, emulate, assembly, SpvreconvError};
