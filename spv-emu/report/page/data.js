// SPDX-License-Identifier: Apache-2.0
/* data: the data that spv-emu wrote into the page (report_page_data.h): programs, runs of them, and keys.

   A key is a block wherever it occurs: programs of several variants have the same key for a block with the
   same function, label, file and line, or else the same function, file and line, or function and label if only one of
   them has a line. Where their sources differ, lines that match (match.js) are the same. Marks, colours and comparisons are by key. The last key stands for the instructions that
   policies add. */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const results = data.report.results;
const programs = data.programs;
const runs = data.runs;

/* ---- runs -------------------------------------------------------------------------------------- */

const DRAWS = results.some((r) => r.helper_instructions !== undefined); // only draws have helper lanes
const HAS_VARIANTS = results.some((r) => r.variant !== undefined);

function resultOf(run) {
  return results[run.result];
}

function programOf(run) {
  return programs[run.program];
}

/* Runs of all dispatches of a program, in table order. */
function wholeRuns() {
  return runs.filter((run) => run.dispatch === null);
}

/* A result's name: what is compared, and the policy. */
function resultName(r) {
  return r.variant === undefined ? r.policy : `${r.variant} (${r.policy})`;
}

const SEVERAL_PIPELINES = new Set(programs.map((p) => p.pipeline)).size > 1;

function fullName(run) {
  const parts = [resultName(resultOf(run))];
  if (SEVERAL_PIPELINES) parts.push(`pipeline ${programOf(run).pipeline}`);
  if (run.dispatch !== null) parts.push(`dispatch ${run.dispatch}`);
  return parts.join(", ");
}

/* What tells a run apart from `other`: without what both have. */
function nameBeside(run, other) {
  const [r, o] = [resultOf(run), resultOf(other)], parts = [];
  if (r.variant !== o.variant) parts.push(r.variant);
  if (r.policy !== o.policy) parts.push(r.policy);
  if (programOf(run).pipeline !== programOf(other).pipeline) parts.push(`pipeline ${programOf(run).pipeline}`);
  if (run.dispatch !== other.dispatch) parts.push(run.dispatch === null ? "all dispatches" : `dispatch ${run.dispatch}`);
  return parts.length ? parts.join(", ") : fullName(run);
}

/* The runs of single dispatches of the same program under the same policy. */
function dispatchesOf(run) {
  return runs.filter((r) => r.dispatch !== null && r.result === run.result && r.program === run.program);
}

/* The schedules of a run: those of a whole run's first dispatch are not repeated. */
function subgroupsOf(run) {
  if (run.subgroups.length || run.dispatch === null) return run.subgroups;
  const whole = runs.find((r) => r.dispatch === null && r.result === run.result && r.program === run.program);
  return whole.scheduled === run.dispatch ? whole.subgroups : run.subgroups;
}

/* ---- listings ---------------------------------------------------------------------------------- */

function listingOf(program) {
  return typeof program.listing === "number" ? programs[program.listing].listing : program.listing;
}

function shorten(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/* ---- keys -------------------------------------------------------------------------------------- */

const keys = []; // {fn, label, file, line (of the first program), blocks: by program, the block's index}
const keyOfBlock = programs.map(() => []); // by program and block

function addKeys(program, at) {
  const used = new Set(), waiting = [];
  const take = (block, key) => {
    used.add(key);
    key.blocks[at] = block;
    keyOfBlock[at][block] = keys.indexOf(key);
  };
  const same = new Map(keys.map((key) => [`${key.pipeline} ${key.fn} ${key.label} ${key.line} ${key.file}`, key]));
  const placeOf = placesInFirst(at);
  program.blocks.forEach(([fn, label, ownLine, ownFile], block) => {
    const {file, line} = placeOf(ownFile, ownLine);
    const key = same.get(`${program.pipeline} ${program.functions[fn]} ${label} ${line} ${file}`);
    if (key) take(block, key);
    else waiting.push(block);
  });
  for (const block of waiting) {
    const [fn, label, ...own] = program.blocks[block], name = program.functions[fn], {file, line} = placeOf(own[1], own[0]);
    const alike = (k) => line && k.line ? k.line === line && k.file === file : line !== k.line && k.label === label;
    let key = keys.find((k) => !used.has(k) && k.pipeline === program.pipeline && k.fn === name && alike(k));
    if (!key) keys.push(key = {pipeline: program.pipeline, fn: name, label, file, line, blocks: []});
    take(block, key);
  }
}

programs.forEach(addKeys);
const OWN = keys.length; // instructions that the policy adds
keys.push({own: true, blocks: []});

/* "%12", with the function's name if there are several functions. */
function blockName(key) {
  const k = keys[key];
  if (k.own) return "the policy's own";
  return programs.some((p) => p.functions.length > 1) ? `${k.fn} %${k.label}` : `%${k.label}`;
}

/* The first program with a key, and the block there. */
function blockOf(key) {
  const at = keys[key].blocks.findIndex((block) => block !== undefined);
  return [programs[at], keys[key].blocks[at]];
}

/* "line 12", or "line 12 of math.glsl" if lines of several files are listed; "line 12 (9)" if it is line 9 of the
   source of a later program. */
function keyLine(key) {
  const [program, block] = blockOf(key), [, , line, file] = program.blocks[block];
  const others = keys[key].blocks.map((b, p) => programs[p].blocks[b][2]).filter((other) => other && other !== line);
  return `line ${line}${others.length ? ` (${[...new Set(others)].join(", ")})` : ""}${file !== null && hasFiles(listingOf(program)) ? ` of ${fileName(program, file)}` : ""}`;
}

/* The source line and its text, then the block; `most` characters of the text. */
function keyName(key, most = 56) {
  if (keys[key].own) return "instructions that the policy adds";
  if (!keys[key].line) return `block ${blockName(key)}`;
  const [program, block] = blockOf(key), [, , line, file] = program.blocks[block];
  const text = textOfLine(listingOf(program), file, line);
  return `${keyLine(key)}${text ? `, ${shorten(text, most)}` : ""} (${blockName(key)})`;
}

/* "line 12 (%34)" or "block %34" */
function keyShort(key) {
  if (keys[key].own) return "the policy's own instructions";
  return keys[key].line ? `${keyLine(key)} (${blockName(key)})` : `block ${blockName(key)}`;
}

/* ---- figures ----------------------------------------------------------------------------------- */

const NO_FIGURES = {executions: 0, lanes: 0, issues: 0, laneIssues: 0};

/* A run's figures by key. Issues are the sum over the parts into which calls split a block; executions
   and lanes are those of the first part, which all lanes that enter the block run. */
function sumKeys(run) {
  const figures = keys.map(() => ({...NO_FIGURES}));
  let sum = 0;
  programOf(run).parts.forEach(([block, part, issues], i) => {
    const f = figures[keyOfBlock[run.program][block]];
    if (part === 0) {
      f.executions += run.executions[i];
      f.lanes += run.lane_sums[i];
    }
    f.issues += run.executions[i] * issues;
    f.laneIssues += run.lane_sums[i] * issues;
    sum += run.executions[i] * issues;
  });
  figures[OWN].issues = figures[OWN].executions = Math.max(0, run.issued - sum);
  return figures;
}

const figuresOfRun = new Map();
function keyFigures(run) {
  if (!figuresOfRun.has(run)) figuresOfRun.set(run, sumKeys(run));
  return figuresOfRun.get(run);
}

/* A line of a listing is [text, part, instructions, part, instructions, …]. */
function lineFigures(run, line) {
  const figures = {issues: 0, lanes: 0};
  for (let i = 1; i < line.length; i += 2) {
    figures.issues += line[i + 1] * run.executions[line[i]];
    figures.lanes += line[i + 1] * run.lane_sums[line[i]];
  }
  return figures;
}

/* The keys of a line's blocks, the one with most instructions in the line first. */
function lineKeys(program, line) {
  const counts = new Map();
  for (let i = 1; i < line.length; i += 2) {
    const key = keyOfBlock[program][programs[program].parts[line[i]][0]];
    counts.set(key, (counts.get(key) || 0) + line[i + 1]);
  }
  return [...counts.keys()].sort((x, y) => counts.get(y) - counts.get(x));
}
