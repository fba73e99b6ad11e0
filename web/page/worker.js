// SPDX-License-Identifier: Apache-2.0
/* worker: runs commands for the page, one after another, and keeps none of their results. The page sends the WebAssembly
 * module first, then jobs {id, command, args, files}; each is answered by {id, progress} now and then, and {id, result} or
 * {id, error}. */
"use strict";

let compiled = null;

onmessage = async (event) => {
  const {id, wasm, command, args, files} = event.data;
  if (wasm) {
    compiled = WebAssembly.compile(wasm);
    return;
  }
  try {
    const module = await compiled;
    const result = runCommand(spvreconv, module, command, args, files, (line) => postMessage({id, progress: line}));
    postMessage({id, result});
  } catch (error) {
    postMessage({id, error: String(error && error.message || error)});
  }
};
