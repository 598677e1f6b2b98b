// In place of the engine in tests: asks the native program, which tests/native.mjs runs.
'use strict';

let files = Promise.resolve();

async function post(path, body) {
  const answer = await fetch(`@ADDRESS@${path}`, {method: 'POST', body});
  return answer.json();
}

async function send(list) {
  await post('/clear', '');
  for (const [name, blob] of list) await post(`/file?${encodeURIComponent(name)}`, blob);
}

async function answer(words) {
  await files;
  const start = performance.now();
  const result = await post('/ask', JSON.stringify(words));
  postMessage({...result, memory: 0, milliseconds: performance.now() - start});
}

onmessage = event => {
  if (event.data.files) files = files.then(() => send(event.data.files)).catch(() => {});
  if (event.data.words) answer(event.data.words);
};
