// What the reader looks at: the files, the pod, the time and the switches, and the questions about them.

import {stateWords} from './words.js';

/** @typedef {import('./engine.js').Answer} Answer */
/** @typedef {import('./words.js').Settings} Settings */

/** The files that the page accepts, together; a limit of the page, so that a browser stays usable. */
export const MAXIMUM_BYTES = 2 ** 31;

/** @returns {Settings} */
export function noSettings() {
  return {inputs: [], folders: false, flags: {}, given: {}, now: '', manifests: []};
}

/** Flags about one pod: questions about all pods leave them out. */
export const POD_FLAGS = ['--priority-class', '--request'];

export class Session {
  /** @param {import('./engine.js').Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.settings = noSettings();
    /** @type {Map<string, Blob>} */
    this.files = new Map();
    /** The pod or the workload, as a word of the command line; empty for all pending pods. */
    this.subject = '';
  }

  /** @param {string} name @param {Blob} content */
  addFile(name, content) {
    const total = [...this.files.values()].reduce((sum, file) => sum + file.size, content.size);
    if (total > MAXIMUM_BYTES)
      throw new Error(
        `${name}: the files have more than 2 GiB together, which is the limit of this page; use the previct program`
      );
    this.files.set(name, content);
    const top = name.split('/')[0];
    if (!this.settings.inputs.includes(top)) this.settings.inputs.push(top);
    this.settings.folders ||= top !== name;
    this.engine.setFiles(this.files);
  }

  /** @param {string} name @param {Blob | undefined} content */
  setManifest(name, content) {
    this.settings.manifests = this.settings.manifests.filter(known => known !== name);
    this.files.delete(name);
    if (content) {
      this.files.set(name, content);
      this.settings.manifests.push(name);
    }
    this.engine.setFiles(this.files);
  }

  clear() {
    this.files = new Map();
    this.settings = noSettings();
    this.subject = '';
    this.engine.setFiles(this.files);
  }

  /** @param {string[]} [more] @returns {string[]} */
  explainWords(more = []) {
    const all = this.subject ? [this.subject] : [];
    return ['explain', ...this.words(this.subject ? [] : POD_FLAGS), ...all, ...more];
  }

  /** The same question, answered shortly: whether pods are evicted at this time, and which. */
  momentWords() {
    const {now} = this.settings;
    this.settings.now = '';
    const words = this.explainWords(now ? ['--at', now] : ['--show', 'chosen']);
    this.settings.now = now;
    return words;
  }

  /** The words without switches and manifests. */
  unchangedWords() {
    const {settings} = this;
    return ['explain', ...stateWords({...settings, flags: {}, manifests: []}), ...(this.subject ? [this.subject] : [])];
  }

  /** @param {string} command @param {string[]} [more] @returns {string[]} words of a command about all pods */
  commandWords(command, more = []) {
    return [command, ...this.words(POD_FLAGS), ...more];
  }

  /** @param {string[]} without */
  words(without) {
    return stateWords(this.settings, without);
  }

  /** @param {string[]} words @returns {Promise<Answer>} */
  ask(words) {
    return this.engine.ask(words);
  }

  /** @param {string[]} words @returns {Promise<any>} the document, or undefined where there is no answer */
  async askJson(words) {
    const answer = await this.ask([...words, '-o', 'json']);
    return answer.out ? JSON.parse(answer.out) : undefined;
  }
}
