// What needs no browser: command lines, the time axis, the manifests of changed classes, the list of pods.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {commandLine, stateWords} from '../src/words.js';
import {axisOf, endsOf, intervalAt, stepOf} from '../src/time.js';
import {annotated, classesIn, differenceOf, manifestOf} from '../src/classes.js';
import {byOutcome, entriesOf} from '../src/pending.js';
import {plainName, unpacked} from '../src/files.js';
import {World} from '../src/wasi.js';

const settings = {
  inputs: ['dump.yaml', 'more'],
  folders: true,
  flags: {'--k8s-version': '1.34', '--request': ''},
  now: '2026-11-20T23:00:00Z',
  manifests: ['job.yaml'],
};

test('words: files, folders, manifests, flags with a value, and the time', () => {
  assert.deepEqual(stateWords(settings), [
    '-f',
    'dump.yaml',
    '-f',
    'more',
    '-R',
    '--with',
    'job.yaml',
    '--k8s-version',
    '1.34',
    '--now',
    '2026-11-20T23:00:00Z',
  ]);
});

test('words: a shell reads a quoted word as it is', () => {
  assert.equal(
    commandLine(['explain', '-f', "it's a dump.yaml", 'ml/a']),
    `previct explain -f 'it'\\''s a dump.yaml' ml/a`
  );
  assert.equal(commandLine(['explain', '-f', '$(id).yaml']), `previct explain -f '$(id).yaml'`);
});

test('files: a comma does not separate files, and a dash does not begin a flag', () => {
  assert.equal(plainName('-a,b.yaml'), '_a_b.yaml');
});

test('files: seven bits a letter become bytes', () => {
  // 11111111 00000001: 1111111 1000000 01 and five bits of nothing.
  assert.deepEqual([...unpacked('\x7f\x40\x20')], [255, 1]);
  // Letters that an HTML parser changes stand 256 higher: 0111100 is <, and 0000000 is the letter zero.
  assert.deepEqual([...unpacked('\u013c\u0100')], [120]);
});

const timeline = {
  kind: 'Timeline',
  intervals: [
    {from: '2026-11-20T22:41:07Z', until: '2026-11-20T22:58:30Z', outcome: 'preempts', summary: 'one'},
    {from: '2026-11-20T22:58:30Z', outcome: 'pending', summary: 'two'},
  ],
};

test('time: the axis ends after the last change', () => {
  const axis = axisOf(timeline);
  // 17m23s = 1043 s until the change; a quarter more is 1303.75 s, in whole seconds 1304.
  assert.equal((axis.end - axis.start) / 1000, 1304);
  assert.equal(stepOf(axis), 30);
  assert.equal(intervalAt(axis, Date.parse('2026-11-20T22:58:29Z')).summary, 'one');
  assert.equal(intervalAt(axis, Date.parse('2026-11-20T22:58:30Z')).summary, 'two');
});

test('time: an answer that does not change has an axis of one hour', () => {
  const axis = axisOf({kind: 'Timeline', intervals: timeline.intervals.slice(0, 1)});
  assert.equal(axis.end - axis.start, 3600000);
  assert.equal(axisOf({kind: 'Explanation'}), undefined);
});

test('time: the tolerations that end, the first one first', () => {
  const tolerating = (name, until) => ({pod: {namespace: 'ml', name}, toleration: {until}});
  const ends = endsOf({
    tolerating: [
      tolerating('b', '2026-11-20T23:10:10Z'),
      tolerating('forever', undefined),
      tolerating('a', '2026-11-20T22:58:30Z'),
    ],
  });
  assert.deepEqual(
    ends.map(end => end.pod),
    ['ml/a', 'ml/b']
  );
});

const seconds = 'preemption-toleration.scheduling.x-k8s.io/toleration-seconds';
const captured =
  '{"kind":"Capture"}\n' +
  JSON.stringify({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: {name: 'low', uid: 'u', annotations: {[seconds]: '15'}, resourceVersion: '7'},
    value: 8000,
  }) +
  '\n';

test('classes: the manifest has the changed seconds, and no field of the server', () => {
  const [low] = classesIn(captured);
  const before = manifestOf(low),
    after = manifestOf(annotated(low, seconds, '600'));
  assert.equal(
    before,
    `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: "low"\n  annotations:\n    ${seconds}: "15"\nvalue: 8000\n`
  );
  assert.deepEqual(
    differenceOf(before, after).filter(line => !line.startsWith(' ')),
    [`+    ${seconds}: "600"`, `-    ${seconds}: "15"`]
  );
  assert.deepEqual(differenceOf(before, before), []);
});

test('classes: an empty field removes the annotation', () => {
  const [low] = classesIn(captured);
  assert.deepEqual(annotated(low, seconds, '').metadata.annotations, {});
});

test('classes: a name of an input stays one YAML string', () => {
  const text = manifestOf({apiVersion: 'v1', kind: 'PriorityClass', metadata: {name: 'x"\nvalue: 1'}, value: 2});
  assert.ok(text.includes('  name: "x\\"\\nvalue: 1"\n'));
});

test('pods: the groups of outcomes, preemptions first', () => {
  const item = (name, outcome) => ({
    subject: {pod: {namespace: 'ml', name}, priority: 1},
    verdict: {outcome, summary: ''},
  });
  const groups = byOutcome(
    entriesOf({items: [item('a', 'pending'), item('b', 'other'), item('c', 'preempts'), item('d', 'pending')]})
  );
  assert.deepEqual(
    [...groups].map(([outcome, group]) => [outcome, group.map(entry => entry.subject)]),
    [
      ['preempts', ['ml/c']],
      ['pending', ['ml/a', 'ml/d']],
      ['other', ['ml/b']],
    ]
  );
});

test('pods: the report of fleet names the subjects of each scheduler', () => {
  const subjects = entriesOf({
    pending: [
      {pod: 'ml/a', outcome: 'fits'},
      {podGroup: 'ml/g', outcome: 'fits'},
      {workload: 'ml/w', outcome: 'fits'},
    ],
  });
  assert.deepEqual(
    subjects.map(entry => entry.subject),
    ['ml/a', 'podgroup/ml/g', 'workload/ml/w']
  );
});

test('wasi: a folder has the names of its files and folders, once', () => {
  const world = new World(),
    file = {size: 0, read: () => new Uint8Array()};
  world.setFiles(
    new Map([
      ['a/b/1', file],
      ['a/b/2', file],
      ['a/3', file],
    ])
  );
  assert.deepEqual(world.namesIn('a'), ['3', 'b']);
  assert.deepEqual(world.namesIn(''), ['a']);
  assert.equal(world.kindOf('a/b'), 'folder');
  assert.equal(world.kindOf('../etc/passwd'), undefined);
});
