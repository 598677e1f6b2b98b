// Runs the program. The page sends the compiled program once, files when they change, and questions.

import {Exit, World, importsOf} from './wasi.js';

/** Pieces of a file are read when the program asks for them, so that a large file is never in memory as a whole. */
const PIECE = 1 << 20;

/** @param {Blob} blob @param {number} version @returns {import('./wasi.js').Source} */
function sourceOf(blob, version) {
  const reader = new FileReaderSync();
  let start = 0,
    piece = new Uint8Array();
  return {
    size: blob.size,
    version,
    read(at, length) {
      if (at < start || at >= start + piece.length) {
        start = at;
        piece = new Uint8Array(reader.readAsArrayBuffer(blob.slice(at, at + Math.max(length, PIECE))));
      }
      return piece.subarray(at - start, at - start + length);
    },
  };
}

const world = new World();
/** @type {WebAssembly.Instance | undefined} */
let instance;
/** @type {WebAssembly.Module | undefined} */
let compiled;

function ready() {
  if (instance || !compiled) return;
  instance = new WebAssembly.Instance(compiled, importsOf(compiled, world));
  world.memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  /** @type {any} */ (instance.exports)._initialize?.();
}

/** @param {string[]} words @returns {number} */
function ask(words) {
  const exports = /** @type {any} */ (instance).exports,
    bytes = new TextEncoder().encode(JSON.stringify({words}));
  const at = exports.request(bytes.length);
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  return exports.ask();
}

/** @param {string[]} words @returns {number} */
function run(words) {
  try {
    ready();
    return ask(words);
  } catch (thrown) {
    // What a fault leaves, or the end of the program, is not used again.
    instance = undefined;
    if (thrown instanceof Exit) return thrown.status;
    throw thrown;
  }
}

/** @param {string[]} words */
function answer(words) {
  const start = performance.now();
  world.clear();
  let status = -1,
    fault = '';
  try {
    status = run(words);
  } catch (thrown) {
    fault = `the engine has failed: ${thrown}\n`;
  }
  const {out, err} = world.written();
  const memory = world.memory?.buffer.byteLength ?? 0;
  postMessage({status, out, err: err + fault, memory, milliseconds: performance.now() - start});
}

onmessage = event => {
  const {module, files, words} = event.data;
  if (module) compiled = module;
  if (files)
    world.setFiles(
      new Map(
        files.map((/** @type {[string, Blob, number]} */ [name, blob, version]) => [name, sourceOf(blob, version)])
      )
    );
  if (words) answer(words);
};
