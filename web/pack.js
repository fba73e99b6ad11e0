// SPDX-License-Identifier: Apache-2.0
/* pack: joins what was built and written into the two things that are given away.
 *
 *   node web/pack.js BUILD LICENSES SITE PACKAGE
 *
 * BUILD has spvreconv-web.js, spvreconv-web.wasm and spvreconv-node.js. SITE: the page, a folder of static files. PACKAGE: the
 * folder of the npm package. */
"use strict";

const fs = require("fs");
const path = require("path");

const [build, licenses, site, packed] = process.argv.slice(2);
const top = path.join(__dirname, "..");
const read = (...parts) => fs.readFileSync(path.join(top, ...parts), "utf8");
const join = (folder, names) => names.map((name) => read(folder, name)).join("\n");

const version = /^#define SPVRECONV_VERSION "(.*)"/m.exec(read("passes/include/spvreconv/spvreconv.h"))[1];
const engine = join("web/engine", ["dot_parse.js", "dot_layout.js", "dot_draw.js", "run.js"]);
const glue = fs.readFileSync(path.join(build, "spvreconv-web.js"), "utf8");
const wasm = fs.readFileSync(path.join(build, "spvreconv-web.wasm"));
const notices = fs.readdirSync(licenses).sort().map((name) =>
  `==== ${name} ====\n\n${fs.readFileSync(path.join(licenses, name), "utf8")}`).join("\n\n");

/* ---- the page ---------------------------------------------------------------------------------- */

/* Shaders of shaders/ that can be read in one file, by theme. */
function examples() {
  const list = [];
  for (const theme of fs.readdirSync(path.join(top, "shaders")).sort()) {
    const folder = path.join(top, "shaders", theme);
    if (!fs.statSync(folder).isDirectory()) continue;
    for (const name of fs.readdirSync(folder).sort())
      if (/\.(comp|frag|vert|spvasm)$/.test(name)) list.push({name: `${theme}/${name}`, text: read("shaders", theme, name)});
  }
  return list;
}

function fill(template, values) {
  return template.replace(/\{\{(\w+)\}\}/g, (all, name) => values[name]);
}

function writeSite() {
  const shaders = examples(), first = shaders.findIndex((s) => s.name === "early-exit/goto_error.spvasm");
  const scripts = read("spv-emu/report/page/base.js") + join("web/page", ["editor.js", "client.js", "share.js", "module.js", "assembly.js", "show_structure.js",
    "show_graphs.js", "show_schedule.js", "show_lines.js", "show_compare.js", "page.js"]);
  const style = join("spv-emu/report/page", ["base.css", "drawing.css"]) + read("web/page/page.css");
  fs.mkdirSync(site, {recursive: true});
  fs.writeFileSync(path.join(site, "index.html"), fill(read("web/page/index.html"), {style, script: scripts, version}));
  fs.writeFileSync(path.join(site, "engine.js"), `const ENGINE = ${JSON.stringify({script: [glue, engine, read("web/page/worker.js")].join("\n"),
    wasm: wasm.toString("base64")})};\n`);
  fs.writeFileSync(path.join(site, "examples.js"), `const EXAMPLES = ${JSON.stringify(shaders)}, START = ${first};\n`);
  fs.writeFileSync(path.join(site, "licenses.txt"), `${read("LICENSE")}\n${notices}`);
}

/* ---- the package ------------------------------------------------------------------------------- */

function writePackage() {
  fs.rmSync(packed, {recursive: true, force: true});
  fs.cpSync(path.join(top, "packaging/npm"), packed, {recursive: true});
  fs.rmSync(path.join(packed, "package.json.in"));
  fs.writeFileSync(path.join(packed, "package.json"), read("packaging/npm/package.json.in").replace("@VERSION@", version));
  const lib = path.join(packed, "lib");
  fs.writeFileSync(path.join(lib, "engine.js"), `${engine}\nmodule.exports = {dotDraw, preparedMemory, runCommand};\n`);
  fs.writeFileSync(path.join(lib, "spvreconv.wasm"), wasm);
  for (const name of ["spvreconv-web.js", "spvreconv-node.js"]) fs.copyFileSync(path.join(build, name), path.join(lib, name));
  fs.copyFileSync(path.join(top, "LICENSE"), path.join(packed, "LICENSE"));
  fs.writeFileSync(path.join(packed, "licenses.txt"), notices);
}

writeSite();
writePackage();
