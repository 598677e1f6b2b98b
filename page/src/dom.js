// Builds elements. Text always becomes a text node, so that no text of an input is read as HTML.

/** @typedef {Node | string | false | null | undefined} Child */

/**
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
function setProperty(element, name, value) {
  if (value === undefined || value === false || value === null) return;
  if (typeof value === 'function') element.addEventListener(name, /** @type {EventListener} */ (value));
  else element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [properties] attributes, and listeners by the name of the event
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setProperty(made, name, value);
  append(made, children);
  return made;
}

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, properties = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(properties)) setProperty(made, name, value);
  append(made, children);
  return made;
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) if (child) parent.append(child);
}

/**
 * @param {Element} parent
 * @param {...Child} children
 */
export function replace(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/**
 * Says a short text to screen readers.
 * @param {string} text
 */
export function announce(text) {
  byId('said').textContent = text;
}

/**
 * Copies a text, or selects it where the browser does not allow that.
 * @param {string} text
 * @param {Element} shown the element that shows it
 */
export async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    announce('copied');
  } catch {
    getSelection()?.selectAllChildren(shown);
    announce('selected');
  }
}
