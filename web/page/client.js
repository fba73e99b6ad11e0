// SPDX-License-Identifier: Apache-2.0
/* client: runs commands in a worker. A run in progress is ended by ending the worker; the next one gets another. */
"use strict";

let worker = null, bytes = null, nextId = 1;
const waiting = new Map(); // by id: {resolve, reject, progress}

class Cancelled extends Error {}

function startWorker() {
  const url = URL.createObjectURL(new Blob([ENGINE.script], {type: "text/javascript"}));
  worker = new Worker(url);
  bytes = bytes || Uint8Array.from(atob(ENGINE.wasm), (c) => c.charCodeAt(0));
  worker.postMessage({wasm: bytes});
  worker.onmessage = (event) => {
    const {id, progress, result, error} = event.data, job = waiting.get(id);
    if (!job) return;
    if (progress !== undefined) {
      job.progress(progress);
      return;
    }
    waiting.delete(id);
    if (error !== undefined) job.reject(new Error(error));
    else job.resolve({...result, stdout: new TextDecoder().decode(result.stdout)});
  };
  worker.onerror = (event) => {
    for (const job of waiting.values()) job.reject(new Error(event.message || "the worker failed"));
    waiting.clear();
  };
}

/* {status, stdout, stderr, files} of a command; rejects with Cancelled. */
function runInWorker(command, args, files, progress) {
  if (!worker) startWorker();
  return new Promise((resolve, reject) => {
    const id = nextId++;
    waiting.set(id, {resolve, reject, progress});
    worker.postMessage({id, command, args, files});
  });
}

function cancelAll() {
  if (!waiting.size) return;
  worker.terminate();
  worker = null;
  for (const job of waiting.values()) job.reject(new Cancelled("cancelled"));
  waiting.clear();
}
