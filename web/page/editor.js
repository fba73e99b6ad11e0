// SPDX-License-Identifier: Apache-2.0
/* editor: the source, its line numbers and its language. */
"use strict";

const SUFFIXES = {comp: ".comp", frag: ".frag", vert: ".vert", hlsl: ".hlsl", spvasm: ".spvasm", amber: ".amber"};
const NAMES = {comp: "GLSL, compute", frag: "GLSL, fragment", vert: "GLSL, vertex", hlsl: "HLSL", spvasm: "SPIR-V text", amber: "AmberScript"};

const code = document.getElementById("code"), gutter = document.getElementById("gutter");
let wrongLines = new Set(), languageByHand = false;

function languageOf(text) {
  if (/^#!amber/.test(text)) return "amber";
  if (/^\s*(;|%[\w.]+\s*=\s*Op|Op[A-Z])/.test(text)) return "spvasm";
  if (/\[numthreads\s*\(|:\s*SV_\w+|\b(RW)?(Structured|ByteAddress)?Buffer\s*<|\bcbuffer\b/.test(text)) return "hlsl";
  if (/\blocal_size_[xyz]\b|\bgl_(Global|Local)InvocationI/.test(text)) return "comp";
  return /\bgl_Position\b/.test(text) ? "vert" : "frag";
}

function chosenLanguage() {
  return document.getElementById("language").value || languageOf(code.value);
}

/* If the language that was chosen is not the one that the source seems to be in: a button for that one. */
function otherLanguage() {
  const chosen = document.getElementById("language"), seems = languageOf(code.value);
  if (!chosen.value || chosen.value === seems) return [];
  const choose = element("button", {type: "button", id: "other-language"}, `Read it as ${NAMES[seems]}`);
  choose.addEventListener("click", () => {
    chosen.value = "";
    chosen.dispatchEvent(new Event("change"));
  });
  return [choose];
}

function sourceName() {
  return `shader${SUFFIXES[chosenLanguage()]}`;
}

/* Numbers the lines; those with an error are marked. */
function drawGutter() {
  const lines = code.value.split("\n").length;
  gutter.innerHTML = Array.from({length: lines}, (_, i) => wrongLines.has(i + 1) ? `<b>${i + 1}</b>` : String(i + 1)).join("\n");
  gutter.scrollTop = code.scrollTop;
}

/* Lines that messages name, as "shader.comp:12:", "shader.spvasm: line 12," or "(line 12)" */
function markLines(text) {
  wrongLines = new Set([...text.matchAll(/shader\.\w+:(\d+)|shader\.\w+: line (\d+)|\(line (\d+)\)/g)].map((m) => Number(m[1] || m[2] || m[3])));
  drawGutter();
}

function selectLine(line) {
  const lines = code.value.split("\n"), start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  code.focus();
  code.setSelectionRange(start, start + (lines[line - 1] || "").length);
  const height = code.scrollHeight / lines.length;
  code.scrollTop = Math.max(0, (line - 6) * height);
}

function setSource(text, language) {
  code.value = text.replace(/\r\n?/g, "\n");
  document.getElementById("language").value = language || "";
  languageByHand = false;
  code.scrollTop = 0;
  wrongLines = new Set();
  drawGutter();
}

/* `changed` is called after each change, `opened` with a file that was chosen or dropped. A change that replaces the whole source
 * may be in another language: that of the former one no longer holds, unless it was chosen by hand. */
function startEditor(changed, opened) {
  const editor = document.getElementById("editor"), file = document.getElementById("file");
  const language = document.getElementById("language");
  let whole = false;
  language.addEventListener("change", () => { languageByHand = language.value !== ""; });
  code.addEventListener("beforeinput", () => { whole = code.selectionEnd - code.selectionStart === code.value.length; });
  code.addEventListener("input", () => {
    if (whole && !languageByHand) language.value = "";
    drawGutter();
    changed();
  });
  code.addEventListener("scroll", () => { gutter.scrollTop = code.scrollTop; });
  document.getElementById("open").addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    if (file.files[0]) opened(file.files[0]);
    file.value = "";
  });
  for (const name of ["dragover", "dragleave", "drop"])
    document.addEventListener(name, (event) => {
      event.preventDefault();
      editor.classList.toggle("drop", name === "dragover");
      if (name === "drop" && event.dataTransfer.files[0]) opened(event.dataTransfer.files[0]);
    });
  drawGutter();
}
