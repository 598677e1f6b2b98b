// node build.mjs OUT WASM: writes one HTML file with the page, its style, and the program inside.
// node build.mjs OUT --native ADDRESS: for tests, a page that asks the native program at this address.
// The same sources and the same program give the same bytes.

import {createHash} from 'node:crypto';
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {Script} from 'node:vm';

const here = name => fileURLToPath(new URL(name, import.meta.url));
const text = name => readFileSync(here(name), 'utf8');

/** A module after those that it imports, without the words import and export: all names are in one scope. */
function joined(name, done = new Set()) {
  if (done.has(name)) return '';
  done.add(name);
  const source = text(`src/${name}`), imported = /^import \{[^}]*\} from '\.\/([\w.]+)';\n/gm;
  const before = [...source.matchAll(imported)].map(match => joined(match[1], done)).join('');
  return before + source.replace(imported, '').replace(/^export /gm, '');
}

/** One script of the modules. Two modules with the same name in them do not parse. */
function script(name) {
  const whole = `'use strict';\n(() => {\n${joined(name)}})();\n`;
  new Script(whole);
  return whole;
}

/** An HTML parser ends a script there, whatever the script means. */
function withoutEnd(source) {
  if (/<\/script|<!--/i.test(source)) throw new Error('a script contains </script or <!--');
  return source;
}

function reportStyle() {
  const header = text('../src/report/formats/html_style.h');
  return header.match(/R"\(\n([\s\S]*?)\)"/)[1];
}

const hash = source => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

function policy(scriptText, style, address) {
  return ["default-src 'none'", `script-src ${hash(scriptText)} 'wasm-unsafe-eval'`, `style-src ${hash(style)}`, 'worker-src blob:',
    'img-src data:', ...(address ? [`connect-src ${address}`] : []), "base-uri 'none'", "form-action 'none'",
    "require-trusted-types-for 'script'", 'trusted-types previct-report previct-worker'].join('; ');
}

/** zstd, because browsers unpack only gzip, with which the page would be a third larger. */
function packed(wasm) {
  return execFileSync('zstd', ['-19', '--ultra', '-22', '-q', '-c', wasm], {maxBuffer: 1 << 28}).toString('base64');
}

const [out, source, address] = process.argv.slice(2);
const native = source === '--native';
const style = reportStyle() + text('style.css');
const unpack = native ? '' : text('node_modules/fzstd/umd/index.js');
const parts = {
  STYLE: style,
  EXAMPLE: withoutEnd(text('../fixtures/manual/dump.yaml')),
  ENGINE: native ? '' : packed(source),
  WORKER: withoutEnd(native ? text('tests/native_worker.js').replace('@ADDRESS@', address) : script('worker.js')),
  SCRIPT: withoutEnd(`${unpack}\n${script('main.js')}`),
};
parts.POLICY = policy(parts.SCRIPT, style, native ? address : '');
writeFileSync(out, text('index.html').replace(/@([A-Z]+)@/g, (_, name) => parts[name]));
