// The panels below the verdict. Each asks its question when the reader opens it, and again after a change.

import {announce, byId, element, replace} from './dom.js';
import {noticeOf, showReport} from './answer.js';
import {inputWords} from './words.js';
import {drawGrid, leaveOutKnown} from './nodes.js';
import {drawLanes} from './lanes.js';

/** @typedef {import('./session.js').Session} Session */
/**
 * @typedef {object} Panel
 * @property {string} id
 * @property {(session: Session) => string[]} words the command line, without -o
 * @property {(session: Session, box: HTMLElement) => Promise<void>} load
 * @property {(session: Session) => boolean} [available] whether there is such a question
 */

/** @param {(session: Session) => string[]} words @param {string} prefix @returns {Panel['load']} */
function report(words, prefix) {
  return async (session, box) => {
    showReport(box, await session.ask([...words(session), '-o', 'html']), prefix);
  };
}

const nodeWords = (/** @type {Session} */ session) => session.explainWords();
const fitWords = (/** @type {Session} */ session) => ['fit', ...session.words([]), session.subject, '--no-victims'];
const diffWords = (/** @type {Session} */ session) => session.commandWords('diff');
const fleetWords = (/** @type {Session} */ session) => session.commandWords('fleet');
const sequenceWords = (/** @type {Session} */ session) => session.commandWords('sequence');
const tolerationWords = (/** @type {Session} */ session) => session.commandWords('tolerations');
const inspectWords = (/** @type {Session} */ session) => ['inspect', ...inputWords(session.settings)];

/** @type {Panel[]} */
export const PANELS = [
  {id: 'answer', words: session => session.explainWords(), load: async () => {}},
  {id: 'nodes', words: nodeWords, load: loadNodes},
  {id: 'tolerations', words: tolerationWords, load: report(tolerationWords, 't-')},
  {id: 'sequence', words: sequenceWords, load: loadSequence},
  {id: 'fit', words: fitWords, load: report(fitWords, 'c-'), available: session => session.subject !== ''},
  {
    id: 'diff',
    words: diffWords,
    load: report(diffWords, 'd-'),
    available: session => session.settings.manifests.length > 0,
  },
  {id: 'fleet', words: fleetWords, load: report(fleetWords, 'f-')},
  {id: 'input', words: inspectWords, load: report(inspectWords, 'i-')},
];

/** @param {Session} session @param {HTMLElement} box */
async function loadNodes(session, box) {
  const words = nodeWords(session);
  const answer = await session.ask([...words, '-o', 'json']);
  if (!answer.out) return replace(box, noticeOf(answer));
  drawGrid(box, JSON.parse(answer.out), async (name, place) => {
    showReport(place, await session.ask([...words, '--node', name, '-o', 'html']), 'n-');
    leaveOutKnown(place, byId('panel-answer'));
  });
}

/** @param {Session} session @param {HTMLElement} box */
async function loadSequence(session, box) {
  const words = sequenceWords(session);
  const answer = await session.ask([...words, '-o', 'html']);
  const made = showReport(box, answer, 's-');
  const document = answer.out ? await session.askJson(words) : undefined;
  if (document?.steps?.length) drawLanes(made, document);
}

export class Panels {
  /** @param {Session} session @param {() => void} onShow */
  constructor(session, onShow) {
    this.session = session;
    this.onShow = onShow;
    this.shown = 'answer';
    /** @type {Set<string>} the panels whose content is that of the present settings */
    this.fresh = new Set();
    byId('tabs').addEventListener('keydown', event => this.key(event));
    for (const {id} of PANELS) byId(`tab-${id}`).addEventListener('click', () => void this.show(id));
  }

  get current() {
    return PANELS.find(panel => panel.id === this.shown) ?? PANELS[0];
  }

  /** The settings have changed. */
  renew() {
    this.fresh.clear();
    for (const {id, available} of PANELS) byId(`tab-${id}`).hidden = available?.(this.session) === false;
    return this.show(byId(`tab-${this.shown}`).hidden ? 'answer' : this.shown);
  }

  /** @param {string} id */
  async show(id) {
    this.shown = id;
    for (const panel of PANELS) {
      const selected = panel.id === id;
      byId(`tab-${panel.id}`).setAttribute('aria-selected', String(selected));
      byId(`tab-${panel.id}`).tabIndex = selected ? 0 : -1;
      byId(`panel-${panel.id}`).hidden = !selected;
    }
    this.onShow();
    if (!this.fresh.has(id)) await this.load(id);
  }

  /** @param {string} id */
  async load(id) {
    this.fresh.add(id);
    const box = byId(`panel-${id}`);
    box.setAttribute('aria-busy', 'true');
    if (id !== 'answer' && !box.childNodes.length) replace(box, element('p', {class: 'dim'}, 'Asking …'));
    await this.current.load(this.session, box);
    box.setAttribute('aria-busy', 'false');
    announce(`${byId(`tab-${id}`).textContent} is up to date`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const tabs = PANELS.filter(panel => !byId(`tab-${panel.id}`).hidden);
    const index = tabs.findIndex(panel => panel.id === this.shown),
      last = tabs.length - 1;
    /** @type {Record<string, number>} */
    const next = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    };
    if (next[event.key] === undefined) return;
    event.preventDefault();
    const {id} = tabs[next[event.key]];
    byId(`tab-${id}`).focus();
    void this.show(id);
  }
}
