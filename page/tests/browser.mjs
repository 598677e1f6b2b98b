// A browser with the page: Debian's chromium, without a window. Every request that leaves the page is listed.

import puppeteer from 'puppeteer-core';
import {execFileSync} from 'node:child_process';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {join} from 'node:path';
import {tmpdir} from 'node:os';
import {existsSync} from 'node:fs';
import {Native} from './native.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const build = fileURLToPath(new URL('../build.mjs', import.meta.url));
const MINUTE = 60000;

export const repository = path => join(root, path);
/** BROWSER=firefox: Firefox in place of Chromium. */
export const firefox = process.env.BROWSER === 'firefox';
export const program = process.env.PREVICT ?? repository('build/dev/previct');

/** The built page with the engine inside if PAGE names it; otherwise, a page that asks the native program. */
async function preparePage() {
  if (process.env.PAGE) return {path: process.env.PAGE, native: undefined, address: ''};
  if (!existsSync(program)) throw new Error(`${program}: build it (make build-program), or set PAGE to a built page`);
  const native = new Native(program),
    address = await native.listen(),
    path = join(tmpdir(), `previct-page-${process.pid}.html`);
  execFileSync(process.execPath, [build, path, '--native', address]);
  return {path, native, address};
}

export class Browser {
  static async open() {
    const made = new Browser();
    made.prepared = await preparePage();
    made.browser = await puppeteer.launch({
      ...(firefox
        ? {browser: 'firefox', executablePath: '/usr/bin/firefox-esr'}
        : {executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']}),
      headless: true,
      protocolTimeout: 5 * MINUTE,
    });
    return made;
  }

  /** A fresh page; from another file than the built one if path is given. */
  async page({width = 1280, height = 900, dark = false, path = this.prepared.path} = {}) {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(2 * MINUTE);
    await page.setViewport({width, height});
    if (!firefox) await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]);
    page.left = [];
    page.faults = [];
    page.on('request', request => this.listen(page, request.url()));
    page.on('pageerror', fault => page.faults.push(fault.message));
    page.on('console', message => {
      if (message.type() === 'error') page.faults.push(message.text());
    });
    await page.goto(pathToFileURL(path).href);
    await page.waitForFunction(() => document.body.dataset.ready);
    return page;
  }

  listen(page, url) {
    const own = ['file:', 'data:', 'blob:'].includes(new URL(url).protocol);
    if (!own && !(this.prepared.address && url.startsWith(this.prepared.address))) page.left.push(url);
  }

  async close() {
    await this.browser.close();
    this.prepared.native?.close();
  }
}

/** Chooses files as a reader does, and waits for the answer. */
export async function openFiles(page, ...paths) {
  const input = await page.$('#choose');
  await input.uploadFile(...paths);
  await idle(page);
}

/** Until no question is open for a moment. */
export async function idle(page) {
  await page.waitForFunction(
    () => {
      window.quiet = document.body.classList.contains('busy') ? 0 : (window.quiet ?? 0) + 1;
      return window.quiet > 4;
    },
    {polling: 60}
  );
  await page.evaluate(() => {
    window.quiet = 0;
  });
}

export const textOf = (page, selector) => page.$eval(selector, found => found.textContent);
