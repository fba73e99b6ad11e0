// SPDX-License-Identifier: Apache-2.0
/** A SPIR-V module: its words, or its bytes in either order. */
export type Module = Uint32Array | Uint8Array | ArrayBuffer;

/** A shader or module. A string is SPIR-V text or an AmberScript; of a file, the name's suffix says the language: .comp,
 *  .frag, .vert, .hlsl, .spvasm, .amber, .spv. */
export type Input = Module | string | { name: string; content: string | Module };

export interface Result {
  /** 0 done; 1 the input is bad; 2 wrong usage; 3 a bug of spvreconv. */
  status: number;
  stdout: string;
  stderr: string;
  /** The files that the command wrote, by their names. */
  files: Record<string, Uint8Array>;
}

/** What `spvreconv --json` prints (docs/spvreconv.md). */
export interface Report {
  tool: string;
  version: string;
  status?: string;
  message?: string;
  input: { file: string; words: number };
  output?: { words: number };
  changed?: boolean;
  functions?: Array<{ name: string; id: number; before: Graph; after: Graph; order: number[]; [more: string]: unknown }>;
  [more: string]: unknown;
}

export interface Graph {
  blocks: number;
  edges: number;
  instructions: number;
  branches: number;
  loops: number;
  reducible: boolean;
  structured: boolean;
  reconverging: boolean;
  [more: string]: unknown;
}

/** What `spvreconv --explain --json` prints. */
export interface Explanation {
  structured: boolean;
  violations: Array<{ function: string; rule: string; statement: string; construct: number | null;
    edge: { from: number; to: number } | null; message: string; [more: string]: unknown }>;
  [more: string]: unknown;
}

/** What `spv-emu --json` prints (docs/emulator.md). */
export interface Emulation {
  tool: string;
  version: string;
  module: string;
  results: Array<{ policy: string; subgroup_size: number; status: "ok" | "skip" | "deadlock" | "livelock" | "limit" | "fault";
    message: string | null; issued: number; lane_instructions: number; activity_factor: number;
    buffers: Array<{ set: number; binding: number; bytes: number; xxh64: string }>; [more: string]: unknown }>;
  [more: string]: unknown;
}

/** Thrown if a command prints no result; the message is the command's. */
export class SpvreconvError extends Error {
  status: number;
  stderr: string;
}

export const version: string;

/** Runs a command on files in memory. Options are those of the command line. */
export function run(command: "spvreconv" | "spv-emu" | "spv-graph", args: string[], files?: Record<string, string | Module>): Result;

/** Runs a comma list of transforms (default: auto). Options as of the command spvreconv. */
export function transform(input: Input, list?: string, options?: string[]): { words: Uint32Array; report: Report };

/** The module with structured control flow. */
export function structurize(input: Input, options?: string[]): Uint32Array;

/** What breaks the rules of structured control flow. */
export function explain(input: Input, options?: string[]): Explanation;

/** Runs a shader on the model of a subgroup. Options as of the command spv-emu: ["--policy=all", "--subgroup-size=8"]. */
export function emulate(input: Input, options?: string[]): Emulation;

/** The module as text. */
export function assembly(input: Input): string;
