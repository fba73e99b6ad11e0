// SPDX-License-Identifier: Apache-2.0
/* run: a command in an instance of its own, so that nothing of one run is left in the next. Its files are in memory. */
"use strict";

const RUN_FOLDER = "/work";

function runBytes(content) {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return new Uint8Array(content.buffer || content, content.byteOffset || 0, content.byteLength);
}

function runFolders(FS, path) {
  const parts = path.split("/").slice(0, -1);
  parts.forEach((_, i) => {
    const folder = `${RUN_FOLDER}/${parts.slice(0, i + 1).join("/")}`;
    if (!FS.analyzePath(folder).exists) FS.mkdir(folder);
  });
}

/* The files below a folder, by their path in it. */
function runFiles(FS, folder, prefix, into) {
  for (const name of FS.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = `${folder}/${name}`;
    if (FS.isDir(FS.stat(path).mode)) runFiles(FS, path, `${prefix}${name}/`, into);
    else into[prefix + name] = FS.readFile(path);
  }
  return into;
}

/* Standard error as text, without the drawings of a progress bar: each begins with a carriage return and an erasure, and
 * is passed on when the next one begins. */
class RunErrors {
  constructor(progress) {
    this.progress = progress;
    this.bytes = [];
  }

  put(byte) {
    if (byte === 13 && this.progress) this.tell();
    this.bytes.push(byte);
  }

  all() {
    return new TextDecoder().decode(new Uint8Array(this.bytes));
  }

  tell() {
    const drawing = /\x1b\[J([^\x1b]*)$/.exec(this.all());
    if (drawing && drawing[1].trim()) this.progress(drawing[1].split("\n").pop());
  }

  text() {
    return this.all().replace(/\r(?:\x1b\[\d+A)?\x1b\[J[^\r]*(?=\r)|\r(?:\x1b\[\d+A)?\x1b\[J/g, "");
  }
}

/* Makes an instance of `module`; `factory` is what emscripten wrote, and `engine` what it is given. In Node, emscripten's code
 * listens to what the process does not catch: of many instances these would be many listeners. */
function runInstance(factory, module, engine) {
  engine.noInitialRun = true;
  engine.instantiateWasm = (imports, receive) => {
    const instance = new WebAssembly.Instance(module, imports);
    receive(instance, module);
    return instance.exports;
  };
  const events = typeof process === "object" && process.removeListener ? ["uncaughtException", "unhandledRejection"] : [];
  const before = events.map((event) => process.listeners(event));
  factory(engine);
  events.forEach((event, i) => {
    for (const listener of process.listeners(event)) if (!before[i].includes(listener)) process.removeListener(event, listener);
  });
  return engine;
}

/* What the memory of an instance has after it built what runs need, glslang's tables; runCommand begins with it. It takes as long
 * as a run that compiles. */
function preparedMemory(factory, module) {
  const engine = runInstance(factory, module, {stdin: () => null});
  engine._prepare();
  const words = engine.HEAPU32;
  let end = words.length;
  while (end && !words[end - 1]) end--;
  return engine.HEAPU8.slice(0, 4 * end);
}

/* Runs a command on files {path: string or bytes}: {status, stdout, stderr, files}, where stdout is bytes and files are those
 * that it wrote. `factory` makes instances of `module`, and is what emscripten wrote. `memory`: what preparedMemory made, or
 * nothing. `progress`: called with a line of text now and then. */
function runCommand(factory, module, command, args, files, memory, progress) {
  const out = [], errors = new RunErrors(progress);
  const engine = runInstance(factory, module, {
    thisProgram: command,
    drawGraph: dotDraw,
    stdin: () => null,
    stdout: (byte) => { if (byte !== null) out.push(byte); },
    stderr: (byte) => { if (byte !== null) errors.put(byte); },
    quit: (status, error) => { throw error; },
  });
  if (memory && memory.length <= engine.HEAPU8.length) engine.HEAPU8.set(memory);
  let status;
  const FS = engine.FS;
  FS.mkdir(RUN_FOLDER);
  FS.chdir(RUN_FOLDER);
  for (const [path, content] of Object.entries(files || {})) {
    runFolders(FS, path);
    FS.writeFile(path, runBytes(content));
  }
  if (progress) FS.streams[2].tty = {ops: {}}; // then there is progress to draw
  try {
    status = engine.callMain(args);
  } catch (error) {
    if (error.name === "ExitStatus") status = error.status;
    else if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) {
      status = 3;
      for (const byte of new TextEncoder().encode(`${command}: ended by ${error.message}\n`)) errors.put(byte);
    } else throw error;
  }
  const written = runFiles(FS, RUN_FOLDER, "", {});
  for (const path of Object.keys(files || {})) {
    const before = runBytes(files[path]), after = written[path];
    if (after && after.length === before.length && after.every((byte, i) => byte === before[i])) delete written[path];
  }
  return {status, stdout: new Uint8Array(out), stderr: errors.text(), files: written};
}
