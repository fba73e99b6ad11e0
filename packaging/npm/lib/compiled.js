// SPDX-License-Identifier: Apache-2.0
/* compiled: the WebAssembly module of the commands, compiled once in a process. */
"use strict";

const fs = require("fs");
const path = require("path");

let module_ = null;

module.exports = function compiled() {
  module_ = module_ || new WebAssembly.Module(fs.readFileSync(path.join(__dirname, "spvreconv.wasm")));
  return module_;
};
