// SPDX-License-Identifier: Apache-2.0
/* show_graphs: the control flow before and after the transform, side by side. A block keeps its id: choosing one marks it in
 * both pictures. */
"use strict";

const ZOOM = 1.25;
let graphScale = 0; // 0: as wide as there is room

function scaleDrawing(drawing) {
  const svg = drawing.querySelector("svg");
  if (!svg) return;
  const {width, height} = svg.viewBox.baseVal, room = drawing.clientWidth - 16;
  const scale = graphScale || Math.min(1.1, Math.max(0.7, room / width));
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
}

function markBlock(panel, name) {
  for (const node of panel.querySelectorAll(".node")) {
    const marked = node.dataset.label === name && !node.classList.contains("marked");
    node.classList.toggle("marked", marked);
    node.setAttribute("aria-pressed", String(marked));
    if (marked) node.scrollIntoView({block: "nearest", inline: "nearest"});
  }
}

function figure(panel, caption, svg) {
  const drawing = element("div", {class: "drawing", tabindex: "0", role: "group", "aria-label": caption});
  drawing.innerHTML = svg.slice(svg.indexOf("<svg"));
  for (const node of drawing.querySelectorAll(".node")) {
    const title = node.querySelector("title");
    node.dataset.label = title.textContent.slice(1);
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", `block %${node.dataset.label}`);
    const choose = () => markBlock(panel, node.dataset.label);
    node.addEventListener("click", choose);
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
  }
  for (const title of drawing.querySelectorAll("title")) title.remove();
  return element("figure", {}, element("figcaption", {}, caption), drawing);
}

function graphControls(panel) {
  const scale = (change) => {
    const svg = panel.querySelector("svg");
    graphScale = change && svg ? svg.getAttribute("width") / svg.viewBox.baseVal.width * change : 0;
    panel.querySelectorAll(".drawing").forEach(scaleDrawing);
  };
  const button = (text, name, change) => {
    const made = element("button", {type: "button", "aria-label": name, title: name}, text);
    made.addEventListener("click", () => scale(change));
    return made;
  };
  return element("p", {class: "controls"},
    element("span", {class: "buttons"}, button("+", "enlarge the graphs", ZOOM), button("−", "shrink the graphs", 1 / ZOOM), button("Fit", "fit the graphs", 0)),
    element("span", {class: "hint"}, "Click a block to find it in the other graph."));
}

async function showGraphs(panel, input, run) {
  const module = await moduleOf(input, run), captions = ["before", `after ${input.transform}`];
  const results = await Promise.all(["none", input.transform].map((transform, i) => run(`drawing the graph ${captions[i]}`, "spvreconv",
    [`--transform=${transform}`, "--no-validate", module.name, "--dump-cfg=graph.svg"], module.files)));
  const refused = results.find((result) => !result.files["graph.svg"]);
  if (refused) {
    panel.replaceChildren(refusal(refused));
    return refused.stderr;
  }
  panel.replaceChildren(graphControls(panel),
    element("div", {class: "pair"}, ...results.map((result, i) => figure(panel, captions[i], textOf(result, "graph.svg")))));
  panel.querySelectorAll(".drawing").forEach(scaleDrawing);
  return "";
}
