// The time axis: what would happen at which time (explain POD --horizon), and a slider to move the time.

import {byId, element, replace, svg} from './dom.js';
import {rfc3339} from './words.js';

/** @typedef {{from: string, until?: string, outcome: string, summary: string}} Interval */
/** @typedef {{start: number, end: number, intervals: Interval[]}} Axis */
/** @typedef {{pod: string, until: number}} Toleration */

const MINUTE = 60000;
/** The axis is longer than the last change by this part, so that the last answer can be seen, too. */
const AFTER_LAST = 1.25;
const SHOWN_ENDS = 6;

/** @param {any} timeline a document of the kind Timeline @returns {Axis | undefined} */
export function axisOf(timeline) {
  if (timeline?.kind !== 'Timeline' || !timeline.intervals.length) return undefined;
  const start = Date.parse(timeline.intervals[0].from);
  const last = Date.parse(timeline.intervals.at(-1).from);
  const length = Math.max((last - start) * AFTER_LAST, last > start ? MINUTE : 60 * MINUTE);
  return {start, end: start + Math.ceil(length / 1000) * 1000, intervals: timeline.intervals};
}

/** @param {Axis} axis @param {number} time @returns {Interval} */
export function intervalAt(axis, time) {
  return axis.intervals.findLast(interval => Date.parse(interval.from) <= time) ?? axis.intervals[0];
}

/** The tolerations that end, the first one first. @param {any} explanation @returns {Toleration[]} */
export function endsOf(explanation) {
  return (explanation?.tolerating ?? [])
    .filter((/** @type {any} */ each) => each.toleration?.until)
    .map((/** @type {any} */ each) => ({
      pod: `${each.pod.namespace}/${each.pod.name}`,
      until: Date.parse(each.toleration.until),
    }))
    .sort((/** @type {Toleration} */ one, /** @type {Toleration} */ other) => one.until - other.until);
}

/** The step of the arrow keys: a round number of seconds, about a hundredth of the axis. @param {Axis} axis */
export function stepOf(axis) {
  const wanted = (axis.end - axis.start) / 1000 / 100;
  return [1, 5, 10, 30, 60, 300, 600, 1800, 3600].find(step => step >= wanted) ?? 3600;
}

/** @param {number} time @param {number} start */
function clock(time, start) {
  const text = rfc3339(time);
  return text.slice(0, 10) === rfc3339(start).slice(0, 10)
    ? text.slice(11, 19)
    : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** @param {Axis} axis @param {Toleration} end */
function drawEnd(axis, end) {
  const part = Math.max(0, Math.min(100, (100 * (end.until - axis.start)) / (axis.end - axis.start))),
    until = clock(end.until, axis.start);
  return element(
    'li',
    {},
    svg(
      'svg',
      {class: 'end', width: '100%', height: '20', role: 'img', 'aria-label': `${end.pod} until ${until}`},
      svg('rect', {width: `${part}%`, height: '100%'}),
      svg('text', {x: '6', y: '14'}, `${end.pod} until ${until}`)
    )
  );
}

export class TimeAxis {
  /**
   * @param {(now: string, moving: boolean) => void} onTime the time, empty for that of the input; whether it moves
   */
  constructor(onTime) {
    this.onTime = onTime;
    /** @type {Axis | undefined} */
    this.axis = undefined;
    this.time = 0;
    this.slider = /** @type {HTMLInputElement} */ (byId('time-slider'));
    this.slider.addEventListener('input', () =>
      this.move(this.axis ? this.axis.start + 1000 * Number(this.slider.value) : 0, true)
    );
    this.slider.addEventListener('change', () => this.move(this.time, false));
    this.slider.addEventListener('keydown', event => this.key(event));
    byId('time-back').addEventListener('click', () => this.toChange(-1));
    byId('time-forward').addEventListener('click', () => this.toChange(1));
    byId('time-input').addEventListener('click', () => this.axis && this.move(this.axis.start, false));
  }

  /** @param {Axis | undefined} axis @param {string} now */
  show(axis, now) {
    this.axis = axis;
    byId('time').hidden = !axis;
    this.showEnds([]);
    if (!axis) return;
    this.time = now ? Date.parse(now) : axis.start;
    this.slider.max = String((axis.end - axis.start) / 1000);
    this.slider.step = '1';
    this.drawBands(axis);
    this.drawChanges(axis);
    this.draw(axis);
  }

  /** Bars under the slider, until when pods tolerate the preemption. @param {Toleration[]} ends */
  showEnds(ends) {
    const {axis} = this,
      rest = ends.length - SHOWN_ENDS;
    replace(
      byId('time-ends'),
      ...(axis ? ends.slice(0, SHOWN_ENDS).map(end => drawEnd(axis, end)) : []),
      rest > 0 && element('li', {class: 'dim'}, `${rest} more in Answer`)
    );
    byId('time-ends-head').hidden = ends.length === 0;
  }

  /** @param {number} time @param {boolean} moving */
  move(time, moving) {
    const {axis} = this;
    if (!axis) return;
    this.time = Math.min(Math.max(time, axis.start), axis.end);
    this.draw(axis);
    this.onTime(this.time === axis.start ? '' : rfc3339(this.time), moving);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number>} */
    const steps = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10};
    if (!this.axis || !steps[event.key]) return;
    event.preventDefault();
    this.move(this.time + 1000 * stepOf(this.axis) * steps[event.key], false);
  }

  /** @param {-1 | 1} direction */
  toChange(direction) {
    const times = this.axis?.intervals.map(interval => Date.parse(interval.from)) ?? [];
    const next = direction > 0 ? times.find(time => time > this.time) : times.findLast(time => time < this.time);
    if (next !== undefined) this.move(next, false);
  }

  /** @param {Axis} axis */
  draw(axis) {
    const interval = intervalAt(axis, this.time),
      text = clock(this.time, axis.start);
    this.slider.value = String(Math.round((this.time - axis.start) / 1000));
    this.slider.setAttribute('aria-valuetext', `${text}: ${interval.summary}`);
    byId('time-now').textContent = `${text} UTC`;
    const times = axis.intervals.map(each => Date.parse(each.from));
    /** @type {HTMLButtonElement} */ (byId('time-back')).disabled = !times.some(time => time < this.time);
    /** @type {HTMLButtonElement} */ (byId('time-forward')).disabled = !times.some(time => time > this.time);
    for (const change of byId('time-changes').querySelectorAll('button'))
      change.setAttribute('aria-pressed', String(change.dataset.from === interval.from));
  }

  /** @param {Axis} axis */
  drawBands(axis) {
    const length = axis.end - axis.start;
    const part = (/** @type {number} */ time) => (100 * (Math.min(time, axis.end) - axis.start)) / length;
    replace(
      byId('time-bands'),
      ...axis.intervals.map((interval, index) => {
        const from = part(Date.parse(interval.from)),
          until = interval.until ? part(Date.parse(interval.until)) : 100;
        return svg(
          'rect',
          {
            class: `band o-${interval.outcome}${index % 2 ? ' odd' : ''}`,
            x: `${from}%`,
            width: `${Math.max(until - from, 0)}%`,
            height: '100%',
          },
          svg('title', {}, interval.summary)
        );
      })
    );
    byId('time-from').textContent = clock(axis.start, axis.start);
    byId('time-to').textContent = clock(axis.end, axis.start);
  }

  /** @param {Axis} axis */
  drawChanges(axis) {
    replace(
      byId('time-changes'),
      ...axis.intervals.map(interval => {
        const time = Date.parse(interval.from);
        return element(
          'li',
          {},
          element(
            'button',
            {type: 'button', 'data-from': interval.from, click: () => this.move(time, false)},
            element('span', {class: `outcome o-${interval.outcome}`}),
            element('time', {datetime: interval.from}, clock(time, axis.start)),
            ` ${interval.summary}`
          )
        );
      })
    );
  }
}
