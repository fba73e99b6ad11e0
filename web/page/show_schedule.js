// SPDX-License-Identifier: Apache-2.0
/* show_schedule: the emulator's report, which is a page of its own, in a frame. */
"use strict";

function emulatorArguments(input) {
  return [input.name, `--subgroup-size=${input.lanes}`, "--max-issues=50000000", ...input.runs === "result" ? [`--transform=${input.transform}`] : []];
}

async function showSchedule(panel, input, run) {
  const result = await run("running the emulator", "spv-emu",
    [...emulatorArguments(input), `--policy=${input.policies}`, "--report=report.html"], input.files);
  if (!result.files["report.html"]) {
    panel.replaceChildren(refusal(result));
    return result.stderr;
  }
  const theme = document.documentElement.dataset.theme;
  const page = textOf(result, "report.html").replace("</head>", "<style>#theme { display: none; }</style></head>"); // this page has that button
  const frame = element("iframe", {title: "the emulator's report", srcdoc: theme ? page.replace("<html", `<html data-theme="${theme}"`) : page});
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve)); // a report that is hidden before has no sizes
  panel.replaceChildren(frame);
  await loaded;
  return "";
}
