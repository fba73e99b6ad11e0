// SPDX-License-Identifier: Apache-2.0
/* worker: runs commands for the page, one after another, and keeps none of their results. The page sends the compiled
 * WebAssembly module first, and the memory that runs begin with when there is one; then jobs {command, args, files}; each is
 * answered by {progress} now and then, and {result} or {error}. A worker that is told to prepare answers with that memory. */
"use strict";

let module_ = null, memory = null;

function run({command, args, files}) {
  const start = Object.keys(files).every((name) => /\.spv(asm)?$/.test(name)) ? null : memory; // there is something to compile
  try {
    postMessage({result: runCommand(spvreconv, module_, command, args, files, start, (line) => postMessage({progress: line}))});
  } catch (error) {
    postMessage({error: String(error && error.message || error)});
  }
}

onmessage = ({data}) => {
  module_ = data.module || module_;
  memory = data.memory || memory;
  if (data.prepare) postMessage({memory: preparedMemory(spvreconv, module_)});
  if (data.command) run(data);
};
