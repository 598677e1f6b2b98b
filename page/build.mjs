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

const IMPORT = /^import \{([^}]*)\} from '\.\/([\w.]+)';\n/gm;
const EXPORT = /^export ((?:async )?(?:function|class|const) (\w+))/gm;

/** A module as a function with names of its own, which returns what it exports. */
function enclosed(name, source) {
  const body = source
    .replace(IMPORT, (_, names, from) => `const {${names}} = modules['${from}'];\n`)
    .replace(EXPORT, '$1');
  if (/^(import|export)\b/m.test(body)) throw new Error(`${name}: an import or export that build.mjs does not know`);
  const names = [...source.matchAll(EXPORT)].map(match => match[2]);
  return `modules['${name}'] = (() => {\n${body}return {${names.join(', ')}};\n})();\n`;
}

/** A module after those that it imports. */
function joined(name, done = new Set()) {
  if (done.has(name)) return '';
  done.add(name);
  const source = text(`src/${name}`);
  return [...source.matchAll(IMPORT)].map(match => joined(match[2], done)).join('') + enclosed(name, source);
}

/** One script of a module and all that it imports. */
function script(name) {
  const whole = `'use strict';\n(() => {\nconst modules = {};\n${joined(name)}})();\n`;
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
  return [
    "default-src 'none'",
    `script-src ${hash(scriptText)} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    'worker-src blob:',
    'img-src data:',
    ...(address ? [`connect-src ${address}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types previct-report previct-worker',
  ].join('; ');
}

/** What an HTML parser would change or read as an end; two bytes of UTF-8 each, in place of one. */
const ESCAPED = new Set(['\0', '\r', '<'].map(letter => letter.charCodeAt(0)));
const ESCAPE = 0x100;

/** Seven bits a letter (src/files.js: unpacked): an eighth larger than the bytes, where base64 is a third larger. */
function inLetters(bytes) {
  const letters = [];
  for (let bit = 0; bit < 8 * bytes.length; bit += 7) {
    const pair = (bytes[bit >> 3] << 8) | (bytes[(bit >> 3) + 1] ?? 0), value = (pair >> (9 - (bit & 7))) & 127;
    letters.push(ESCAPED.has(value) ? value + ESCAPE : value);
  }
  return Buffer.from(Uint16Array.from(letters).buffer).toString('utf16le');
}

/** zstd, because browsers unpack only gzip, with which the page would be a third larger. */
function packed(wasm) {
  return inLetters(execFileSync('zstd', ['-19', '--ultra', '-22', '-q', '-c', wasm], {maxBuffer: 1 << 28}));
}

const [out, source, address] = process.argv.slice(2);
const native = source === '--native';
const style = reportStyle() + text('style.css');
const licensed = name => `/*\n${text(`node_modules/${name}/LICENSE`)}*/\n`;
const unpack = native ? '' : licensed('fzstd') + text('node_modules/fzstd/umd/index.js');
const parts = {
  STYLE: style,
  EXAMPLE: withoutEnd(text('../fixtures/manual/dump.yaml')),
  ENGINE: native ? '' : packed(source),
  WORKER: withoutEnd(native ? text('tests/native_worker.js').replace('@ADDRESS@', address) : script('worker.js')),
  SCRIPT: withoutEnd(`${unpack}\n${script('main.js')}`),
};
parts.POLICY = policy(parts.SCRIPT, style, native ? address : '');
writeFileSync(
  out,
  text('index.html').replace(/@([A-Z]+)@/g, (_, name) => parts[name])
);
