// The part of WASI preview 1 (WebAssembly/WASI: legacy/preview1/docs.md) that the program calls: words, a clock, files
// to read, and two streams to write to. Nothing can be written to a file, and there is no network.

/**
 * @typedef {object} Source a file
 * @property {number} size
 * @property {number} version another number for another content: the program keeps what it has read while it is the
 *   same
 * @property {(at: number, length: number) => Uint8Array} read
 */
/**
 * @typedef {{kind: 'stream', parts: Uint8Array[]} | {kind: 'folder', path: string}
 *   | {kind: 'file', path: string, at: number}} Open
 */

const ERRNO = {ok: 0, badf: 8, io: 29, isdir: 31, noent: 44, nosys: 52, notdir: 54, rofs: 69, spipe: 70};
const TYPE = {stream: 6, folder: 3, file: 4};
const CREATE = 1,
  DIRECTORY = 2;
/** The inodes of files begin here, after those of folders. */
const FIRST_FILE = 2 ** 32;
/** What the program opens for --to - . */
const STANDARD_OUTPUT = 'dev/stdout';

/** Thrown where the program exits. */
export class Exit {
  /** @param {number} status */
  constructor(status) {
    this.status = status;
  }
}

/** @param {string} base @param {string} path */
function joined(base, path) {
  const parts = base ? base.split('/') : [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** @param {Iterable<string>} paths */
function foldersOf(paths) {
  const folders = new Set(['']);
  for (const path of paths) {
    const parts = path.split('/');
    for (let count = 1; count < parts.length; count++) folders.add(parts.slice(0, count).join('/'));
  }
  return folders;
}

/** @param {Uint8Array[]} parts */
function textOf(parts) {
  const decoder = new TextDecoder();
  return parts.map(part => decoder.decode(part, {stream: true})).join('') + decoder.decode();
}

/** What the program sees of the world. */
export class World {
  constructor() {
    /** @type {string[]} */
    this.words = [];
    /** @type {Map<string, Source>} */
    this.files = new Map();
    this.folders = foldersOf([]);
    /** @type {(Open | undefined)[]} */
    this.open = [];
    /** @type {WebAssembly.Memory | undefined} */
    this.memory = undefined;
    /** @type {Uint8Array[]} */
    this.out = [];
    /** @type {Uint8Array[]} */
    this.err = [];
    this.clear();
  }

  /** @param {Map<string, Source>} files */
  setFiles(files) {
    this.files = files;
    this.folders = foldersOf(files.keys());
  }

  /** Empties the streams, and closes what is open, except the root folder. */
  clear() {
    this.out = [];
    this.err = [];
    this.open = [
      {kind: 'stream', parts: []},
      {kind: 'stream', parts: this.out},
      {kind: 'stream', parts: this.err},
      {kind: 'folder', path: ''},
    ];
  }

  written() {
    return {out: textOf(this.out), err: textOf(this.err)};
  }
  bytes() {
    return new Uint8Array(/** @type {WebAssembly.Memory} */ (this.memory).buffer);
  }
  view() {
    return new DataView(/** @type {WebAssembly.Memory} */ (this.memory).buffer);
  }

  /** @param {number} at @param {number} length */
  text(at, length) {
    return new TextDecoder().decode(this.bytes().slice(at, at + length));
  }

  /** @param {string} path */
  kindOf(path) {
    if (this.folders.has(path)) return 'folder';
    return this.files.has(path) ? 'file' : undefined;
  }

  /** @param {string[]} texts @param {number} pointers @param {number} buffer */
  putTexts(texts, pointers, buffer) {
    for (const text of texts) {
      this.view().setUint32(pointers, buffer, true);
      const bytes = new TextEncoder().encode(`${text}\0`);
      this.bytes().set(bytes, buffer);
      pointers += 4;
      buffer += bytes.length;
    }
    return ERRNO.ok;
  }

  /** @param {string[]} texts @param {number} count @param {number} size */
  putSizes(texts, count, size) {
    const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 1, 0);
    this.view().setUint32(count, texts.length, true);
    this.view().setUint32(size, bytes, true);
    return ERRNO.ok;
  }

  /** @param {number} at @param {'stream' | 'folder' | 'file'} kind @param {string} path */
  putStatus(at, kind, path) {
    this.bytes().fill(0, at, at + 64);
    const view = this.view();
    view.setBigUint64(at, 1n, true);
    view.setBigUint64(at + 8, this.inode(path), true);
    view.setUint8(at + 16, TYPE[kind]);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(this.files.get(path)?.size ?? 0), true);
    return ERRNO.ok;
  }

  /** @param {string} path */
  inode(path) {
    const file = this.files.get(path);
    return BigInt(file ? FIRST_FILE + file.version : [...this.folders].indexOf(path) + 2);
  }

  /** The memory that the program names for reading or writing. @param {number} vectors @param {number} count */
  spans(vectors, count) {
    const view = this.view();
    return Array.from({length: count}, (_, index) => ({
      at: view.getUint32(vectors + 8 * index, true),
      length: view.getUint32(vectors + 8 * index + 4, true),
    }));
  }

  /**
   * @param {Source | undefined} source none: nothing to read
   * @param {number} from @param {number} vectors @param {number} count @param {number} out
   */
  read(source, from, vectors, count, out) {
    try {
      const total = source ? this.readInto(source, from, vectors, count) : 0;
      this.view().setUint32(out, total, true);
      return {errno: ERRNO.ok, total};
    } catch {
      // The file has changed or has gone since the reader chose it.
      return {errno: ERRNO.io, total: 0};
    }
  }

  /** @param {Source} source @param {number} from @param {number} vectors @param {number} count */
  readInto(source, from, vectors, count) {
    let total = 0;
    for (const span of this.spans(vectors, count)) {
      const part = source.read(from + total, span.length);
      this.bytes().set(part, span.at);
      total += part.length;
      if (part.length < span.length) break;
    }
    return total;
  }

  /** The names in a folder. @param {string} folder */
  namesIn(folder) {
    const start = folder ? `${folder}/` : '';
    const names = new Set();
    for (const path of [...this.files.keys(), ...this.folders])
      if (path && path !== folder && path.startsWith(start)) names.add(path.slice(start.length).split('/')[0]);
    return [...names].sort();
  }

  /** @param {string} folder @param {number} cookie how many names were read before */
  entries(folder, cookie) {
    return this.namesIn(folder)
      .map((name, index) => ({name, next: index + 1}))
      .slice(cookie)
      .map(({name, next}) => {
        const path = joined(folder, name),
          bytes = new TextEncoder().encode(name);
        const entry = new Uint8Array(24 + bytes.length),
          view = new DataView(entry.buffer);
        view.setBigUint64(0, BigInt(next), true);
        view.setBigUint64(8, this.inode(path), true);
        view.setUint32(16, bytes.length, true);
        view.setUint8(20, TYPE[this.kindOf(path) ?? 'file']);
        entry.set(bytes, 24);
        return entry;
      });
  }

  /** @param {Open} what @param {number} out where the new descriptor is written */
  openNext(what, out) {
    const free = this.open.indexOf(undefined, 4),
      descriptor = free < 0 ? this.open.length : free;
    this.open[descriptor] = what;
    this.view().setUint32(out, descriptor, true);
    return ERRNO.ok;
  }

  /** @param {number} out */
  openOutput(out) {
    return this.openNext({kind: 'stream', parts: this.out}, out);
  }

  /** @param {string} path @param {number} out */
  openPath(path, out) {
    return this.openNext(this.kindOf(path) === 'folder' ? {kind: 'folder', path} : {kind: 'file', path, at: 0}, out);
  }
}

/** @param {World} world @returns {Record<string, (...numbers: any[]) => number>} */
function streamCalls(world) {
  return {
    fd_close(descriptor) {
      if (!world.open[descriptor]) return ERRNO.badf;
      if (descriptor > 3) world.open[descriptor] = undefined;
      return ERRNO.ok;
    },
    fd_fdstat_get(descriptor, out) {
      const open = world.open[descriptor];
      if (!open) return ERRNO.badf;
      world.bytes().fill(0, out, out + 24);
      world.view().setUint8(out, TYPE[open.kind]);
      world.view().setBigUint64(out + 8, 2n ** 64n - 1n, true);
      world.view().setBigUint64(out + 16, 2n ** 64n - 1n, true);
      return ERRNO.ok;
    },
    fd_fdstat_set_flags: () => ERRNO.ok,
    fd_read(descriptor, vectors, count, out) {
      const open = world.open[descriptor];
      if (!open || open.kind === 'folder') return open ? ERRNO.isdir : ERRNO.badf;
      if (open.kind === 'stream') return world.read(undefined, 0, vectors, count, out).errno;
      const {errno, total} = world.read(world.files.get(open.path), open.at, vectors, count, out);
      open.at += total;
      return errno;
    },
    fd_pread(descriptor, vectors, count, from, out) {
      const open = world.open[descriptor];
      const source = open?.kind === 'file' ? world.files.get(open.path) : undefined;
      return source ? world.read(source, Number(from), vectors, count, out).errno : ERRNO.badf;
    },
    fd_write(descriptor, vectors, count, out) {
      const open = world.open[descriptor];
      if (open?.kind !== 'stream') return ERRNO.badf;
      const parts = world.spans(vectors, count).map(span => world.bytes().slice(span.at, span.at + span.length));
      open.parts.push(...parts);
      world.view().setUint32(
        out,
        parts.reduce((sum, part) => sum + part.length, 0),
        true
      );
      return ERRNO.ok;
    },
    fd_seek(descriptor, offset, from, out) {
      const open = world.open[descriptor];
      if (open?.kind !== 'file') return ERRNO.spipe;
      open.at = Number(offset) + [0, open.at, world.files.get(open.path)?.size ?? 0][from];
      world.view().setBigUint64(out, BigInt(open.at), true);
      return ERRNO.ok;
    },
  };
}

/** @param {World} world @returns {Record<string, (...numbers: any[]) => number>} */
function fileCalls(world) {
  const folder = (/** @type {number} */ descriptor) => {
    const open = world.open[descriptor];
    return open?.kind === 'folder' ? open.path : undefined;
  };
  return {
    fd_filestat_get(descriptor, out) {
      const open = world.open[descriptor];
      return open ? world.putStatus(out, open.kind, open.kind === 'stream' ? '' : open.path) : ERRNO.badf;
    },
    fd_prestat_get(descriptor, out) {
      if (descriptor !== 3) return ERRNO.badf;
      world.view().setUint32(out, 0, true);
      world.view().setUint32(out + 4, 1, true);
      return ERRNO.ok;
    },
    fd_prestat_dir_name(_descriptor, out) {
      world.bytes()[out] = '/'.charCodeAt(0);
      return ERRNO.ok;
    },
    fd_readdir(descriptor, buffer, length, cookie, out) {
      const path = folder(descriptor);
      if (path === undefined) return ERRNO.badf;
      let at = 0;
      for (const entry of world.entries(path, Number(cookie))) {
        const part = entry.subarray(0, length - at);
        world.bytes().set(part, buffer + at);
        at += part.length;
        if (at >= length) break;
      }
      world.view().setUint32(out, at, true);
      return ERRNO.ok;
    },
    path_open(descriptor, _lookup, name, length, flags, _rights, _inherited, _mode, out) {
      const base = folder(descriptor);
      if (base === undefined) return ERRNO.badf;
      const path = joined(base, world.text(name, length)),
        kind = world.kindOf(path);
      if (path === STANDARD_OUTPUT) return world.openOutput(out);
      if (flags & CREATE) return ERRNO.rofs;
      if (!kind) return ERRNO.noent;
      if (flags & DIRECTORY && kind !== 'folder') return ERRNO.notdir;
      return world.openPath(path, out);
    },
    path_filestat_get(descriptor, _flags, name, length, out) {
      const path = joined(folder(descriptor) ?? '', world.text(name, length)),
        kind = world.kindOf(path);
      return kind ? world.putStatus(out, kind, path) : ERRNO.noent;
    },
  };
}

/** @param {World} world @returns {Record<string, (...numbers: any[]) => number>} */
function otherCalls(world) {
  return {
    args_get: (pointers, buffer) => world.putTexts(world.words, pointers, buffer),
    args_sizes_get: (count, size) => world.putSizes(world.words, count, size),
    environ_get: () => ERRNO.ok,
    environ_sizes_get: (count, size) => world.putSizes([], count, size),
    clock_time_get(clock, _precision, out) {
      const milliseconds = clock === 0 ? Date.now() : performance.now();
      world.view().setBigUint64(out, BigInt(Math.round(milliseconds * 1e6)), true);
      return ERRNO.ok;
    },
    clock_res_get(_clock, out) {
      world.view().setBigUint64(out, 1000n, true);
      return ERRNO.ok;
    },
    random_get(at, length) {
      crypto.getRandomValues(world.bytes().subarray(at, at + length));
      return ERRNO.ok;
    },
    sched_yield: () => ERRNO.ok,
    proc_exit(status) {
      throw new Exit(status);
    },
  };
}

/** @param {WebAssembly.Module} module @param {World} world @returns {WebAssembly.Imports} */
export function importsOf(module, world) {
  const calls = {...streamCalls(world), ...fileCalls(world), ...otherCalls(world)};
  /** @type {Record<string, Record<string, () => number>>} */
  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = /** @type {() => number} */ (calls[name] ?? (() => ERRNO.nosys));
  }
  return imports;
}
