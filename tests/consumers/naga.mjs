// SPDX-License-Identifier: Apache-2.0
// naga as a reader of modules: parses and validates each one and writes it as SPIR-V, WGSL (which it reads again), MSL
// and HLSL.
//
//   node naga.mjs FOLDER_OF_NAGA_WASM OUT MODULE.spv...
//
// A line of CSV for each module and language: NAME,naga-LANGUAGE,taken, or NAME,naga-LANGUAGE,refused,CAUSE. What it
// wrote is in OUT/naga-LANGUAGE/NAME.*; of SPIR-V and WGSL a module, NAME.spv. A panic leaves an instance of
// WebAssembly unusable, so the next module gets a new one.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { wgslForVulkan, writeForVulkan } from "./naga_vulkan.mjs";

const [folder, out, ...files] = process.argv.slice(2);
const script = pathToFileURL(`${folder}/dist/wasm/naga.js`).href;
const compiled = new WebAssembly.Module(readFileSync(`${folder}/dist/wasm/naga_bg.wasm`));

let instances = 0;
async function newInstance() {
  const naga = await import(`${script}?${instances++}`);
  naga.initSync({ module: compiled });
  return naga;
}

// Each gives the files of its language by their suffix.
const writers = {
  spirv: (naga, module, info) => ({ spv: writeForVulkan(naga, module, info) }),
  wgsl: (naga, module, info) => {
    const wgsl = naga.writeWgsl(module, info);
    return { wgsl, spv: wgslForVulkan(naga, wgsl) };
  },
  msl: (naga, module, info) => ({ metal: naga.writeMsl(module, info, { langVersion: [3, 0] }) }),
  hlsl: (naga, module, info) => ({ hlsl: naga.writeHlsl(module, info, { shaderModel: "6_0" }) }),
};

// naga's report names the error first, then places, then causes: without the places, in one line.
function cause(error) {
  return String(error?.message ?? error)
    .split("\n")
    .map((line) => line.replace(/^[\s=│┌─]*(error: )?/, "").trim())
    .filter((line) => line && !/^(wgsl|spv)?:?\d/.test(line))
    .join("; ")
    .replace(/"/g, "'");
}

let naga = await newInstance();

async function translate(file, language) {
  const name = basename(file, ".spv");
  const write = `${out}/naga-${language}`;
  try {
    const module = naga.parseSpirv(readFileSync(file));
    const texts = writers[language](naga, module, naga.validate(module));
    mkdirSync(write, { recursive: true });
    for (const suffix in texts) writeFileSync(`${write}/${name}.${suffix}`, texts[suffix]);
    module.free();
    return `${name},naga-${language},taken,`;
  } catch (error) {
    const panic = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    if (panic) naga = await newInstance();
    return `${name},naga-${language},refused,"${panic ? "panic: " : ""}${cause(error)}"`;
  }
}

for (const file of files) for (const language in writers) console.log(await translate(file, language));
