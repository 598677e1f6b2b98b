// The page in a browser. With PAGE set to a built page, the engine inside answers; otherwise the native program does.

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {createRequire} from 'node:module';
import {Browser, firefox, idle, openFiles, program, repository, textOf} from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const manual = repository('fixtures/manual/dump.yaml');
const tolerations = [repository('fixtures/demo/tolerations.yaml'), repository('fixtures/demo/scheduler.yaml')];
const full = repository('fixtures/demo/full-cluster.yaml.zst');
/** Every so many of the fixtures; 1: all. */
const EVERY = Number(process.env.EVERY ?? 40);

let browser, scratch;
before(async () => {
  browser = await Browser.open();
  scratch = mkdtempSync(join(tmpdir(), 'previct-page-test-'));
});
after(async () => {
  await browser.close();
  rmSync(scratch, {recursive: true});
});

/** What the program answers in the folder of a file, so that it has the same name as in the page. */
function native(file, ...words) {
  const run = spawnSync(program, words, {cwd: dirname(file), maxBuffer: 1 << 28, env: {PATH: '/nonexistent'}});
  return {status: run.status, out: run.stdout.toString(), err: run.stderr.toString()};
}

const firstLine = text => text.split('\n')[0];
const askPage = (page, words) => page.evaluate(asked => globalThis.previct.session.ask(asked), words);

async function withPage(look, use) {
  const page = await browser.page(look);
  try {
    await use(page);
    assert.deepEqual(page.left, [], 'requests that left the page');
    assert.deepEqual(page.faults, [], 'faults in the page');
  } finally {
    await page.close();
  }
}

async function openTab(page, id) {
  await page.click(`#tab-${id}`);
  await idle(page);
}

/** Lowers a value as the reader's hand would, without waiting. */
async function slide(page, value) {
  await page.$eval(
    '#time-slider',
    (slider, to) => {
      slider.value = String(to);
      slider.dispatchEvent(new Event('input', {bubbles: true}));
    },
    value
  );
}

test('the verdict, the table of victims and the pod are those of the program', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    const text = native(manual, 'explain', '-f', 'dump.yaml').out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
    const victims = await page.$$eval('#panel-answer .report > .part:first-child tbody td:first-child', cells =>
      cells.map(cell => cell.textContent)
    );
    assert.deepEqual(victims, ['ml/nightly-eval-7f9c4', 'batch/resize-img-2kq8x']);
    assert.equal(await textOf(page, '.pod[aria-current] .name'), 'ml/train-big-0');
    assert.equal(await textOf(page, '#command'), 'previct explain -f dump.yaml ml/train-big-0');
  }));

test('pending pods are grouped by outcome, and a pod opens', () =>
  withPage({}, async page => {
    await openFiles(page, full);
    const groups = await page.$$eval('#pending-list h3', heads => heads.map(head => head.textContent));
    assert.deepEqual(groups, ['preempts 1', 'pending 4']);
    await page.click('#pending-list li .pod');
    await idle(page);
    const text = native(full, 'explain', '-f', basename(full), 'payments-prod/urgent').out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
  }));

test('the verdict changes when the time passes the end of a toleration', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    // The toleration of ml/epoch-run-3 ends at 22:58:30, 1043 seconds after 22:41:07, the time of the input.
    for (const [value, now] of [
      [1042, '2026-11-20T22:58:29Z'],
      [1043, '2026-11-20T22:58:30Z'],
    ]) {
      await slide(page, value);
      await idle(page);
      const text = native(manual, 'explain', '-f', 'dump.yaml', 'ml/train-big-0', '--now', now).out;
      assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
      assert.ok((await textOf(page, '#command')).endsWith(`--now ${now} ml/train-big-0`));
    }
    assert.match(await textOf(page, '#verdict h2'), /would preempt ml\/epoch-run-3 on gpu-3/);
  }));

test('while the time is dragged, the last answer is that of the last time', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    for (let value = 0; value <= 1800; value += 60) await slide(page, value);
    await idle(page);
    const text = native(manual, 'explain', '-f', 'dump.yaml', 'ml/train-big-0', '--now', '2026-11-20T23:11:07Z').out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
  }));

test('next change goes to the moments of the program, with the keyboard', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    await page.focus('#time-forward');
    await page.keyboard.press('Enter');
    await idle(page);
    assert.equal(await textOf(page, '#time-now'), '22:58:30 UTC');
    await page.focus('#time-slider');
    await page.keyboard.press('ArrowRight');
    await idle(page);
    // A step of the axis is 30 seconds: it is 2179 seconds long.
    assert.equal(await textOf(page, '#time-now'), '22:59:00 UTC');
  }));

/** The page with a state inside, as previct explain -o app=FILE writes it. */
function pageWith(...words) {
  const path = join(scratch, 'app.html');
  execFileSync(program, ['explain', ...words, '-o', `app=${path}`], {env: {PREVICT_PAGE: browser.prepared.path}});
  return path;
}

test('explain -o app writes a page that opens with the answer', () => {
  const words = ['ml/train-big-0', '--now', '2026-11-20T22:58:30Z', '--k8s-version', '1.33'];
  return withPage({path: pageWith('-f', manual, ...words)}, async page => {
    await idle(page);
    const text = native(manual, 'explain', '-f', 'dump.yaml', ...words).out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
    const command = 'previct explain -f state.jsonl.zst --k8s-version 1.33 --now 2026-11-20T22:58:30Z ml/train-big-0';
    assert.equal(await textOf(page, '#command'), command);
    assert.equal(await textOf(page, '#time-now'), '22:58:30 UTC');
    assert.equal(await textOf(page, '#unchanged'), '');
  });
});

test('explain -o app puts flags, manifests and configurations into the page', async () => {
  const [dump, configuration] = tolerations;
  await withPage({path: pageWith('-f', dump, '--scheduler-config', configuration)}, async page => {
    await idle(page);
    const text = native(dump, 'explain', '-f', basename(dump), '--scheduler-config', configuration).out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
  });
  const overlay = ['-f', manual, 'ml/train-big-0', '--request', 'nvidia.com/gpu=1'];
  await withPage({path: pageWith(...overlay)}, async page => {
    await idle(page);
    const text = native(manual, 'explain', ...overlay).out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
  });
});

test('explain -o app: no text of a command line or of a dump ends the script, and no Secret is in the page', () =>
  withPage({}, async () => {
    const dump = join(scratch, 'hostile.yaml');
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: ml}\nstringData: {k: hidden-canary}\n';
    writeFileSync(dump, `${readFileSync(manual)}\n---\n${secret}`);
    const written = readFileSync(pageWith('-f', dump, 'ml/train-big-0', '--feature-gates', '</script><b>=true'), 'utf8');
    const [, data] = written.match(/id="data">(.*?)<\/script>/s);
    const {files, flags} = JSON.parse(data);
    assert.equal(flags['--feature-gates'], '</script><b>=true');
    const state = spawnSync('zstd', ['-dc'], {input: Buffer.from(files[0].base64, 'base64')}).stdout.toString();
    assert.match(state, /train-big-0/);
    assert.doesNotMatch(state, /hidden-canary/);
  }));

test('each tab shows what its command prints, with the keyboard', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    await page.focus('#tab-answer');
    const commands = [
      ['nodes', null],
      ['tolerations', ['tolerations', '-f', 'dump.yaml']],
      ['sequence', ['sequence', '-f', 'dump.yaml']],
      ['fit', ['fit', '-f', 'dump.yaml', 'ml/train-big-0', '--no-victims']],
      ['fleet', ['fleet', '-f', 'dump.yaml']],
      ['input', ['inspect', 'dump.yaml']],
    ];
    for (const [id, words] of commands) {
      await page.keyboard.press('ArrowRight');
      await idle(page);
      assert.equal(await page.$eval('[role=tab][aria-selected=true]', tab => tab.id), `tab-${id}`);
      if (words) assert.equal(await textOf(page, `#panel-${id} h2`), firstLine(native(manual, ...words).out));
    }
  }));

test('a node opens with the steps of its decision', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    await openTab(page, 'nodes');
    const groups = await page.$$eval('.nodes h3', heads => heads.map(head => head.textContent));
    assert.deepEqual(groups, ['chosen 1', 'not yet 2', 'protected 1']);
    await page.click('.cell.v-later');
    await idle(page);
    assert.match(await textOf(page, '.node-answer'), /gpu-3: preemption does not help now; it would from 22:58:30/);
  }));

/** So many full nodes, each with one pod of lower priority, and a pending pod. */
function manyNodes(count) {
  const pod = (name, priority, rest) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name, namespace: 'ml', creationTimestamp: '2026-11-20T22:00:00Z'},
    spec: {priority, containers: [{name: 'c', image: 'x', resources: {requests: {cpu: '2'}}}], ...rest},
    status: {phase: rest.nodeName ? 'Running' : 'Pending'},
  });
  const numbers = Array.from({length: count}, (_, index) => index);
  const nodes = numbers.map(index => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: `node-${index}`},
    status: {allocatable: {cpu: '2', memory: '8Gi', pods: '10'}},
  }));
  const running = numbers.map(index => pod(`run-${index}`, index, {nodeName: `node-${index}`}));
  return JSON.stringify({apiVersion: 'v1', kind: 'List', items: [...nodes, ...running, pod('wanted', 1000, {})]});
}

test('with many nodes, the long table is drawn when it is opened, and the grid has a cell for each node', () =>
  withPage({}, async page => {
    const file = join(scratch, 'many.json');
    writeFileSync(file, manyNodes(130));
    await openFiles(page, file);
    const rows = () => page.$$eval('#panel-answer details.whole td[data-head=NODE]', cells => cells.length);
    assert.equal(await rows(), 0);
    await page.click('#panel-answer details.whole > summary');
    await page.waitForFunction(
      () => document.querySelectorAll('#panel-answer details.whole td[data-head=NODE]').length === 130
    );
    await openTab(page, 'nodes');
    assert.equal(await page.$$eval('.cell', cells => cells.length), 130);
    await page.focus('.cells.small .cell');
    await page.keyboard.press('ArrowRight');
    assert.equal(
      await page.evaluate(() => document.activeElement?.title),
      await page.$$eval('.cells.small .cell', cells => cells[1].title)
    );
  }));

test('a long report is drawn again when the time rests', () =>
  withPage({}, async page => {
    const file = join(scratch, 'long.json');
    writeFileSync(file, manyNodes(500));
    await openFiles(page, file);
    assert.ok(await page.evaluate(() => globalThis.previct.reportLength > 150000));
    for (const value of [60, 120, 600]) await slide(page, value);
    await idle(page);
    const text = native(file, 'explain', '-f', 'long.json', 'ml/wanted', '--now', '2026-11-20T22:10:00Z').out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
    assert.equal(await page.$eval('#panel-answer', panel => panel.classList.contains('old')), false);
  }));

test('changed toleration-seconds change the answer, and the manifest can be copied', () =>
  withPage({}, async page => {
    await openFiles(page, ...tolerations);
    await page.click('#what-if summary');
    await idle(page);
    await page.$eval('input[aria-label="toleration-seconds of low-non-preempted-10min"]', input => {
      input.value = '600';
      input.dispatchEvent(new Event('change'));
    });
    await idle(page);
    const text = native(
      tolerations[0],
      'explain',
      '-f',
      'tolerations.yaml',
      '-f',
      'scheduler.yaml',
      '--with',
      repository('fixtures/whatif/longer.yaml'),
      'default/preemptor'
    ).out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
    assert.match(
      await textOf(page, '.difference'),
      /\+ +preemption-toleration.scheduling.x-k8s.io\/toleration-seconds: "600"\n/
    );
    await openTab(page, 'diff');
    assert.match(await textOf(page, '#panel-diff h2'), /^1 of 1 pending pod would be decided differently/);
    await page.click('#reset');
    await idle(page);
    assert.match(await textOf(page, '#verdict h2'), /would preempt default\/a-10min on node-a/);
  }));

test('a switch is a flag of the program', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    await page.click('#what-if summary');
    await idle(page);
    await page.select('#switches label:first-child select', 'off');
    await idle(page);
    const text = native(manual, 'explain', '-f', 'dump.yaml', '--toleration-plugin', 'off', 'ml/train-big-0').out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
    assert.equal(await textOf(page, '#command'), 'previct explain -f dump.yaml --toleration-plugin off ml/train-big-0');
    assert.equal(
      await textOf(page, '#unchanged'),
      `without the changes: ${firstLine(native(manual, 'explain', '-f', 'dump.yaml').out)}`
    );
  }));

test('a manifest adds its pod, which is explained until the manifest is removed', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    await page.click('#what-if summary');
    const input = await page.$('#choose-manifest'),
      job = repository('fixtures/canary/job.yaml');
    await input.uploadFile(job);
    await idle(page);
    const text = native(manual, 'explain', '-f', 'dump.yaml', '--with', job).out;
    assert.equal(await textOf(page, '#verdict h2'), firstLine(text));
    assert.equal(await textOf(page, '.pod[aria-current] .name'), 'ml/job-new');
    await page.click('#manifests button');
    await idle(page);
    assert.match(await textOf(page, '#verdict h2'), /^ml\/train-big-0 /);
  }));

test('play goes through the steps of a sequence', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    await openTab(page, 'sequence');
    const first = await textOf(page, '.steps');
    await page.click('.player button');
    await page.waitForFunction(before => document.querySelector('.steps').textContent !== before, {}, first);
    assert.match(await textOf(page, '.player button'), /Pause/);
  }));

test('a folder is one input', () =>
  withPage({}, async page => {
    const {name, out} = await page.evaluate(
      async text => {
        const {session} = globalThis.previct;
        session.addFile('gathered/pods/dump.yaml', new Blob([text]));
        const words = session.explainWords();
        return {name: words.slice(1).join(' '), out: (await session.ask(words)).out};
      },
      readFileSync(manual, 'utf8')
    );
    assert.equal(name, '-f gathered -R');
    assert.equal(firstLine(out), firstLine(native(manual, 'explain', '-f', 'dump.yaml').out));
  }));

test('the saved JSON is that of the program', {skip: firefox && 'puppeteer tells only of downloads of Chromium'}, () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    const client = await page.createCDPSession();
    await client.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: scratch, eventsEnabled: true});
    const finished = new Promise(done =>
      client.on('Browser.downloadProgress', event => {
        if (event.state === 'completed') done();
      })
    );
    await page.click('#save-json');
    await finished;
    const expected = native(manual, 'explain', '-f', 'dump.yaml', 'ml/train-big-0', '-o', 'json').out;
    assert.equal(readFileSync(join(scratch, 'previct-explain.json'), 'utf8'), expected);
  }));

test('data inside the page are opened at once', () => {
  const path = join(scratch, 'with-data.html'),
    data = {files: [{name: 'dump.yaml', base64: readFileSync(manual).toString('base64')}], subject: 'ml/train-big-0'};
  const slot = '<script type="application/json" id="data">';
  writeFileSync(
    path,
    readFileSync(browser.prepared.path, 'utf8').replace(slot, () => slot + JSON.stringify(data))
  );
  return withPage({path}, async page => {
    await idle(page);
    assert.equal(await textOf(page, '#verdict h2'), firstLine(native(manual, 'explain', '-f', 'dump.yaml').out));
  });
});

test('a question that takes long can be stopped, and the next one is answered', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    const stopped = await page.evaluate(async () => {
      const {engine} = globalThis.previct.session,
        open = engine.ask(['sequence', '-f', 'dump.yaml']);
      engine.stop();
      return (await open).err;
    });
    assert.equal(stopped, 'stopped');
    assert.equal(
      firstLine((await askPage(page, ['explain', '-f', 'dump.yaml'])).out),
      firstLine(native(manual, 'explain', '-f', 'dump.yaml').out)
    );
  }));

test('an input that cannot be read shows the error of the program', () =>
  withPage({}, async page => {
    const broken = join(scratch, 'broken.yaml');
    writeFileSync(broken, 'kind: Pod\nmetadata: {name: "a\n');
    await openFiles(page, broken);
    assert.equal(
      (await textOf(page, '.notice.error')).trim(),
      native(broken, 'explain', '-f', 'broken.yaml').err.trim()
    );
  }));

test('after an error of a switch, the list does not keep an outcome', () =>
  withPage({}, async page => {
    await openFiles(page, manual);
    await page.click('#what-if summary');
    await idle(page);
    await page.$eval('#switches input[placeholder^="cpu"]', input => {
      input.value = 'cpu=abc';
      input.dispatchEvent(new Event('change'));
    });
    await idle(page);
    assert.match(await textOf(page, '.notice.error'), /--request "cpu=abc"/);
    assert.equal(await textOf(page, '#verdict h2'), 'No answer.');
    assert.equal(await textOf(page, '#pending-list h3'), 'no answer 1');
  }));

const hostile = [
  '<img src=x onerror=canary()>',
  '</script><script>canary()</script>',
  '<svg onload=canary()>',
  '"><iframe src=https://previct.invalid/>',
  '<main><h1>no</h1></main>',
  'javascript:canary()',
  '<style>*{display:none}</style>',
];

test('texts of an input stay texts', () =>
  withPage({}, async page => {
    await page.evaluate(() => {
      globalThis.ran = 0;
      globalThis.canary = () => {
        globalThis.ran++;
      };
    });
    const dump = readFileSync(manual, 'utf8'),
      file = join(scratch, 'a <img src=x onerror=canary()>.yaml');
    for (const text of hostile) {
      const yaml = JSON.stringify(text);
      writeFileSync(
        file,
        dump
          .replaceAll('nightly-eval-7f9c4', `@`)
          .replaceAll('low-30min', '%')
          .replaceAll('gpu-2', '!')
          .replaceAll(/(["']?)[@]\1/g, () => yaml)
          .replaceAll(/%/g, () => yaml)
          .replaceAll(/!/g, () => yaml)
      );
      await openFiles(page, file);
      for (const id of ['nodes', 'tolerations', 'sequence', 'fleet', 'input', 'answer']) await openTab(page, id);
      assert.equal(await page.evaluate(() => globalThis.ran), 0);
      assert.equal(
        await page.$eval(
          'body',
          body => body.querySelectorAll('img, iframe, style, object, embed, [onerror], [onload]').length
        ),
        0
      );
      assert.ok((await textOf(page, '#panel-answer')).includes(text), `${text} is shown as it is`);
      await page.click('#clear');
    }
  }));

test('the values that no output may have are not in the page', () =>
  withPage({}, async page => {
    await openFiles(page, repository('fixtures/canary/dump.yaml'));
    for (const id of ['nodes', 'tolerations', 'sequence', 'fleet', 'input', 'answer']) await openTab(page, id);
    assert.doesNotMatch(await page.$eval('body', body => body.innerHTML), /canary7q/);
  }));

test('the policy allows no connection, no other script and no other style', () =>
  withPage({}, async page => {
    const refused = await page.evaluate(async () => {
      const found = [];
      document.addEventListener('securitypolicyviolation', event => found.push(event.effectiveDirective));
      document.body.append(Object.assign(document.createElement('img'), {src: 'https://previct.invalid/'}));
      await fetch('https://previct.invalid/').catch(() => {});
      try {
        document.body.insertAdjacentHTML('beforeend', '<p>');
      } catch {
        found.push('refused');
      }
      await new Promise(done => setTimeout(done, 100));
      return found;
    });
    assert.ok(
      refused.includes('connect-src') && refused.includes('img-src') && refused.includes('refused'),
      refused.join()
    );
    page.faults.length = page.left.length = 0;
  }));

const states = {
  start: async () => {},
  answer: page => openFiles(page, manual),
  list: page => openFiles(page, full),
  whatif: async page => {
    await openFiles(page, ...tolerations);
    await page.click('#what-if summary');
    await idle(page);
  },
  nodes: async page => {
    await openFiles(page, manual);
    await openTab(page, 'nodes');
    await page.click('.cell');
    await idle(page);
  },
  sequence: async page => {
    await openFiles(page, manual);
    await openTab(page, 'sequence');
  },
  queues: async page => {
    await openFiles(page, repository('fixtures/kueue/examples/two-teams.yaml'));
    await openTab(page, 'fleet');
  },
};
const looks = [
  {width: 390, dark: false},
  {width: 390, dark: true},
  {width: 1280, dark: false},
  {width: 1280, dark: true},
];

for (const [name, reach] of Object.entries(states))
  test(`axe finds nothing: ${name}`, async () => {
    for (const look of looks)
      await withPage(look, async page => {
        await reach(page);
        await page.evaluate(axe);
        const found = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
        const problems = found.violations.map(
          each =>
            `${each.id}: ${each.nodes
              .slice(0, 3)
              .map(node => `${node.html} ${node.failureSummary}`)
              .join('; ')}`
        );
        assert.deepEqual(problems, [], JSON.stringify(look));
      });
  });

test('nothing is wider than the window, from 390 to 1920 pixels', async () => {
  for (const width of [390, 768, 1280, 1920])
    for (const [name, reach] of Object.entries(states))
      await withPage({width}, async page => {
        await reach(page);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} at ${width}`);
      });
});

/** Files that explain can be asked about. */
function fixtures(folder) {
  return readdirSync(folder, {withFileTypes: true}).flatMap(entry =>
    entry.isDirectory()
      ? fixtures(join(folder, entry.name))
      : /\.(yaml|json|zst|gz|zip|tar|jsonl|xz|bz2)$/.test(entry.name) && !/^(case|expected)\.json$/.test(entry.name)
        ? [join(folder, entry.name)]
        : []
  );
}

/** Formats that the engine for browsers does not read. */
const unread = file => process.env.PAGE && /\.(xz|bz2)$/.test(file);

const chosen = () =>
  fixtures(repository('fixtures'))
    .sort()
    .filter((file, index) => index % EVERY === 0 && statSync(file).size > 0 && !unread(file));

/** What the page answers about one file alone. */
function answerAbout(page, file, words) {
  return page.evaluate(
    async (name, base64, asked) => {
      const {session} = globalThis.previct;
      session.clear();
      session.addFile(name, new Blob([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))]));
      return session.ask(asked);
    },
    basename(file),
    readFileSync(file).toString('base64'),
    words
  );
}

test(`the JSON about every ${EVERY === 1 ? '' : `${EVERY}th `}fixture is that of the program`, {timeout: 3600000}, () =>
  withPage({}, async page => {
    let answered = 0;
    for (const file of chosen()) {
      const words = ['explain', '-f', basename(file), '-o', 'json'],
        expected = native(file, ...words),
        got = await answerAbout(page, file, words);
      assert.deepEqual({status: got.status, out: got.out, err: got.err}, expected, file);
      answered += got.status === 0 ? 1 : 0;
    }
    console.log(`${chosen().length} files, ${answered} answered`);
  })
);

test('the verdict about some fixtures is that of the program', {timeout: 3600000}, () =>
  withPage({}, async page => {
    const input = await page.$('#choose');
    for (const file of chosen().filter((_, index) => index % 4 === 0)) {
      const expected = native(file, 'explain', '-f', basename(file));
      await page.evaluate(() => globalThis.previct.clear());
      await input.uploadFile(file);
      await idle(page);
      assert.equal(
        await textOf(page, '#verdict h2'),
        expected.status === 0 ? firstLine(expected.out) : 'No answer.',
        file
      );
    }
  })
);
