// The page: connects the engine, the files, the list of pods, the time and the panels.

import {announce, byId, element, replace} from './dom.js';
import {Engine} from './engine.js';
import {Session} from './session.js';
import {chosenFiles, decoded, droppedFiles, plainName, unpacked} from './files.js';
import {noticeOf, showAnswer, showSentence} from './answer.js';
import {PendingList, countOf, entriesOf, onlyEntry, onlyPod, readPending} from './pending.js';
import {TimeAxis, axisOf, endsOf} from './time.js';
import {Panels} from './panels.js';
import {Switches} from './switches.js';
import {CHANGED_CLASSES, ClassEditor} from './classes.js';
import {Share} from './share.js';
import {inputWords} from './words.js';

/** A report longer than this is not drawn again for each position of the slider. */
const LONG_REPORT = 150000;
const REST_MILLISECONDS = 150;

/** An answer as JSON has every node: with more than so many, it is asked for only where the reader wants it. */
const MANY_NODES = 200;

class Page {
  /** @param {Engine} engine */
  constructor(engine) {
    this.session = new Session(engine);
    this.list = new PendingList(subject => void this.choose(subject));
    this.axis = new TimeAxis((now, moving) => void this.moveTime(now, moving));
    this.share = new Share(this.session, () => this.panels.current.words(this.session));
    this.panels = new Panels(this.session, () => this.share.draw());
    this.switches = new Switches(this.session, () => void this.changed());
    this.classes = new ClassEditor(this.session, byId('classes'), () => void this.changed());
    /** Answers of an earlier turn are not shown. */
    this.turn = 0;
    this.reportLength = 0;
    this.moving = false;
    this.rest = 0;
    engine.onBusy = busy => this.showBusy(busy);
    this.listen();
  }

  listen() {
    window.addEventListener('unhandledrejection', event => this.notice(String(event.reason)));
    const choose = /** @type {HTMLInputElement} */ (byId('choose')),
      more = /** @type {HTMLInputElement} */ (byId('choose-manifest'));
    choose.addEventListener('change', () => {
      if (choose.files) void this.add(chosenFiles(choose.files));
      choose.value = '';
    });
    more.addEventListener('change', () => {
      if (more.files) void this.addManifests(chosenFiles(more.files));
      more.value = '';
    });
    document.addEventListener('dragover', event => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    document.addEventListener('dragleave', event => {
      if (!event.relatedTarget) document.body.classList.remove('dropping');
    });
    document.addEventListener('drop', event => {
      event.preventDefault();
      document.body.classList.remove('dropping');
      if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(files => this.add(files));
    });
    byId('example').addEventListener(
      'click',
      () => void this.add([{name: 'example.yaml', content: new Blob([byId('example-data').textContent ?? ''])}])
    );
    byId('clear').addEventListener('click', () => this.clear());
    byId('stop').addEventListener('click', () => this.stop());
    byId('reset').addEventListener('click', () => this.reset());
    byId('what-if').addEventListener('toggle', () => void this.classes.load());
  }

  /** @param {import('./files.js').Dropped[]} files */
  async add(files) {
    try {
      for (const file of files) this.session.addFile(plainName(file.name), file.content);
    } catch (thrown) {
      return this.notice(/** @type {Error} */ (thrown).message);
    }
    if (files.length) await this.openInput('');
  }

  /** @param {string} text an error of the page itself */
  notice(text) {
    replace(byId('notices'), element('pre', {class: 'notice error', role: 'alert'}, text));
  }

  /** @param {import('./files.js').Dropped[]} files */
  async addManifests(files) {
    for (const file of files) this.session.setManifest(plainName(file.name), file.content);
    await this.changedManifests();
  }

  addedManifests() {
    return this.session.settings.manifests.filter(name => name !== CHANGED_CLASSES);
  }

  /** The program explains the pod of a manifest, if it has one. */
  async changedManifests() {
    this.session.subject = '';
    replace(
      byId('manifests'),
      ...this.addedManifests().map(name =>
        element(
          'li',
          {},
          element('code', {}, name),
          ' ',
          element(
            'button',
            {
              type: 'button',
              click: () => {
                this.session.setManifest(name, undefined);
                void this.changedManifests();
              },
            },
            `Remove ${name}`
          )
        )
      )
    );
    await this.changed();
  }

  /** New files: the answer first, then what is in the files, then the list. @param {string} subject @param {string} now */
  async openInput(subject, now = '') {
    const turn = ++this.turn;
    byId('start').hidden = true;
    byId('work').hidden = false;
    byId('clear').hidden = false;
    this.session.subject = subject;
    this.session.settings.now = now;
    this.classes.forget();
    this.list.show([], '', undefined);
    this.axis.show(undefined, '');
    replace(byId('unchanged'));
    await this.answer();
    const inspected = await this.session.askJson(['inspect', ...inputWords(this.session.settings)]);
    if (turn !== this.turn) return;
    this.drawInput(inspected);
    await this.readList(inspected, turn);
    await this.panels.renew();
    await this.switches.read(inspected);
    if (/** @type {HTMLDetailsElement} */ (byId('what-if')).open) await this.classes.load();
  }

  /** @param {any} inspected @param {number} turn */
  async readList(inspected, turn) {
    this.inspected = inspected;
    const pod = this.addedManifests().length ? undefined : onlyPod(inspected),
      pending = pod ? undefined : await readPending(this.session, inspected),
      entries = entriesOf(pending);
    if (turn !== this.turn) return;
    if (pod) this.session.subject = `${pod.namespace}/${pod.name}`;
    if (entries.length === 1) this.session.subject = entries[0].subject;
    const timeline = await this.readAxis(turn);
    if (turn === this.turn)
      this.list.show(pod ? onlyEntry(pod, timeline) : entries, this.session.subject, pending ?? timeline);
  }

  /** @param {any} inspected */
  drawInput(inspected) {
    const missing = (inspected?.needs ?? []).filter(
      (/** @type {any} */ need) => need.necessary && need.state !== 'there'
    );
    replace(
      byId('input-summary'),
      element('strong', {}, this.session.settings.inputs.join(', ')),
      ` · Pod ${countOf(inspected, 'Pod')} · Node ${countOf(inspected, 'Node')}`,
      missing.length > 0 &&
        element(
          'button',
          {type: 'button', class: 'missing', click: () => void this.panels.show('input')},
          `missing: ${missing.map((/** @type {any} */ need) => need.kind.split('/').at(-1)).join(', ')}`
        )
    );
  }

  /** @param {number} turn @returns {Promise<any>} the timeline */
  async readAxis(turn) {
    if (!this.session.subject) return void this.axis.show(undefined, '');
    const {now} = this.session.settings;
    this.session.settings.now = '';
    const words = this.session.explainWords(['--horizon', '24h']),
      explain = this.session.explainWords();
    this.session.settings.now = now;
    const timeline = await this.session.askJson(words);
    if (turn !== this.turn) return timeline;
    this.axis.show(axisOf(timeline), now);
    if (countOf(this.inspected, 'Node') <= MANY_NODES) this.axis.showEnds(endsOf(await this.session.askJson(explain)));
    return timeline;
  }

  /** The whole answer, as a report. */
  async answer() {
    byId('verdict').classList.add('old');
    this.share.draw();
    const words = this.session.explainWords();
    const answer = await this.session.ask([...words, '-o', 'html']);
    if (words.join('\0') !== this.session.explainWords().join('\0')) return;
    this.reportLength = answer.out.length;
    for (const id of ['panel-answer', 'verdict']) byId(id).classList.remove('old');
    if (answer.out) showAnswer(answer);
    else replace(byId('verdict'), element('h2', {}, answer.status < 0 ? 'Stopped.' : 'No answer.'));
    replace(byId('notices'), answer.out ? null : noticeOf(answer));
    if (!answer.out) replace(byId('panel-answer'));
    document.title = `previct: ${byId('verdict').querySelector('h2')?.textContent ?? ''}`;
    if (!this.moving) announce(byId('verdict').querySelector('h2')?.textContent ?? '');
    this.showMemory(answer.milliseconds);
  }

  /** @param {string} subject */
  async choose(subject) {
    const turn = ++this.turn;
    replace(byId('unchanged'));
    this.session.subject = subject;
    this.list.choose(subject);
    this.switches.draw();
    this.axis.show(undefined, '');
    await this.answer();
    await this.readAxis(turn);
    await this.showUnchanged();
    await this.panels.renew();
  }

  /** A switch has changed: everything is asked again. */
  async changed() {
    const turn = ++this.turn;
    byId('changed').hidden = !this.hasChanges();
    await this.answer();
    await this.readList(this.inspected, turn);
    await this.showUnchanged();
    await this.panels.renew();
  }

  /** Beside an answer with changes: the first sentence of the answer without them. */
  async showUnchanged() {
    const box = byId('unchanged');
    if (!this.hasChanges()) return replace(box);
    const answer = await this.session.ask([...this.session.unchangedWords(), '--show', 'chosen']);
    replace(box, answer.out && element('span', {}, `without the changes: ${answer.out.split('\n')[0]}`));
  }

  hasChanges() {
    const {flags, manifests} = this.session.settings;
    return manifests.length > 0 || Object.values(flags).some(Boolean);
  }

  reset() {
    for (const name of this.addedManifests()) this.session.setManifest(name, undefined);
    this.switches.reset();
    this.classes.reset();
    void this.changedManifests();
  }

  /** While the slider moves, only the newest time is asked for. @param {string} now @param {boolean} moving */
  async moveTime(now, moving) {
    this.session.settings.now = now;
    this.share.draw();
    window.clearTimeout(this.rest);
    this.rest = window.setTimeout(() => void this.settle(), moving ? REST_MILLISECONDS : 0);
    if (this.moving || !moving) return;
    this.moving = true;
    for (let asked = ''; asked !== this.session.settings.now;) {
      asked = this.session.settings.now;
      await this.answerWhileMoving();
    }
    this.moving = false;
  }

  async answerWhileMoving() {
    if (this.reportLength < LONG_REPORT) return this.answer();
    const answer = await this.session.ask(this.session.momentWords());
    if (answer.out) showSentence(answer);
    this.showMemory(answer.milliseconds);
  }

  /** The time has come to rest: the whole answer, and the open panel. */
  async settle() {
    await this.answer();
    await this.showUnchanged();
    await this.panels.renew();
  }

  /** @param {boolean} busy */
  showBusy(busy) {
    document.body.classList.toggle('busy', busy);
    byId('stop').hidden = !busy;
  }

  /** @param {number} milliseconds */
  showMemory(milliseconds) {
    const mebibytes = Math.round(this.session.engine.memory / 2 ** 20);
    const used = mebibytes ? `; the engine uses ${mebibytes} MiB of at most 4096 MiB` : '';
    byId('state').textContent = `answered in ${Math.round(milliseconds)} ms${used}`;
  }

  stop() {
    this.turn++;
    this.moving = false;
    window.clearTimeout(this.rest);
    this.session.engine.stop();
    announce('stopped');
  }

  clear() {
    this.session.clear();
    this.stop();
    byId('start').hidden = false;
    byId('work').hidden = true;
    byId('clear').hidden = true;
    byId('changed').hidden = true;
    replace(byId('notices'));
    replace(byId('input-summary'));
    this.panels.fresh.clear();
    void this.panels.show('answer');
  }
}

/** @returns {Promise<Engine>} */
async function startEngine() {
  const packed = byId('engine').textContent ?? '';
  const module = packed
    ? await WebAssembly.compile(/** @type {any} */ (globalThis).fzstd.decompress(unpacked(packed)))
    : undefined;
  byId('engine').remove();
  const url = trusted(URL.createObjectURL(new Blob([byId('worker').textContent ?? ''], {type: 'text/javascript'})));
  return new Engine(() => new Worker(url), module);
}

/** @param {string} url @returns {any} */
function trusted(url) {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  return types
    ? types.createPolicy('previct-worker', {createScriptURL: (/** @type {string} */ one) => one}).createScriptURL(url)
    : url;
}

/**
 * What previct explain -o app=FILE has put into the page (cli/app.cpp).
 * @typedef {{files: {name: string, base64: string}[], subject: string, flags: Record<string, string>, now: string}} Data
 */

/** @param {Page} page */
async function openData(page) {
  const text = byId('data').textContent?.trim();
  if (!text) return;
  const {files, subject, flags, now} = /** @type {Data} */ (JSON.parse(text));
  for (const file of files) page.session.addFile(plainName(file.name), new Blob([decoded(file.base64)]));
  page.session.settings.given = flags;
  await page.openInput(subject, now);
}

async function start() {
  const page = new Page(await startEngine());
  // For tests: what the page asks, and what it gets.
  /** @type {any} */ (globalThis).previct = page;
  byId('state').textContent = 'ready';
  document.body.dataset.ready = 'true';
  await openData(page);
}

start().catch(thrown => {
  byId('state').textContent = `this browser cannot run the engine: ${thrown}`;
});
