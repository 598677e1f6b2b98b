// The switches: flags of the program that change the answer.

import {byId, element, replace} from './dom.js';

/** @typedef {import('./session.js').Session} Session */
/**
 * @typedef {{flag: string, label: string, hint: string, engine?: string, values?: string[], ofPod?: boolean}} Switch
 */

/** @type {Switch[]} */
const SWITCHES = [
  {flag: '--toleration-plugin', label: 'PreemptionToleration', hint: '', engine: 'kube', values: ['auto', 'on', 'off']},
  {flag: '--k8s-version', label: 'Release of kube-scheduler', hint: '1.35', engine: 'kube'},
  {flag: '--kai-version', label: 'Release of KAI Scheduler', hint: '0.18', engine: 'kai'},
  {flag: '--yunikorn-version', label: 'Release of YuniKorn', hint: '1.9', engine: 'yunikorn'},
  {flag: '--kueue-version', label: 'Release of Kueue', hint: '0.19.0', engine: 'kueue'},
  {flag: '--feature-gates', label: 'Feature gates', hint: 'A=true,B=false', engine: 'kube'},
  {flag: '--priority-class', label: 'Priority class of the pod', hint: '', ofPod: true, values: []},
  {flag: '--request', label: 'Requests of the pod', hint: 'cpu=2,memory=4Gi', ofPod: true},
];

/** The names of the classes, as completion in a shell gets them. @param {Session} session */
async function classNames(session) {
  const answer = await session.ask([
    '__complete',
    'explain',
    ...session.settings.inputs.flatMap(name => ['-f', name]),
    '--priority-class',
    '',
  ]);
  return answer.out
    .split('\n')
    .filter(line => line && !line.startsWith(':'))
    .map(line => line.split('\t')[0]);
}

export class Switches {
  /** @param {Session} session @param {() => void} onChange */
  constructor(session, onChange) {
    this.session = session;
    this.onChange = onChange;
    /** @type {string[]} */
    this.classes = [];
    /** @type {Set<string>} */
    this.engines = new Set();
  }

  /** @param {any} inspected a document of inspect */
  async read(inspected) {
    this.engines = new Set(
      [...(inspected?.schedulers ?? []), ...(inspected?.needs ?? [])].map((/** @type {any} */ each) => each.engine)
    );
    this.classes = await classNames(this.session);
    this.draw();
  }

  draw() {
    const {subject} = this.session;
    const shown = SWITCHES.filter(one => (!one.engine || this.engines.has(one.engine)) && (!one.ofPod || subject));
    replace(byId('switches'), ...shown.map(one => this.field(one)));
  }

  /** @param {Switch} one */
  field(one) {
    const {flags, given} = this.session.settings,
      value = flags[one.flag] ?? '';
    const input = one.values
      ? this.choice(one, value)
      : element('input', {
          type: 'text',
          value,
          placeholder: given[one.flag] ?? one.hint,
          spellcheck: 'false',
          autocomplete: 'off',
        });
    input.addEventListener('change', () => this.set(one.flag, input.value.trim()));
    return element(
      'label',
      {class: value ? 'changed' : ''},
      element('span', {}, one.label),
      input,
      element('code', {}, one.flag)
    );
  }

  /** @param {Switch} one @param {string} value */
  choice(one, value) {
    const names = one.flag === '--priority-class' ? this.classes : (one.values ?? []);
    return element(
      'select',
      {},
      element('option', {value: ''}, 'as in the input'),
      ...names
        .filter(name => name !== 'auto')
        .map(name => element('option', {value: name, selected: name === value}, name))
    );
  }

  /** @param {string} flag @param {string} value */
  set(flag, value) {
    this.session.settings.flags[flag] = value;
    this.onChange();
    this.draw();
  }

  reset() {
    this.session.settings.flags = {};
    this.draw();
  }
}
