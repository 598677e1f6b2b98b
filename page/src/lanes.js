// Runs through the steps of a simulation (sequence): a line moves over the lanes of the report, and the step is marked.

import {element, svg, announce} from './dom.js';

/** @typedef {{at: number, what: string, pod: string, node?: string, why?: string}} Step */

const STEP_MILLISECONDS = 700;

/** Steps at the same time are one row of the report's table. @param {Step[]} steps @returns {number[]} the times */
function timesOf(steps) {
  return [...new Set(steps.map(step => step.at))].sort((one, other) => one - other);
}

/** @param {Step} step */
function sentence(step) {
  return [`+${step.at}s`, step.what, step.pod, step.node, step.why].filter(Boolean).join(' · ');
}

class Player {
  /** @param {HTMLElement} figure @param {any} document */
  constructor(figure, document) {
    this.steps = /** @type {Step[]} */ (document.steps);
    this.times = timesOf(this.steps);
    this.length = Math.max(document.length, 1e-9);
    this.index = 0;
    this.timer = 0;
    this.lines = [...figure.querySelectorAll('svg.bar')].map(bar =>
      bar.appendChild(svg('line', {class: 'playhead', y1: '0', y2: '28'}))
    );
    this.said = element('ol', {class: 'steps'});
    this.button = element('button', {type: 'button', click: () => this.toggle()}, 'Play');
    this.slider = /** @type {HTMLInputElement} */ (
      element('input', {
        type: 'range',
        min: '0',
        max: String(this.times.length - 1),
        value: '0',
        'aria-label': 'Step of the simulation',
        input: () => this.show(Number(this.slider.value)),
      })
    );
    this.box = element('div', {class: 'player'}, this.button, this.slider, this.said);
    this.show(0);
  }

  /** @param {number} index */
  show(index) {
    this.index = index;
    const time = this.times[index],
      now = this.steps.filter(step => step.at === time).map(sentence);
    for (const line of this.lines)
      for (const end of ['x1', 'x2']) line.setAttribute(end, `${Math.min((100 * time) / this.length, 99.9)}%`);
    this.slider.value = String(index);
    this.slider.setAttribute('aria-valuetext', now.join('; '));
    this.said.replaceChildren(...now.map(text => element('li', {}, text)));
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.index === this.times.length - 1) this.show(0);
    this.button.textContent = 'Pause';
    this.timer = window.setInterval(() => this.step(), STEP_MILLISECONDS);
  }

  step() {
    if (!this.box.isConnected || this.index === this.times.length - 1) return this.pause();
    this.show(this.index + 1);
    announce(this.said.textContent ?? '');
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.button.textContent = 'Play';
  }
}

/** @param {HTMLElement} report @param {any} document */
export function drawLanes(report, document) {
  const figure = report.querySelector('figure');
  if (figure) figure.after(new Player(figure, document).box);
}
