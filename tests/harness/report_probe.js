// SPDX-License-Identifier: Apache-2.0
/* Appended to the scripts of a page of spv-harness report: uses the page like a reader, and writes to an element
 * "probe" lines "ok|WRONG WHAT", the numbers of changes, "change KIND NUMBER", and what the list says:
 *
 *   row CASE|DEVICE|VARIANT|OUTCOME|MESSAGE
 *   buffer NAME|DIFFERING|ELEMENTS|LARGEST ERROR|ELEMENT|BYTE|ACTUAL|EXPECTED */
"use strict";

function listed() {
  return [...document.querySelectorAll("#list > li")];
}

function type(text) {
  byId("filter").value = text;
  byId("filter").dispatchEvent(new Event("input"));
}

/* What the list says, the rows without a change first. */
function tellRows() {
  const plain = (text) => text.replaceAll(/(\d),(?=\d{3})/g, "$1");
  for (const item of listed()) {
    const {dataset} = item, message = item.querySelector(".message")?.textContent || "";
    probe.push(["row " + dataset.case, dataset.device, dataset.variant, item.querySelector(".badge").textContent, message].join("|"));
    for (const line of item.querySelectorAll("p.figures")) {
      const said = /^(.*): (\d+) of (\d+) elements? differ; the largest error is (\S+), at element (\d+) \(byte (\d+)\): (.*?), expected ([^;]*)/.exec(plain(line.textContent));
      if (said) probe.push(`buffer ${said.slice(1).join("|")}`);
    }
  }
}

for (const kind of ["regression", "fix", "other"]) {
  choose("change", kind);
  probe.push(`change ${kind} ${data.against && byId("change").value ? listed().length : 0}`);
}
byId("clear").click();
check("all are listed", listed().length === Math.min(data.rows.length, PAGE));
tellRows();

/* Typing filters: all words must occur, in any case. */
const sample = data.rows[0];
if (sample) {
  type(`${sample.case.toUpperCase()} ${sample.device}`);
  const seen = listed();
  check("a typed case is found", seen.length > 0 && seen.every((li) => li.dataset.case === sample.case && li.dataset.device === sample.device));
  check("the count is that of the list", byId("count").textContent.startsWith(count(found.length)));
  type("there-is-no-such-word");
  check("nothing is found", listed().length === 0 && byId("count").textContent.startsWith("0 of "));
  byId("clear").click();
  choose("device", sample.device);
  check("a device is chosen", listed().every((li) => li.dataset.device === sample.device));
  byId("clear").click();
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true}));
  check("/ goes to the filter", document.activeElement === byId("filter"));
}

/* A kind of message lists as many failures as it says. */
const kind = document.querySelector("#kind-list button");
if (kind) {
  kind.click();
  check("a kind is listed", found.length === Number(kind.firstChild.textContent.replaceAll(",", "")) &&
    kind.getAttribute("aria-pressed") === "true");
  kind.click();
  check("and not any more", found.length === data.rows.length);
}

checkStops();
checkThemes("all are listed", () => [["what passed", "--passed", "--ground"], ["what failed", "--bad", "--ground"],
  ["what was skipped", "--skipped", "--ground"]]);

/* Pictures are whole if they have a width once the page is loaded. */
const pictures = [...document.querySelectorAll("#list img")];
addEventListener("load", () =>
  document.body.append(element("pre", {id: "widths"}, pictures.map((picture) => picture.naturalWidth).join(" "))));
document.body.append(element("pre", {id: "probe"}, probe.join("\n")));
