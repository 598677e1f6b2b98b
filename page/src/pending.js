// The list of pending pods, grouped by outcome.

import {element, replace, byId} from './dom.js';
import {POD_FLAGS} from './session.js';

/** @typedef {{subject: string, outcome: string, summary: string, priority: string}} Entry */

/**
 * Above this number of pods times nodes, the short report of fleet is asked for instead of a complete answer for each.
 */
const MANY = 20000;
const SHOWN = 200;
/** These come first; an outcome that is not among them comes last. */
const OUTCOMES = ['preempts', 'pending', 'unknown', 'error', 'waits', 'fits'];

/** @param {any} subject of a document @returns {string} the word for the command line */
function wordOf(subject) {
  return subject.pod ? `${subject.pod.namespace}/${subject.pod.name}` : (subject.name ?? '');
}

/** @param {any} subject */
function priorityOf(subject) {
  return [subject.priorityClassName, subject.priority].filter(value => value !== undefined).join(', ');
}

/** @param {any} document an Explanation, an ExplanationList or a FleetReport @returns {Entry[]} */
export function entriesOf(document) {
  if (document?.kind === 'Explanation') return entriesOf({items: [document]});
  if (document?.items)
    return document.items.map((/** @type {any} */ item) => ({
      subject: wordOf(item.subject),
      outcome: item.verdict.outcome,
      summary: item.verdict.summary,
      priority: priorityOf(item.subject),
    }));
  return (document?.pending ?? []).map((/** @type {any} */ item) => ({
    subject: item.pod ?? (item.podGroup ? `podgroup/${item.podGroup}` : `workload/${item.workload}`),
    outcome: item.outcome,
    summary: item.node ?? '',
    priority: [item.class, item.priority].filter(value => value !== undefined).join(', '),
  }));
}

/** @param {any} inspected a document of inspect @param {string} kind @returns {number} */
export function countOf(inspected, kind) {
  return inspected?.kinds?.find((/** @type {any} */ each) => each.kind === kind)?.count ?? 0;
}

/**
 * The only pending pod: its timeline says what the list shows, without an answer for each node.
 * @param {any} inspected
 */
export function onlyPod(inspected) {
  const {pending = [], needs = []} = inspected ?? {};
  const queued = needs.some((/** @type {any} */ need) => need.engine === 'kueue');
  return pending.length === 1 && !queued ? pending[0] : undefined;
}

/** @param {any} pod of inspect @param {any} timeline @returns {Entry[]} */
export function onlyEntry(pod, timeline) {
  const {outcome, summary} = timeline?.intervals?.[0] ?? {outcome: 'no answer', summary: ''};
  return [{subject: `${pod.namespace}/${pod.name}`, outcome, summary, priority: `priority ${pod.priority}`}];
}

/**
 * @param {import('./session.js').Session} session
 * @param {any} inspected
 * @returns {Promise<any>} a document with all pending pods
 */
export function readPending(session, inspected) {
  const many = (inspected?.pending?.length ?? 0) * countOf(inspected, 'Node') > MANY;
  return session.askJson(many ? session.commandWords('fleet') : ['explain', ...session.words(POD_FLAGS)]);
}

/** @param {Entry[]} entries @returns {Map<string, Entry[]>} */
export function byOutcome(entries) {
  /** @type {Map<string, Entry[]>} */
  const groups = new Map();
  for (const outcome of OUTCOMES) groups.set(outcome, []);
  for (const entry of entries) groups.set(entry.outcome, [...(groups.get(entry.outcome) ?? []), entry]);
  return new Map([...groups].filter(([, group]) => group.length > 0));
}

export class PendingList {
  /** @param {(subject: string) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** @type {Entry[]} */
    this.entries = [];
    this.subject = '';
    this.filter = /** @type {HTMLInputElement} */ (byId('pending-filter'));
    this.filter.addEventListener('input', () => this.draw());
  }

  /** @param {Entry[]} entries @param {string} subject @param {any} document whose time is that of the list */
  show(entries, subject, document) {
    this.entries = entries;
    byId('pending-time').textContent = document?.metadata?.now
      ? `as of ${document.metadata.now.replace('T', ' ').replace('Z', ' UTC')}`
      : '';
    this.choose(subject);
  }

  /** @param {string} subject */
  choose(subject) {
    this.subject = subject;
    this.draw();
  }

  draw() {
    const wanted = this.entries.filter(entry => entry.subject.includes(this.filter.value.trim()));
    byId('pending-filter-box').hidden = this.entries.length < 10;
    replace(
      byId('pending-list'),
      this.entries.length > 1 && this.button('', 'All pending', '', ''),
      ...[...byOutcome(wanted)].map(([outcome, group]) => this.group(outcome, group))
    );
  }

  /** @param {string} outcome @param {Entry[]} group */
  group(outcome, group) {
    const rest = group.length - SHOWN;
    return element(
      'section',
      {},
      element(
        'h3',
        {},
        element('span', {class: `outcome o-${outcome.replace(' ', '-')}`}),
        `${outcome} `,
        element('span', {class: 'count'}, String(group.length))
      ),
      element(
        'ul',
        {},
        ...group
          .slice(0, SHOWN)
          .map(entry => element('li', {}, this.button(entry.subject, entry.subject, entry.priority, entry.summary)))
      ),
      rest > 0 && element('p', {class: 'dim'}, `${rest} more: filter by name`)
    );
  }

  /** @param {string} subject @param {string} name @param {string} priority @param {string} summary */
  button(subject, name, priority, summary) {
    return element(
      'button',
      {
        type: 'button',
        class: 'pod',
        'aria-current': subject === this.subject ? 'true' : undefined,
        click: () => this.onChoose(subject),
      },
      element('span', {class: 'name'}, name),
      priority && element('span', {class: 'priority'}, priority),
      summary && element('span', {class: 'summary'}, summary)
    );
  }
}
