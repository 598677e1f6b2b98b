// PAGE=PAGE node tests/speed.mjs FILE...: how long the page takes to open, until the first verdict, and for each answer
// while the time is dragged through an hour. First, how long it takes from opening the page to the answer of its example.

import {pathToFileURL} from 'node:url';
import {Browser, idle} from './browser.mjs';

const SECONDS = 5;

/** The time from the choice of the files until the verdict is shown. */
async function firstVerdict(page, files) {
  await page.evaluate(() => {
    const verdict = document.getElementById('verdict');
    globalThis.shown = new Promise(done =>
      document.getElementById('choose').addEventListener(
        'change',
        () => {
          const start = performance.now();
          new MutationObserver(() => {
            if (verdict.querySelector('h2')) done(performance.now() - start);
          }).observe(verdict, {childList: true});
        },
        {capture: true, once: true}
      )
    );
  });
  await (await page.$('#choose')).uploadFile(...files);
  return page.evaluate(() => globalThis.shown);
}

/** The time from opening the page until the verdict of the example is shown, clicked as soon as the page is ready. */
async function example(browser) {
  const page = await browser.browser.newPage();
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const verdict = document.getElementById('verdict');
      globalThis.shown = new Promise(done =>
        new MutationObserver(() => {
          if (verdict.querySelector('h2')) done(performance.now());
        }).observe(verdict, {childList: true})
      );
      new MutationObserver((_, observer) => {
        observer.disconnect();
        document.getElementById('example').click();
      }).observe(document.body, {attributeFilter: ['data-ready']});
    });
  });
  await page.goto(pathToFileURL(browser.prepared.path).href);
  const time = await page.evaluate(() => globalThis.shown);
  await page.close();
  return time;
}

/** A new position of the slider for each picture that the browser draws. */
function drag(page) {
  return page.evaluate(async seconds => {
    const slider = document.getElementById('time-slider'),
      {session} = globalThis.previct,
      ask = session.ask.bind(session),
      times = [];
    session.ask = async words => {
      const answer = await ask(words);
      times.push(answer.milliseconds);
      return answer;
    };
    const start = performance.now();
    for (let value = 0; performance.now() - start < 1000 * seconds; value = (value + 20) % 3600) {
      slider.value = String(value);
      slider.dispatchEvent(new Event('input'));
      await new Promise(done => requestAnimationFrame(done));
    }
    return times.sort((one, other) => one - other);
  }, SECONDS);
}

const browser = await Browser.open();
for (let time = 0; time < 3; time++) console.log(`example: ${Math.round(await example(browser))} ms`);
const start = performance.now(),
  page = await browser.page();
console.log(`open: ${Math.round(performance.now() - start)} ms`);
console.log(`first verdict: ${Math.round(await firstVerdict(page, process.argv.slice(2)))} ms`);
await idle(page);
const {state, verdict} = await page.evaluate(() => ({
  state: document.getElementById('state').textContent,
  verdict: document.querySelector('#verdict h2').textContent,
}));
console.log(`${verdict}\n${state}`);
const times = await drag(page);
console.log(
  `dragging: ${times.length / SECONDS} answers a second, median ${Math.round(times[times.length >> 1] ?? 0)} ms in the engine`
);
await browser.close();
