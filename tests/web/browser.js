// SPDX-License-Identifier: Apache-2.0
/* browser: drives a Chromium without a window through its debugging pipe: pages are opened, clicked, typed into and
 * photographed as a person would. */
"use strict";

const {spawn} = require("child_process");

class Browser {
  constructor(folder) {
    this.child = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
      "--remote-debugging-pipe", `--user-data-dir=${folder}/profile`, "about:blank"],
    {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: {...process.env, HOME: folder}});
    this.next = 1;
    this.waiting = new Map();
    this.errors = [];
    let text = "";
    this.child.stdio[4].setEncoding("utf8");
    this.child.stdio[4].on("data", (part) => {
      const messages = (text + part).split("\0");
      text = messages.pop();
      messages.forEach((message) => this.take(JSON.parse(message)));
    });
  }

  take(message) {
    const job = this.waiting.get(message.id);
    if (job) {
      this.waiting.delete(message.id);
      if (message.error) job.reject(new Error(JSON.stringify(message.error)));
      else job.resolve(message.result);
    }
    if (message.method === "Runtime.exceptionThrown") {
      const {text, exception} = message.params.exceptionDetails;
      this.errors.push(exception && exception.description || text);
    }
    if (message.method === "Log.entryAdded" && message.params.entry.level === "error") this.errors.push(message.params.entry.text);
  }

  send(method, params = {}, session = this.session) {
    const id = this.next++;
    this.child.stdio[3].write(`${JSON.stringify({id, method, params, ...(session ? {sessionId: session} : {})})}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  async start() {
    const {targetInfos} = await this.send("Target.getTargets");
    const page = targetInfos.find((t) => t.type === "page");
    this.session = (await this.send("Target.attachToTarget", {targetId: page.targetId, flatten: true})).sessionId;
    for (const domain of ["Page", "Runtime", "Log"]) await this.send(`${domain}.enable`);
  }

  async allowClipboard() {
    await this.send("Browser.grantPermissions", {permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"]}, null);
  }

  async size(width, height, dark = false) {
    await this.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: width < 500});
    await this.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});
  }

  async open(url, seconds) {
    await this.send("Page.navigate", {url: "about:blank"});
    await this.send("Page.navigate", {url});
    await this.until("document.readyState === 'complete'", seconds);
  }

  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception && exceptionDetails.exception.description}`);
    return result.value;
  }

  /* Waits until the expression is true. */
  async until(expression, seconds = 60) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
      if (await this.evaluate(`Boolean(${expression})`).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not within ${seconds} s: ${expression}`);
  }

  async click(selector) {
    const {x, y} = await this.evaluate(`(() => {
      const node = document.querySelector(${JSON.stringify(selector)});
      node.scrollIntoView({block: "nearest"});
      const box = node.getBoundingClientRect();
      return {x: box.x + box.width / 2, y: box.y + box.height / 2};
    })()`);
    for (const type of ["mousePressed", "mouseReleased"])
      await this.send("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
  }

  async type(text) {
    await this.send("Input.insertText", {text});
  }

  /* One change of the field that has the focus, however many lines there are; typing is a change for each line. */
  async paste(text) {
    await this.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", key: "v", code: "KeyV", modifiers: 2, commands: ["paste"]});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", key: "v", code: "KeyV", modifiers: 2});
  }

  /* A key with its name, such as Enter; modifiers: 1 Alt, 2 Ctrl. */
  async press(key, modifiers = 0, code = key) {
    for (const type of ["keyDown", "keyUp"]) await this.send("Input.dispatchKeyEvent", {type, key, code, modifiers});
  }

  async drop(selector, file) {
    const {x, y} = await this.evaluate(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return {x: box.x + box.width / 2, y: box.y + box.height / 2};
    })()`);
    const data = {items: [], files: [file], dragOperationsMask: 1};
    for (const type of ["dragEnter", "dragOver", "drop"]) await this.send("Input.dispatchDragEvent", {type, x, y, data});
  }

  async photograph(file) {
    const {data} = await this.send("Page.captureScreenshot", {format: "png"});
    require("fs").writeFileSync(file, Buffer.from(data, "base64"));
  }

  async stop() {
    await this.send("Browser.close", {}, null).catch(() => {});
    await new Promise((resolve) => this.child.on("exit", resolve));
  }
}

module.exports = {Browser};
