// All nodes as a grid, colored by verdict; a node opens with the steps of the decision there (explain --node).

import {element, replace} from './dom.js';

/** @typedef {{name: string, verdict: string}} NodeAnswer */

/** Cells of larger groups have no names. */
const SMALL_CELLS = 60;

/** @param {NodeAnswer[]} nodes @returns {Map<string, NodeAnswer[]>} */
export function byVerdict(nodes) {
  /** @type {Map<string, NodeAnswer[]>} */
  const groups = new Map();
  for (const node of nodes) groups.set(node.verdict, [...(groups.get(node.verdict) ?? []), node]);
  return groups;
}

/** Arrow keys move between the nodes. @param {KeyboardEvent} event */
function move(event) {
  const cells = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll('button')];
  const index = cells.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  const row = cells.filter(cell => cell.offsetTop === cells[0].offsetTop).length;
  /** @type {Record<string, number>} */
  const steps = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row};
  const next = cells[index + (steps[event.key] ?? NaN)];
  if (!next) return;
  event.preventDefault();
  cells[index].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** The report of one node begins with what the answer says already. @param {Element} box @param {Element} known */
export function leaveOutKnown(box, known) {
  const texts = new Set([...known.querySelectorAll('.report > *')].map(part => part.textContent));
  for (const part of box.querySelectorAll('.report > *'))
    if (part.localName === 'header' || texts.has(part.textContent)) part.remove();
}

/** What the report calls the verdicts of the nodes. @returns {Map<string | null, string | null>} */
function reportWords() {
  const rows = [...document.querySelectorAll('#panel-answer td[data-head=VERDICT]')];
  return new Map(
    rows.map(cell => [cell.parentElement?.querySelector('td[data-head=NODE]')?.textContent ?? null, cell.textContent])
  );
}

/** @param {NodeAnswer[]} group @param {Map<string | null, string | null>} words */
function wordOf(group, words) {
  const known = group.find(node => words.has(node.name));
  return known && words.get(known.name);
}

/** @param {HTMLElement} box @param {any} answer @param {(name: string, place: HTMLElement) => Promise<void>} open */
export function drawGrid(box, answer, open) {
  const nodes = /** @type {NodeAnswer[]} */ (answer.nodes ?? []),
    words = reportWords();
  if (!nodes.length) {
    const why = answer.items ? 'Select a pending pod to see its nodes.' : 'This answer has no list of nodes.';
    replace(box, element('p', {}, why));
    return;
  }
  const place = element('div', {class: 'node-answer', 'aria-live': 'polite'});
  const groups = [...byVerdict(nodes)].map(([verdict, group]) =>
    drawGroup(verdict, wordOf(group, words) ?? verdict, group, name => void open(name, place))
  );
  replace(box, element('p', {class: 'dim'}, 'Select a node to see each step of the decision.'), ...groups, place);
}

/** @param {string} verdict @param {string} word @param {NodeAnswer[]} group @param {(name: string) => void} open */
function drawGroup(verdict, word, group, open) {
  const small = group.length > SMALL_CELLS;
  const cells = element(
    'div',
    {class: small ? 'cells small' : 'cells', role: 'group', 'aria-label': `nodes: ${word}`, keydown: move},
    ...group.map((node, index) =>
      element(
        'button',
        {
          type: 'button',
          class: `cell v-${verdict}`,
          title: `${node.name}: ${word}`,
          'aria-label': `${node.name}: ${word}`,
          tabindex: index === 0 ? '0' : '-1',
          click: (/** @type {Event} */ event) => {
            for (const cell of document.querySelectorAll('.cell[aria-current]')) cell.removeAttribute('aria-current');
            /** @type {Element} */ (event.currentTarget).setAttribute('aria-current', 'true');
            open(node.name);
          },
        },
        small ? '' : node.name
      )
    )
  );
  return element(
    'section',
    {class: 'nodes'},
    element(
      'h3',
      {},
      element('span', {class: `outcome v-${verdict}`}),
      `${word} `,
      element('span', {class: 'count'}, String(group.length))
    ),
    cells
  );
}
