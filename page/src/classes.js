// Edits the tolerations of PriorityClasses: the manifest with the changed classes is applied to the input first
// (--with).

import {copyText, element, replace} from './dom.js';
import {inputWords} from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {{name: string, labels?: Record<string, string>, annotations?: Record<string, string>}} Metadata */
/** @typedef {{apiVersion: string, kind: string, metadata: Metadata, value: number}} PriorityClass */

const MINIMUM = 'preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority';
const SECONDS = 'preemption-toleration.scheduling.x-k8s.io/toleration-seconds';
/** The file that --with names. */
export const CHANGED_CLASSES = 'changed-classes.yaml';

/** @param {string} captured JSON lines, as capture writes them @returns {PriorityClass[]} */
export function classesIn(captured) {
  return captured
    .split('\n')
    .filter(line => line.includes('"kind":"PriorityClass"'))
    .map(line => JSON.parse(line))
    .filter(object => object.kind === 'PriorityClass')
    .map(withoutServerFields);
}

/**
 * The fields that only the API server sets have no place in a manifest.
 * @param {any} object
 * @returns {PriorityClass}
 */
function withoutServerFields(object) {
  const {name, labels, annotations} = object.metadata;
  const metadata = Object.fromEntries(
    Object.entries({name, labels, annotations}).filter(([, value]) => value !== undefined)
  );
  return {...object, metadata};
}

/** JSON strings are YAML strings. @param {any} value @param {string} indent @returns {string[]} */
function yamlLines(value, indent) {
  return Object.entries(value).flatMap(([key, inner]) =>
    inner && typeof inner === 'object'
      ? [`${indent}${yamlKey(key)}:`, ...yamlLines(inner, `${indent}  `)]
      : [`${indent}${yamlKey(key)}: ${yamlKey(key) === 'kind' || key === 'apiVersion' ? inner : JSON.stringify(inner)}`]
  );
}

/** @param {string} key */
function yamlKey(key) {
  return /^[A-Za-z][\w./-]*$/.test(key) ? key : JSON.stringify(key);
}

/** @param {PriorityClass} one */
export function manifestOf(one) {
  return `${yamlLines(one, '').join('\n')}\n`;
}

/**
 * @param {PriorityClass} one
 * @param {string} annotation
 * @param {string} value empty: without it
 * @returns {PriorityClass}
 */
export function annotated(one, annotation, value) {
  const annotations = {...one.metadata.annotations};
  if (value) annotations[annotation] = value;
  else delete annotations[annotation];
  return {...one, metadata: {...one.metadata, annotations}};
}

/**
 * Lines that are only in one of two manifests, with - and +.
 * @param {string} before
 * @param {string} after
 * @returns {string[]}
 */
export function differenceOf(before, after) {
  const old = before.split('\n'),
    now = after.split('\n');
  const kept = now.filter(line => !old.includes(line)).length;
  if (!kept && old.every(line => now.includes(line))) return [];
  const result = [];
  let at = 0;
  for (const line of now) {
    const same = old.indexOf(line, at);
    if (same < 0) {
      result.push(`+${line}`);
      continue;
    }
    result.push(...old.slice(at, same).map(gone => `-${gone}`), ` ${line}`);
    at = same + 1;
  }
  return [...result, ...old.slice(at).map(gone => `-${gone}`)];
}

export class ClassEditor {
  /** @param {Session} session @param {HTMLElement} box @param {() => void} onChange */
  constructor(session, box, onChange) {
    this.session = session;
    this.box = box;
    this.onChange = onChange;
    /** @type {PriorityClass[]} */
    this.classes = [];
    /** @type {Map<string, PriorityClass>} */
    this.changed = new Map();
    this.result = element('div');
  }

  async load() {
    if (this.classes.length || !this.session.settings.inputs.length) return;
    const answer = await this.session.ask(['capture', ...inputWords(this.session.settings), '--to', '-']);
    this.classes = classesIn(answer.out);
    this.draw();
  }

  /** Other files. */
  forget() {
    this.classes = [];
    this.reset();
  }

  reset() {
    this.changed.clear();
    if (this.session.settings.manifests.includes(CHANGED_CLASSES)) this.session.setManifest(CHANGED_CLASSES, undefined);
    this.draw();
  }

  draw() {
    if (!this.classes.length) return replace(this.box, element('p', {class: 'dim'}, 'The input has no PriorityClass.'));
    const tolerating = this.classes.filter(
      one => one.metadata.annotations?.[MINIMUM] ?? one.metadata.annotations?.[SECONDS]
    );
    const others = this.classes.filter(one => !tolerating.includes(one));
    replace(
      this.box,
      this.list(tolerating),
      others.length > 0 &&
        element(
          'details',
          {open: tolerating.length === 0},
          element('summary', {}, `${others.length} classes without a toleration`),
          this.list(others)
        ),
      this.result
    );
    this.drawResult();
  }

  /** @param {PriorityClass[]} classes */
  list(classes) {
    return element(
      'ul',
      {class: 'classes'},
      ...classes.map(one =>
        element(
          'li',
          {},
          element(
            'span',
            {class: 'name'},
            one.metadata.name,
            ' ',
            element('span', {class: 'count'}, String(one.value))
          ),
          this.field(one, MINIMUM),
          this.field(one, SECONDS)
        )
      )
    );
  }

  /** @param {PriorityClass} one @param {string} annotation */
  field(one, annotation) {
    const {name} = one.metadata,
      value = (this.changed.get(name) ?? one).metadata.annotations?.[annotation] ?? '',
      label = annotation.split('/')[1];
    const input = element('input', {
      type: 'text',
      inputmode: 'numeric',
      value,
      placeholder: 'not set',
      'aria-label': `${label} of ${name}`,
      change: () => this.set(one, annotation, input.value.trim()),
    });
    return element('label', {}, element('span', {}, label), input);
  }

  /** @param {PriorityClass} one @param {string} annotation @param {string} value */
  set(one, annotation, value) {
    const {name} = one.metadata,
      now = annotated(this.changed.get(name) ?? one, annotation, value);
    if (manifestOf(now) === manifestOf(one)) this.changed.delete(name);
    else this.changed.set(name, now);
    const text = [...this.changed.values()].map(manifestOf).join('---\n');
    this.session.setManifest(CHANGED_CLASSES, text ? new Blob([text]) : undefined);
    this.drawResult();
    this.onChange();
  }

  drawResult() {
    const changed = [...this.changed.values()],
      text = changed.map(manifestOf).join('---\n');
    if (!text) return replace(this.result);
    const lines = changed.flatMap(now =>
      differenceOf(
        manifestOf(/** @type {PriorityClass} */ (this.classes.find(one => one.metadata.name === now.metadata.name))),
        manifestOf(now)
      )
    );
    replace(
      this.result,
      element(
        'pre',
        {class: 'difference', tabindex: '0', 'aria-label': 'Changed manifests'},
        ...lines.map(line => element('span', {class: lineClass(line)}, `${line}\n`))
      ),
      element('button', {type: 'button', click: () => void copyText(text, this.result)}, 'Copy the manifest')
    );
  }
}

/** @param {string} line */
function lineClass(line) {
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
}
