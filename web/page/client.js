// SPDX-License-Identifier: Apache-2.0
/* client: runs commands in workers, as many at a time as are asked for, up to two. All share one compiled module, so that what
 * the browser compiled for one is there for the next. Another worker, when the page is opened, prepares the memory that runs
 * begin with. A run in progress is ended by ending its worker. */
"use strict";

const WORKERS = 2;
const workers = []; // {thread, job}; job: null, or {resolve, reject, progress}
const queue = []; // {message, job}: waiting for the module, or for a worker
let module_ = null, memory = null, failure = null;

class Cancelled extends Error {}

function engineBytes() {
  const text = atob(ENGINE.wasm), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function startEngine() {
  try {
    module_ = await WebAssembly.compile(engineBytes());
    giveJobs();
    prepareMemory();
  } catch (error) {
    failure = error;
    cancelAll();
  }
}

function startThread() {
  return new Worker(URL.createObjectURL(new Blob([ENGINE.script], {type: "text/javascript"})));
}

function prepareMemory() {
  const thread = startThread();
  thread.onmessage = (event) => {
    memory = event.data.memory;
    for (const worker of workers) worker.thread.postMessage({memory});
    thread.terminate();
  };
  thread.postMessage({module: module_, prepare: true});
}

function startWorker() {
  const worker = {thread: startThread(), job: null};
  workers.push(worker);
  worker.thread.onmessage = (event) => {
    const {progress, result, error} = event.data, {job} = worker;
    if (progress !== undefined) {
      job.progress(progress);
      return;
    }
    if (error !== undefined) job.reject(new Error(error));
    else job.resolve({...result, stdout: new TextDecoder().decode(result.stdout)});
    worker.job = null;
    giveJobs();
  };
  worker.thread.onerror = (event) => {
    if (worker.job) worker.job.reject(new Error(event.message || "the worker failed"));
    worker.job = null;
  };
  worker.thread.postMessage({module: module_, memory});
}

function giveJobs() {
  if (!module_) return;
  if (queue.length && workers.length < WORKERS && workers.every((worker) => worker.job)) startWorker();
  for (const worker of workers) {
    if (worker.job || !queue.length) continue;
    const {message, job} = queue.shift();
    worker.job = job;
    worker.thread.postMessage(message);
  }
}

/* {status, stdout, stderr, files} of a command; rejects with Cancelled. */
function runInWorker(command, args, files, progress) {
  if (failure) return Promise.reject(failure);
  return new Promise((resolve, reject) => {
    queue.push({message: {command, args, files}, job: {resolve, reject, progress}});
    giveJobs();
  });
}

function cancelAll() {
  const jobs = queue.splice(0).map(({job}) => job);
  for (const worker of workers.filter(({job}) => job)) {
    worker.thread.terminate();
    workers.splice(workers.indexOf(worker), 1);
    jobs.push(worker.job);
  }
  for (const job of jobs) job.reject(failure || new Cancelled("cancelled"));
}
