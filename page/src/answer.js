// Shows reports of the program in the page.

import {byId, element, replace} from './dom.js';
import {copyReport} from './report.js';

/** @typedef {import('./engine.js').Answer} Answer */

/** Errors and warnings, in the program's words. @param {Answer} answer @returns {HTMLElement | undefined} */
export function noticeOf(answer) {
  const text = answer.err.trim();
  if (!text) return undefined;
  const failed = answer.status === 2 || answer.status < 0;
  return element('pre', {class: failed ? 'notice error' : 'notice', role: failed ? 'alert' : undefined}, text);
}

/** Which closed parts the reader has opened. @param {Element} panel */
function openedIn(panel) {
  return new Set([...panel.querySelectorAll('details[open] > summary')].map(summary => summary.textContent));
}

/** @param {Element} panel @param {Set<string | null>} opened */
function openAgain(panel, opened) {
  for (const summary of panel.querySelectorAll('details > summary'))
    if (opened.has(summary.textContent)) summary.parentElement?.setAttribute('open', '');
}

/** @param {Element} panel @param {Answer} answer @param {string} prefix @returns {HTMLElement} the report */
export function showReport(panel, answer, prefix) {
  const opened = openedIn(panel),
    report = copyReport(answer.out, prefix);
  replace(panel, noticeOf(answer), report);
  openAgain(panel, opened);
  return report;
}

/** The verdict above, the rest of the report below. @param {Answer} answer */
export function showAnswer(answer) {
  const panel = byId('panel-answer'),
    report = showReport(panel, answer, 'a-');
  const header = report.querySelector('header');
  if (!header) return;
  header.remove();
  replace(byId('verdict'), ...header.childNodes);
}

/**
 * While the time moves, and the report is too long to be drawn many times a second: the first sentence.
 * @param {Answer} answer
 */
export function showSentence(answer) {
  const [sentence, ...rest] = answer.out.split('\n');
  byId('panel-answer').classList.add('old');
  replace(byId('verdict'), element('h2', {}, sentence), element('p', {}, rest[0] ?? ''));
}
