// Takes an answer out of the page: the command line, the report, the JSON.

import {byId, copyText} from './dom.js';
import {commandLine} from './words.js';

/** @type {Record<string, string>} */
const TYPES = {html: 'text/html', json: 'application/json', md: 'text/markdown', text: 'text/plain'};

export class Share {
  /** @param {import('./session.js').Session} session @param {() => string[]} words of the open panel */
  constructor(session, words) {
    this.session = session;
    this.words = words;
    byId('copy-command').addEventListener('click', () => void copyText(commandLine(this.words()), byId('command')));
    for (const format of Object.keys(TYPES))
      byId(`save-${format}`).addEventListener('click', () => void this.save(format));
  }

  draw() {
    byId('command').textContent = commandLine(this.words());
  }

  /** @param {string} format */
  async save(format) {
    const words = this.words(),
      answer = await this.session.ask([...words, '-o', format]);
    const url = URL.createObjectURL(new Blob([answer.out], {type: TYPES[format]}));
    const link = document.createElement('a');
    link.href = url;
    link.download = `previct-${words[0]}.${format === 'text' ? 'txt' : format}`;
    link.click();
    URL.revokeObjectURL(url);
  }
}
