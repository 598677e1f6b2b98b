// node tests/picture.mjs OUT: the picture of the page in the README, twenty minutes after the time of the dump.

import {Browser, idle, openFiles, repository} from './browser.mjs';

const browser = await Browser.open(),
  page = await browser.page({width: 1280, height: 860});
await openFiles(page, repository('fixtures/manual/dump.yaml'));
await page.$eval('#time-slider', slider => {
  slider.value = '1200';
  slider.dispatchEvent(new Event('input'));
});
await idle(page);
await page.screenshot({path: process.argv[2]});
await browser.close();
