// The program, in a worker: one question at a time, and a worker that does not answer can be stopped.

/**
 * @typedef {object} Answer
 * @property {number} status the exit status: 0 answered, 1 answered with findings, 2 not answered, -1 stopped or failed
 * @property {string} out
 * @property {string} err
 * @property {number} memory bytes that the program uses
 * @property {number} milliseconds
 */

/**
 * @typedef {object} Waiting
 * @property {string[]} words
 * @property {(answer: Answer) => void} done
 */

export class Engine {
  /** @param {() => Worker} makeWorker @param {unknown} module what a worker needs first: the compiled program */
  constructor(makeWorker, module) {
    this.makeWorker = makeWorker;
    this.module = module;
    /** @type {Map<string, Blob>} */
    this.files = new Map();
    /** @type {Waiting[]} */
    this.queue = [];
    /** @type {Waiting | undefined} */
    this.current = undefined;
    /** @type {(busy: boolean) => void} */
    this.onBusy = () => {};
    this.memory = 0;
    /** @type {WeakMap<Blob, number>} a number for each content, by which the program sees that a file has changed */
    this.versions = new WeakMap();
    this.lastVersion = 0;
    this.worker = this.start();
  }

  start() {
    const worker = this.makeWorker();
    worker.onmessage = event => this.finish(event.data);
    worker.onerror = event => this.finish(failed(event.message || 'the engine has failed'));
    worker.postMessage({module: this.module});
    return worker;
  }

  /** @param {Map<string, Blob>} files */
  setFiles(files) {
    this.files = files;
    this.worker.postMessage({files: [...files].map(([name, content]) => [name, content, this.versionOf(content)])});
  }

  /** @param {Blob} content */
  versionOf(content) {
    const version = this.versions.get(content) ?? ++this.lastVersion;
    this.versions.set(content, version);
    return version;
  }

  /** @param {string[]} words @returns {Promise<Answer>} */
  ask(words) {
    return new Promise(done => {
      this.queue.push({words, done});
      this.next();
    });
  }

  next() {
    if (this.current) return;
    this.current = this.queue.shift();
    this.onBusy(this.current !== undefined);
    if (this.current) this.worker.postMessage({words: this.current.words});
  }

  /** @param {Answer} answer */
  finish(answer) {
    this.memory = answer.memory || this.memory;
    const {current} = this;
    this.current = undefined;
    current?.done(answer);
    this.next();
  }

  /** Ends the worker, and gives up all questions. A new one begins with the same files. */
  stop() {
    this.worker.terminate();
    const given_up = [...(this.current ? [this.current] : []), ...this.queue];
    this.current = undefined;
    this.queue = [];
    this.worker = this.start();
    this.setFiles(this.files);
    for (const {done} of given_up) done(failed('stopped'));
    this.onBusy(false);
  }
}

/** @param {string} err @returns {Answer} */
function failed(err) {
  return {status: -1, out: '', err, memory: 0, milliseconds: 0};
}
