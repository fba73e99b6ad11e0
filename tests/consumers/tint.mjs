// SPDX-License-Identifier: Apache-2.0
// Tint as a reader of modules: writes each one as WGSL, which naga reads again and writes as SPIR-V.
//
//   node tint.mjs FOLDER_OF_TINT FOLDER_OF_NAGA_WASM OUT MODULE.spv...
//
// A line of CSV for each module: NAME,tint-wgsl,taken, or NAME,tint-wgsl,refused,CAUSE. What it wrote is in
// OUT/tint-wgsl/NAME.wgsl and NAME.spv. Tint prints its errors, then a text all the same; an assertion that fails leaves
// an instance of WebAssembly unusable. So each module gets a new one.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { wgslForVulkan } from "./naga_vulkan.mjs";

const [folder, nagaFolder, out, ...files] = process.argv.slice(2);
const script = readFileSync(`${folder}/assets/twgsl/twgsl.js`, "utf8");
const wasmBinary = readFileSync(`${folder}/assets/twgsl/twgsl.wasm`);

// The script is written for a page: its `Module` starts an instance, and no handler of this process is replaced.
globalThis.self = globalThis;
const start = new Function("process", "module", "exports", "define", `${script}\nreturn Module;`)({ versions: {}, argv: [], on() {} });

function newInstance(print) {
  return new Promise((resolve) => {
    start({ wasmBinary, print, printErr: print, onRuntimeInitialized() { resolve(this); } });
  });
}

const naga = await import(pathToFileURL(`${nagaFolder}/dist/wasm/naga.js`).href);
naga.initSync({ module: new WebAssembly.Module(readFileSync(`${nagaFolder}/dist/wasm/naga_bg.wasm`)) });

// Not errors: that code after a return is never run, and the rules of uniformity, which WGSL has and SPIR-V has not.
const harmless = /^$|code is unreachable|warning/;

// This version of Tint gives the cases of a switch the type i32 if the selector is a variable of its WGSL, as each phi is.
// So each selector is replaced by (selector | selector), a value, which hides this error: the others show.
const OpBitwiseOr = 197, OpSelectionMerge = 247, OpSwitch = 251;
const hasType = (op) => [55, 57, 61, 81, 83, 245].includes(op) || (op >= 124 && op <= 205);

function copySelectors(bytes) {
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const types = new Map(), out = [...words.subarray(0, 5)];
  let lastMerge = 0; // where the last merge instruction lies in `out`
  for (let at = 5; at < words.length; at += words[at] >>> 16) {
    const op = words[at] & 0xffff;
    if (hasType(op)) types.set(words[at + 2], words[at + 1]);
    if (op === OpSelectionMerge) lastMerge = out.length;
    const instruction = words.slice(at, at + (words[at] >>> 16));
    if (op === OpSwitch && types.has(instruction[1])) {
      out.splice(lastMerge, 0, (5 << 16) | OpBitwiseOr, types.get(instruction[1]), out[3], instruction[1], instruction[1]);
      instruction[1] = out[3]++;
    }
    out.push(...instruction);
  }
  return new Uint8Array(new Uint32Array(out).buffer);
}

// The WGSL that Tint writes; throws its first error.
async function toWgsl(module) {
  const printed = [];
  const tint = await newInstance((line) => printed.push(line));
  let wgsl = "";
  tint._return_string_callback = (at, size) => {
    wgsl = Buffer.from(tint.HEAPU8.subarray(at, at + size)).toString();
  };
  const at = tint._malloc(module.length);
  tint.HEAPU8.set(module, at);
  try {
    tint._spirv_to_wgsl(at, module.length);
  } catch (error) {
    throw new Error(`assertion: ${printed[0] ?? error.message}`);
  }
  const errors = printed.filter((line) => !harmless.test(line));
  if (errors.length || !wgsl) throw new Error(errors[0] ?? "no text");
  return wgsl;
}

async function translate(file) {
  const name = basename(file, ".spv");
  try {
    const wgsl = await toWgsl(copySelectors(readFileSync(file)));
    mkdirSync(`${out}/tint-wgsl`, { recursive: true });
    writeFileSync(`${out}/tint-wgsl/${name}.wgsl`, wgsl);
    writeFileSync(`${out}/tint-wgsl/${name}.spv`, wgslForVulkan(naga, wgsl));
    return `${name},tint-wgsl,taken,`;
  } catch (error) {
    return `${name},tint-wgsl,refused,"${String(error.message ?? error).split("\n")[0].replace(/"/g, "'")}"`;
  }
}

for (const file of files) console.log(await translate(file));
