// Copies a report that the program has written as HTML (-o html): its words, tables and bars. The parser that reads it
// runs nothing and loads nothing; of what it has read, only the elements and attributes below are made again.
// src/report/formats of the program writes them, and escapes all texts of an input.

import {element} from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const MANY_ROWS = 100;

/**
 * The elements of a report, each with the element that the page makes of it: its headings are one level lower here.
 */
const TAGS = new Map([
  ['h1', 'h2'],
  ['h2', 'h3'],
  ['h3', 'h4'],
  ...[
    'a',
    'br',
    'code',
    'dd',
    'details',
    'div',
    'dl',
    'dt',
    'em',
    'figcaption',
    'figure',
    'footer',
    'header',
    'li',
    'mark',
    'ol',
    'p',
    'pre',
    'section',
    'span',
    'strong',
    'summary',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ].map(tag => /** @type {[string, string]} */ ([tag, tag])),
]);
const SVG_TAGS = new Set(['svg', 'g', 'rect', 'line', 'text', 'title', 'foreignObject']);

/** @type {Record<string, RegExp>} */
const ATTRIBUTES = {
  class: /^[\w -]*$/,
  role: /^img$/,
  'aria-label': /^/,
  'data-head': /^/,
  'text-anchor': /^(start|middle|end)$/,
  x: /^[\d.]+%?$/,
  y: /^[\d.]+%?$/,
  x1: /^[\d.]+%?$/,
  x2: /^[\d.]+%?$/,
  y1: /^[\d.]+%?$/,
  y2: /^[\d.]+%?$/,
  width: /^[\d.]+%?$/,
  height: /^[\d.]+%?$/,
  colspan: /^\d+$/,
  scope: /^(row|col)$/,
};

const policy = trustedPolicy();

/** Chromium refuses to parse text as HTML without a policy, so that this is the only place that can do it. */
function trustedPolicy() {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const rules = {createHTML: (/** @type {string} */ text) => text};
  return types ? types.createPolicy('previct-report', rules) : rules;
}

/**
 * @param {Element} from
 * @param {Element} to
 * @param {string} prefix of the identifiers, which are unique within one report only
 */
function copyAttributes(from, to, prefix) {
  for (const [name, allowed] of Object.entries(ATTRIBUTES)) {
    const value = from.getAttribute(name);
    if (value !== null && allowed.test(value)) to.setAttribute(name, value);
  }
  if (/^[a-z]\d+$/.test(from.id)) to.id = prefix + from.id;
  const href = from.getAttribute('href') ?? '';
  if (/^#[a-z]\d+$/.test(href)) to.setAttribute('href', `#${prefix}${href.slice(1)}`);
}

/**
 * @param {Element} from
 * @returns {Element | undefined}
 */
function emptyCopy(from) {
  if (from.namespaceURI === SVG)
    return SVG_TAGS.has(from.tagName) ? document.createElementNS(SVG, from.tagName) : undefined;
  const tag = TAGS.get(from.localName);
  return tag ? document.createElement(tag) : undefined;
}

/**
 * @param {Iterable<Node>} children
 * @param {Element} to
 * @param {string} prefix
 */
function copyAll(children, to, prefix) {
  for (const child of children) {
    const made = copy(child, prefix);
    if (made) to.append(made);
  }
}

/**
 * A closed part with many rows is copied when the reader opens it.
 * @param {Element} from
 * @param {Element} to
 * @param {string} prefix
 */
function copyLater(from, to, prefix) {
  const [summary, ...rest] = [...from.children];
  copyAll([summary], to, prefix);
  to.addEventListener(
    'toggle',
    () => {
      copyAll(rest, to, prefix);
      makeReachable(to);
    },
    {once: true}
  );
}

/**
 * @param {Node} from
 * @param {string} prefix
 * @returns {Node | undefined}
 */
function copy(from, prefix) {
  if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.nodeValue ?? '');
  if (!(from instanceof Element)) return undefined;
  const made = emptyCopy(from);
  if (!made) return undefined;
  copyAttributes(from, made, prefix);
  if (from.localName === 'details' && from.querySelectorAll('tr').length > MANY_ROWS) copyLater(from, made, prefix);
  else copyAll(from.childNodes, made, prefix);
  return made;
}

/** A table that is wider than its part can be scrolled with the keyboard. @param {Element} made */
function makeReachable(made) {
  for (const part of made.querySelectorAll('.part')) {
    if (!part.querySelector('table')) continue;
    const name = part.querySelector('h3')?.textContent ?? part.querySelector('th')?.textContent ?? 'Table';
    part.setAttribute('tabindex', '0');
    part.setAttribute('role', 'group');
    part.setAttribute('aria-label', name);
  }
  for (const head of made.querySelectorAll('th')) head.setAttribute('scope', 'col');
}

/** The parts that few readers need are closed at first. @param {Element} made @param {string} heading */
function closePart(made, heading) {
  const found = [...made.children].find(child => child.localName === 'h3' && child.textContent === heading);
  if (!found) return;
  const closed = element('details', {class: 'closed'}, element('summary', {}, heading));
  let next = found.nextElementSibling;
  while (next && !['h2', 'h3', 'footer'].includes(next.localName)) {
    const after = next.nextElementSibling;
    closed.append(next);
    next = after;
  }
  found.replaceWith(closed);
}

/** The page has a style of its own, and its policy does not allow another one. @param {string} html */
function bodyOf(html) {
  const start = html.indexOf('<main>'),
    end = html.indexOf('</main>', start);
  return start < 0 || end < 0 ? '' : html.slice(start, end);
}

/**
 * @param {string} html
 * @param {string} prefix
 * @returns {HTMLElement}
 */
export function copyReport(html, prefix) {
  const read = new DOMParser().parseFromString(policy.createHTML(bodyOf(html)), 'text/html');
  const made = element('div', {class: 'report'});
  copyAll(read.querySelector('main')?.childNodes ?? [], made, prefix);
  for (const heading of ['Next steps', 'Evidence in the input']) closePart(made, heading);
  makeReachable(made);
  return made;
}

/** The first sentence of a report. @param {Element} report */
export function verdictOf(report) {
  return report.querySelector('h2')?.textContent?.trim() ?? '';
}
