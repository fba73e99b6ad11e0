// SPDX-License-Identifier: Apache-2.0
/* What a person does on the page, in a browser without a window: pastes, drops, clicks, uses keys; and that the page shows
 * what it should.
 *
 *   node tests/web/page.js URL WORK [PICTURES]
 *
 * WORK: an empty folder. PICTURES: a folder for screenshots. */
"use strict";

const fs = require("fs");
const path = require("path");
const {Browser} = require("./browser.js");

const [url, work, pictures] = process.argv.slice(2);
const top = path.join(__dirname, "../..");
const shader = (name) => fs.readFileSync(path.join(top, "shaders", name), "utf8");
const facts = [];
let b;

function check(what, good) {
  facts.push(good);
  console.log(`${good ? "ok" : "WRONG"} ${what}`);
}

async function checkPage(what, expression) {
  check(what, await b.evaluate(`Boolean(${expression})`).catch((error) => console.log(String(error))));
}

const text = (selector) => `document.querySelector("${selector}").textContent`;
const SELECTED = "code.value.slice(code.selectionStart, code.selectionEnd)";
const finished = () => b.until(`/^(Done|Failed|Cancelled)/.test(${text("#doing")})`);

async function write(source) {
  await b.click("#code");
  await b.evaluate("code.select()");
  await (source ? b.paste(source) : b.type(""));
  await b.until(`document.querySelector("#structure").classList.contains("stale")`);
  await b.until(`!document.querySelector("[role=tabpanel]:not([hidden])").classList.contains("stale") || /Failed/.test(${text("#doing")})`);
}

async function choose(id, value) {
  await b.evaluate(`(() => {
    const field = document.getElementById("${id}");
    field.value = ${JSON.stringify(value)};
    field.dispatchEvent(new Event("change"));
  })()`);
  await finished();
}

async function tab(name) {
  await b.click(`#tab-${name}`);
  await b.until(`document.querySelector("#tab-${name}").getAttribute("aria-selected") === "true"`);
  await finished();
  await b.until(`!document.getElementById("${name}").classList.contains("stale")`);
}

const picture = (name) => pictures ? b.photograph(path.join(pictures, `${name}.png`)) : null;

/* ---- the flows --------------------------------------------------------------------------------- */

const HLSL = `RWStructuredBuffer<uint> data : register(u0);
[numthreads(32, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  uint x = data[id.x];
  while (x > 1) { if (x % 2 == 0) x /= 2; else { x = 3 * x + 1; if (x > 1000) break; } }
  data[id.x] = x;
}
`;

const flows = {
  async "it opens with a broken module: violations, and the module after structurize"() {
    await finished();
    await checkPage("violations are listed", `${text("#structure .violations")}.includes("OpLoopMerge")`);
    await checkPage("the result is structured", `${text("#structure")}.includes("the result is structured")`);
    await checkPage("added lines are marked", `document.querySelectorAll("#structure .new").length > 3`);
    await b.click("#next-change");
    await checkPage("a button shows a change", `document.elementFromPoint(900, document.querySelector("#structure .new").getBoundingClientRect().top + 5).closest(".new")`);
    await picture("change");
    await checkPage("the module is text", `${text("#structure .text")}.includes("OpSelectionMerge")`);
    await checkPage("it has the source's names, and numbers of blocks", `/%work = OpLabel ; %\\d+/.test(${text("#structure .text")})`);
    await b.click(".violations .link");
    await checkPage("a block in a violation selects its line", `/^ *%work = OpLabel$/.test(${SELECTED})`);
    await b.click("#copy");
    await b.until(`${text("#doing")} === "The module is copied."`);
    check("the module is copied", (await b.evaluate("navigator.clipboard.readText()")).includes("%work = OpLabel ; %"));
  },
  async "GLSL is pasted"() {
    await write(shader("loop/mandelbrot.comp"));
    await checkPage("the language is found", `${text("#found")}.startsWith("GLSL, compute")`);
    await checkPage("it is structured already", `${text("#structure .verdict")}.includes("is structured")`);
    await checkPage("nothing changed, so there is no way to a change", `!document.getElementById("next-change") && document.getElementById("copy")`);
    await checkPage("it is no example", `document.getElementById("example").value === ""`);
  },
  async "an error is shown with its line"() {
    await write("#version 450\nlayout(local_size_x = 1) in;\nvoid main() {\n  int i = ;\n}\n");
    await checkPage("the message", `${text("#structure")}.includes("syntax error")`);
    await checkPage("line 4 is marked", `document.querySelector("#gutter b").textContent === "4"`);
    await write("OpCapability Shader\nOpNothing\n");
    await checkPage("so is a line of SPIR-V text", `document.querySelector("#gutter b").textContent === "2"`);
    await write("");
    await checkPage("an empty source is none", `${text("#structure")}.startsWith("Choose")`);
  },
  async "a language that does not fit"() {
    await write(shader("loop/mandelbrot.comp"));
    await choose("language", "spvasm");
    await checkPage("it is refused", `document.querySelector("#structure .wrong")`);
    await b.click("#other-language");
    await b.until(`${text("#structure")}.includes("is structured")`);
    await checkPage("a button corrects it", `${text("#found")}.startsWith("GLSL, compute")`);
  },
  async "HLSL is pasted"() {
    await write(HLSL);
    await checkPage("the language is found", `${text("#found")}.startsWith("HLSL")`);
    await checkPage("it compiles", `${text("#structure .text")}.includes("OpLoopMerge")`);
  },
  async "a binary module is dropped"() {
    await b.drop("#editor", path.join(work, "dropped.spv"));
    await b.until(`code.value.includes("OpEntryPoint")`);
    await finished();
    await checkPage("it is SPIR-V text now", `${text("#found")}.startsWith("SPIR-V text") && document.querySelectorAll("#structure .violations li").length > 0`);
  },
  async "graphs side by side"() {
    await tab("graphs");
    await checkPage("there are two", `document.querySelectorAll("#graphs svg").length === 2`);
    await checkPage("the second has more blocks", `document.querySelectorAll("#graphs figure:last-child .node").length > document.querySelectorAll("#graphs figure:first-child .node").length`);
    await b.click("#graphs .node");
    await checkPage("a click marks a block in both", `document.querySelectorAll("#graphs .node.marked").length === 2`);
    await picture("graphs");
  },
  async "the emulator's schedule by policies"() {
    await choose("example", "0");
    await tab("schedule");
    await b.until(`document.querySelector("#schedule iframe")?.contentDocument?.querySelector("#policy-table tbody tr")`);
    await checkPage("a row for each policy", `document.querySelector("#schedule iframe").contentDocument.querySelectorAll("#policy-table tbody tr").length >= 5`);
    await checkPage("its graph is drawn", `document.querySelector("#schedule iframe").contentDocument.querySelectorAll(".drawing .node").length > 2`);
    await picture("schedule");
  },
  async "SPIR-V text by lines, and its result"() {
    await choose("example", String(await b.evaluate("START")));
    await tab("lines");
    await checkPage("issues of lines", `document.querySelectorAll("#lines tr[style]").length > 10`);
    await b.evaluate('[...document.querySelectorAll("#lines tr")].find((row) => row.textContent.includes("%step = OpLabel")).querySelector("button").click()');
    await checkPage("a click selects the line", `/^ *%step = OpLabel$/.test(${SELECTED})`);
    await choose("runs", "result");
    await checkPage("the result's lines have the source's names", `/%step = OpLabel ; %\\d+/.test(${text("#lines")})`);
    await tab("schedule");
    const table = 'document.querySelector("#schedule iframe")?.contentDocument?.querySelector("#policy-table")';
    await b.until(`${table}?.querySelector("tbody tr")`);
    await checkPage("no policy is skipped", `!/skip/.test(${table}.textContent)`);
    await choose("runs", "source");
    await checkPage("of the source, one is", `/skip/.test(${table}.textContent)`);
  },
  async "the annotated source"() {
    await b.evaluate(`document.getElementById("example").value = String(EXAMPLES.findIndex((e) => e.name.endsWith("bvh.comp")))`);
    await b.evaluate(`document.getElementById("example").dispatchEvent(new Event("change"))`);
    await tab("lines");
    await checkPage("issues of lines", `document.querySelectorAll("#lines tr[style]").length > 10`);
    await b.click("#lines tr[style] button");
    await checkPage("a click selects the line", `document.activeElement === code && code.selectionEnd > code.selectionStart`);
    await picture("lines");
  },
  async "all transforms compared"() {
    await tab("compare");
    await checkPage("a row for each", `document.querySelectorAll("#compare tbody tr").length > 15`);
    await picture("compare");
    await b.evaluate(`[...document.querySelectorAll("#compare button")].find((n) => n.textContent === "linearize").click()`);
    await finished();
    await checkPage("a click chooses the transform", `document.getElementById("transform").value === "linearize"`);
  },
  async "a link has the source and the options in it"() {
    await b.click("#share");
    await b.until("location.hash.startsWith('#s=')");
    const link = await b.evaluate("location.href"), source = await b.evaluate("code.value");
    await b.open(link);
    await b.until("code.value.length > 0");
    await finished();
    check("the source is back", await b.evaluate("code.value") === source);
    await checkPage("the transform and the tab, too", `document.getElementById("transform").value === "linearize" && !document.getElementById("compare").hidden`);
  },
  async "keys"() {
    await b.evaluate('document.querySelector("#tab-compare").focus()');
    await b.press("ArrowRight");
    await checkPage("an arrow goes to the next tab", `document.activeElement.id === "tab-structure"`);
    await finished();
    await b.press("2", 1, "Digit2");
    await checkPage("Alt+2 shows the graphs", `!document.getElementById("graphs").hidden`);
    await finished();
    await b.press("1", 1, "Digit1");
    await finished();
    await b.press("Enter", 2);
    await finished();
    await checkPage("Ctrl+Enter runs", `${text("#doing")}.startsWith("Done")`);
  },
  async "a long run is cancelled"() {
    await write(`#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint v[]; };\nvoid main() {\n  uint x = v[gl_GlobalInvocationID.x];\n  for (uint i = 0; i < 100000000u; i++) x = x * 1664525u + i;\n  v[gl_GlobalInvocationID.x] = x;\n}\n`);
    await b.click("#tab-schedule");
    await b.until(`/issues/.test(${text("#doing")}) || /^Done/.test(${text("#doing")})`);
    await checkPage("there is progress", `/issues/.test(${text("#doing")})`);
    await b.press("Escape");
    await b.until(`${text("#doing")} === "Cancelled."`, 5);
    await tab("structure");
    await checkPage("the next run works", `${text("#structure .text")}.includes("OpFunction")`);
  },
  async "a shader of 1,000 lines"() {
    const body = Array.from({length: 122}, (_, i) => `  // ${i}\n  if (x % ${i + 2}u == 0u) {\n    x += ${i}u;\n  } else {\n    for (uint k = 0; k < (x & 3u); k++)\n      if (k == 2u) break;\n      else x ^= k + ${i}u;\n  }`).join("\n");
    await write(`#version 450\nlayout(local_size_x = 32) in;\nlayout(binding = 0) buffer B { uint v[]; };\nvoid main() {\n  uint x = v[gl_GlobalInvocationID.x];\n${body}\n  v[gl_GlobalInvocationID.x] = x;\n}\n`);
    const seconds = await b.evaluate(`Number(/in ([\\d.]+) s/.exec(${text("#doing")})[1])`), lines = await b.evaluate("code.value.split('\\n').length");
    console.log(`   ${lines} lines: ${seconds} s`);
    await checkPage("the whole module is there", `document.querySelectorAll("#structure .text span").length > 5000`);
    await checkPage("only lines near the window are coloured", `document.querySelectorAll("#structure .text b").length < 1000`);
  },
  async "narrow and dark"() {
    for (const [width, height, dark, name] of [[1400, 900, false, "wide"], [1400, 900, true, "wide-dark"], [800, 1000, false, "middle"],
      [400, 850, false, "phone"], [400, 850, true, "phone-dark"]]) {
      await b.size(width, height, dark);
      await b.open(url);
      await finished();
      await checkPage(`${name}: nothing is wider than the window`, "document.documentElement.scrollWidth <= innerWidth");
      await picture(name);
    }
    await b.evaluate('document.getElementById("results").scrollIntoView()');
    await b.click("#tab-graphs");
    await finished();
    await picture("phone-graphs");
  },
};

(async () => {
  b = new Browser(work);
  await b.start();
  await b.allowClipboard();
  await b.size(1400, 900);
  await b.open(url);
  for (const [name, flow] of Object.entries(flows)) {
    console.log(name);
    await flow().catch((error) => check(`${name}: ${error.message}`, false));
  }
  for (const error of b.errors) check(`no error of the page: ${error}`, false);
  await b.stop();
  process.exitCode = facts.length > 30 && facts.every(Boolean) ? 0 : 1;
})();
