// SPDX-License-Identifier: Apache-2.0
/* page_server: opens pages, one after the other, in one Chromium, since its start takes longer than a page does.
 *
 *   node page_server.js FOLDER
 *
 * Prints "ready", then reads lines "FILE WIDTH HEIGHT". For each it opens the page in a window of that size, writes the
 * page after its scripts have run to FOLDER/dom and the errors that it has reported to FOLDER/errors, and prints "opened". */
"use strict";

const fs = require("fs");
const readline = require("readline");
const {Browser} = require("./web/browser.js");

async function serve(folder) {
  const browser = new Browser(folder);
  await browser.start();
  await browser.send("Emulation.setFocusEmulationEnabled", {enabled: true});
  console.log("ready");
  for await (const line of readline.createInterface({input: process.stdin})) {
    const [file, width, height] = line.split(" ");
    browser.errors = [];
    await browser.size(Number(width), Number(height));
    await browser.open(`file://${file}`, 400);
    fs.writeFileSync(`${folder}/dom`, `${await browser.evaluate("document.documentElement.outerHTML")}\n`);
    fs.writeFileSync(`${folder}/errors`, browser.errors.map((error) => `${error}\n`).join(""));
    console.log("opened");
  }
  await browser.stop();
}

serve(process.argv[2]).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
