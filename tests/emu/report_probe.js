// SPDX-License-Identifier: Apache-2.0
/* Appended to the scripts of a page of spv-emu: uses the page like a reader, and writes what it shows to
 * an element "probe", one fact on a line:
 *
 *   schedule POLICY SUBGROUP ISSUES LANE-INSTRUCTIONS ISSUES-OF-THE-POLICY-ITSELF
 *   lines POLICY ISSUES source|asm
 *   blocks POLICY agree|differ     do the schedules add up to the executions of the blocks?
 *   ok|WRONG WHAT                  the rest */
"use strict";

const probe = [];

function check(what, good) {
  probe.push(`${good ? "ok" : "WRONG"} ${what}`);
}

function choose(id, value) {
  const select = document.getElementById(id);
  select.value = value;
  select.dispatchEvent(new Event("change"));
}

function press(node, key) {
  node.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
}

function seen(selector) {
  return document.querySelector(selector).textContent.replaceAll(",", "");
}

function ownIssues(steps) {
  return steps.part.reduce((sum, part, i) =>
    sum + (part === NO_PART ? steps.start[i + 1] - steps.start[i] : 0), 0);
}

/* Adds up the schedules of all subgroups by part, and compares. */
function blocksAgree(policy) {
  const executions = shown.parts.map(() => 0), lanes = shown.parts.map(() => 0);
  for (const number of subgroupNumbers()) {
    const steps = scheduleOf(policy, number);
    if (steps) steps.part.forEach((part, i) => {
      if (part === NO_PART) return;
      executions[part]++;
      lanes[part] += steps.lanes[i].length;
    });
  }
  const of = shown.policies[policy];
  return String(executions) === String(of.executions) && String(lanes) === String(of.lanes);
}

for (const policy of scheduledPolicies()) {
  choose("left", policy);
  for (const number of subgroupNumbers()) {
    choose("subgroup", number);
    if (scheduleOf(policy, number) && !scheduleOf(policy, number).cut)
      probe.push(`schedule ${policy} ${number} ${seen("#left-picture [data-total=issues]")} ` +
        `${seen("#left-picture [data-total=lane_instructions]")} ${ownIssues(scheduleOf(policy, number))}`);
  }
  probe.push(`lines ${policy} ${seen(`#listing [data-sum="${policy}"]`)} ${shown.listing.source ? "source" : "asm"}`);
  probe.push(`blocks ${policy} ${blocksAgree(policy) ? "agree" : "differ"}`);
}
choose("left", firstPair()[0]);
choose("subgroup", 0);

/* The time slider, by keyboard and by script. */
const time = document.getElementById("time");
time.value = time.max;
time.dispatchEvent(new Event("input"));
check("the slot is the last", seen("#slot") === `slot ${time.max} of ${Number(time.max) + 1}`);
check("the reading is announced", time.getAttribute("aria-valuetext").includes(": "));
choose("zoom", 4);
check("the view is a part of the run", view().slots === Math.ceil(longest() / 4) && view().first > 0);
choose("zoom", 1);

/* Blocks: arrows go from one to the next, Enter pins, Escape unpins. */
const blocks = [...document.querySelectorAll("#legend .block")];
check("one block is a stop of Tab", blocks.filter((b) => b.tabIndex === 0).length === 1);
blocks[0].focus();
press(blocks[0], "End");
check("End goes to the last block", document.activeElement === blocks[blocks.length - 1]);
press(document.activeElement, "Enter");
check("Enter pins a block", blocks[blocks.length - 1].getAttribute("aria-selected") === "true");
check("lines of the block are highlighted", document.querySelectorAll("#listing tr.marked").length > 0);
if (graphNodes.length)
  check("the block is highlighted in the graph", document.querySelectorAll("#drawing .node.marked").length === 1);
press(document.body, "Escape");
check("Escape unpins it", state.pinned === null && !document.querySelector("#listing tr.marked"));

/* Everything that Tab reaches has a name. */
const unnamed = [...document.querySelectorAll("select, input, button")].filter((node) =>
  !node.textContent.trim() && !(node.labels && node.labels.length) && !node.getAttribute("aria-label"));
check("controls have names", unnamed.length === 0);
check("the page is no wider than the window", document.documentElement.scrollWidth <= innerWidth);
document.getElementById("theme").click();
document.getElementById("theme").click();
check("the button switches to dark", document.documentElement.dataset.theme === "dark" &&
  getComputedStyle(document.body).backgroundColor === "rgb(20, 24, 29)");
document.body.append(element("pre", {id: "probe"}, probe.join("\n")));
