// Runs the native program for the page in tests: the files that it sends, and the words that it asks.

import {execFile} from 'node:child_process';
import {createServer} from 'node:http';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, normalize} from 'node:path';

const MAXIMUM_OUTPUT = 1 << 28;

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function run(program, words, folder) {
  return new Promise(done => {
    const options = {cwd: folder, maxBuffer: MAXIMUM_OUTPUT, env: {PATH: '/nonexistent'}};
    execFile(program, words, options, (error, out, err) => done({status: error ? (error.code ?? 2) : 0, out, err}));
  });
}

export class Native {
  constructor(program) {
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), 'previct-page-'));
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  async listen() {
    await new Promise(done => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  async handle(request, response) {
    for (const what of ['Origin', 'Headers']) response.setHeader(`Access-Control-Allow-${what}`, '*');
    response.setHeader('Access-Control-Allow-Private-Network', 'true');
    const {pathname, search} = new URL(request.url, 'http://native'),
      body = await bodyOf(request);
    response.end(JSON.stringify(await this.answer(pathname, decodeURIComponent(search.slice(1)), body)));
  }

  async answer(path, name, body) {
    if (path === '/ask') return run(this.program, JSON.parse(body), this.folder);
    if (path === '/clear') this.clear();
    if (path === '/file') this.write(name, body);
    return {};
  }

  clear() {
    rmSync(this.folder, {recursive: true});
    mkdirSync(this.folder);
  }

  write(name, body) {
    const path = join(this.folder, normalize(`/${name}`));
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, body);
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
    rmSync(this.folder, {recursive: true, force: true});
  }
}
