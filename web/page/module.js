// SPDX-License-Identifier: Apache-2.0
/* module: the module of the source. GLSL and HLSL are compiled once, for all tabs: glslang takes longer than the rest. */
"use strict";

class Refused extends Error {
  constructor(result) {
    super(result.stderr.trim());
    this.result = result;
  }
}

let lastModule = {};

function textOf(result, name) {
  return result.files[name] ? new TextDecoder().decode(result.files[name]) : "";
}

/* The module as text, with numbers as ids. */
async function moduleText(input, run) {
  const source = input.files[input.name];
  if (lastModule.name === input.name && lastModule.source === source) return lastModule.text;
  const what = input.name.endsWith(".spvasm") ? "reading the module" : "compiling";
  const result = await run(what, "spvreconv", ["--transform=none", "--no-validate", input.name, "-o", "module.spvasm"], input.files);
  const text = textOf(result, "module.spvasm");
  if (!text) throw new Refused(result);
  lastModule = {name: input.name, source, text};
  return text;
}

/* What commands read in place of the source: {name, files}. SPIR-V text is read as it is, since it has names. */
async function moduleOf(input, run) {
  if (input.name.endsWith(".spvasm")) return input;
  return {name: "module.spvasm", files: {"module.spvasm": await moduleText(input, run)}};
}
