// SPDX-License-Identifier: Apache-2.0
/* page: the tabs, and when they are drawn. A change of the source or an option makes all of them stale; the one that is shown
 * is drawn again at once, the others when they are shown. */
"use strict";

const TABS = {structure: showStructure, graphs: showGraphs, schedule: showSchedule, lines: showLines, compare: showCompare};
const PAUSE = 400; // milliseconds after a key
const at = (id) => document.getElementById(id);
const stale = new Set(Object.keys(TABS));
let shown = "structure", running = 0, pause = 0;

/* ---- what is run ------------------------------------------------------------------------------- */

function inputNow() {
  const name = sourceName();
  return {name, files: {[name]: code.value}, transform: at("transform").value.trim() || "none", lanes: Number(at("lanes").value), policies: at("policies").value, runs: at("runs").value};
}

function stateNow() {
  return {source: code.value, language: at("language").value, transform: at("transform").value, lanes: at("lanes").value, policies: at("policies").value, runs: at("runs").value, tab: shown};
}

function tell(text, busy) {
  at("doing").textContent = text;
  at("results").classList.toggle("busy", busy);
  at("bar").hidden = !busy;
  at("cancel").hidden = !busy;
  at("results").setAttribute("aria-busy", String(busy));
}

/* Draws the tab that is shown, if it is stale. */
async function drawShown() {
  const tab = shown, panel = at(tab), turn = ++running, start = performance.now();
  clearTimeout(pause);
  if (!stale.has(tab)) return;
  cancelAll();
  if (!code.value.trim()) {
    panel.replaceChildren(element("p", {class: "note"}, "Choose an example, or write, paste or drop a shader."));
    panel.classList.remove("stale");
    tell("", false);
    return;
  }
  const run = (what, command, args, files) => {
    tell(`${sentence(what)} …`, true);
    return runInWorker(command, args, files, (line) => { if (turn === running) tell(line, true); });
  };
  try {
    const messages = await TABS[tab](panel, inputNow(), run, chooseTransform);
    if (turn !== running) return;
    stale.delete(tab);
    panel.classList.remove("stale");
    markLines(messages);
    tell(`Done in ${((performance.now() - start) / 1000).toFixed(2)} s.`, false);
  } catch (error) {
    if (turn !== running) return;
    if (error instanceof Refused) {
      panel.replaceChildren(refusal(error.result));
      panel.classList.remove("stale");
      markLines(error.message);
    }
    tell(error instanceof Cancelled ? "Cancelled." : error instanceof Refused ? "Done: the source is refused." : `Failed: ${error.message}`, false);
  }
}

function changed(wait) {
  clearTimeout(pause);
  for (const tab of Object.keys(TABS)) {
    stale.add(tab);
    at(tab).classList.add("stale");
  }
  at("found").textContent = code.value.trim() ? `${NAMES[chosenLanguage()]}${at("language").value ? "" : " (detected)"}, ${plural(code.value.split("\n").length, "line")}.` : "";
  if (wait) pause = setTimeout(drawShown, PAUSE);
  else drawShown();
}

function chooseTransform(name) {
  at("transform").value = name;
  changed(false);
}

/* ---- tabs -------------------------------------------------------------------------------------- */

function show(tab) {
  shown = tab;
  for (const name of Object.keys(TABS)) {
    const button = at(`tab-${name}`);
    button.setAttribute("aria-selected", String(name === tab));
    button.tabIndex = name === tab ? 0 : -1;
    at(name).hidden = name !== tab;
  }
  drawShown();
}

function startTabs() {
  const names = Object.keys(TABS);
  for (const name of names) at(`tab-${name}`).addEventListener("click", () => show(name));
  at("tabs").addEventListener("keydown", (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key], end = {Home: names[0], End: names[names.length - 1]}[event.key];
    if (!step && !end) return;
    event.preventDefault();
    show(end || names[(names.indexOf(shown) + step + names.length) % names.length]);
    at(`tab-${shown}`).focus();
  });
}

/* ---- files, links, examples -------------------------------------------------------------------- */

async function openFile(file) {
  const content = new Uint8Array(await file.arrayBuffer()), suffix = /\.(\w+)$/.exec(file.name);
  const binary = content.length >= 4 && [0x07230203, 0x03022307].includes(new DataView(content.buffer).getUint32(0, true));
  at("example").value = "";
  if (!binary) {
    setSource(new TextDecoder().decode(content), suffix && SUFFIXES[suffix[1]] ? suffix[1] : "");
    changed(false);
    return;
  }
  tell("Reading the module …", true);
  const result = await runInWorker("spvreconv", ["--transform=none", "--no-validate", "dropped.spv", "-o", "dropped.spvasm"], {"dropped.spv": content}, () => {});
  const text = result.files["dropped.spvasm"];
  tell(text ? "" : result.stderr.trim(), false);
  if (!text) return;
  setSource(new TextDecoder().decode(text), "spvasm");
  changed(false);
}

function takeState(state) {
  setSource(state.source || "", state.language);
  for (const key of ["transform", "lanes", "policies", "runs"]) if (state[key]) at(key).value = state[key];
  if (TABS[state.tab]) show(state.tab);
}

async function share() {
  const fragment = await packState(stateNow());
  history.replaceState(null, "", fragment);
  const link = location.href;
  let copied = true;
  await navigator.clipboard.writeText(link).catch(() => { copied = false; });
  tell(copied ? `The link is copied: ${count(link.length)} characters.` : "The link is in the address bar.", false);
}

function startExamples() {
  const groups = new Map();
  at("example").append(element("option", {value: ""}, "choose …"));
  EXAMPLES.forEach((example, i) => {
    const [theme] = example.name.split("/");
    if (!groups.has(theme)) {
      groups.set(theme, element("optgroup", {label: theme}));
      at("example").append(groups.get(theme));
    }
    groups.get(theme).append(element("option", {value: String(i)}, example.name.split("/")[1]));
  });
  at("example").addEventListener("change", () => {
    const example = EXAMPLES[Number(at("example").value)];
    if (!at("example").value) return;
    setSource(example.text, /\.(\w+)$/.exec(example.name)[1]);
    changed(false);
  });
}

function startKeys() {
  document.addEventListener("keydown", (event) => {
    const names = Object.keys(TABS), digit = /^Digit([1-5])$/.exec(event.code);
    if (event.ctrlKey && event.key === "Enter") changed(false);
    else if (event.key === "Escape") cancelAll();
    else if (event.altKey && digit) show(names[digit[1] - 1]);
    else return;
    event.preventDefault();
  });
}

async function start() {
  startEngine();
  startTheme(() => { if (!stale.has("schedule")) {
    stale.add("schedule");
    if (shown === "schedule") drawShown();
  } });
  startEditor(() => {
    at("example").value = ""; // and can be chosen again
    changed(true);
  }, openFile);
  startTabs();
  startExamples();
  startKeys();
  for (const id of ["language", "transform", "lanes", "policies", "runs"]) at(id).addEventListener("change", () => changed(false));
  at("run").addEventListener("click", () => changed(false));
  at("cancel").addEventListener("click", cancelAll);
  at("share").addEventListener("click", share);
  window.addEventListener("hashchange", async () => {
    const state = await unpackState(location.hash);
    if (state) takeState(state);
    if (state) changed(false);
  });
  const state = await unpackState(location.hash);
  if (state) takeState(state);
  else takeState({source: EXAMPLES[START].text, language: /\.(\w+)$/.exec(EXAMPLES[START].name)[1]});
  if (!state) at("example").value = String(START);
  changed(false);
}

start();
