// SPDX-License-Identifier: Apache-2.0
/* command: one of the commands on the files of this machine, with the arguments and the environment of this process, whose
 * exit status is the command's. */
"use strict";

const tty = require("tty");
const {dotDraw} = require("./engine.js");
const compiled = require("./compiled.js");

module.exports = function command(name) {
  const module = compiled();
  const engine = {
    thisProgram: name,
    noInitialRun: true,
    drawGraph: dotDraw,
    umask: process.umask(),
    quit: (status, error) => { throw error; },
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance, module);
      return instance.exports;
    },
  };
  require("./spvreconv-node.js")(engine);
  Object.assign(engine.ENV, process.env);
  // To emscripten, each of them is a terminal.
  for (const fd of [0, 1, 2]) if (!tty.isatty(fd)) delete engine.FS.streams[fd].tty;
  try {
    process.exitCode = engine.callMain(process.argv.slice(2));
  } catch (error) {
    if (error.name !== "ExitStatus") throw error;
    process.exitCode = error.status;
  }
};
