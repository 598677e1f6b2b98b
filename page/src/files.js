// Files that the reader drops or chooses, also folders.

/** @typedef {{name: string, content: Blob}} Dropped */

/** Browsers return the entries of a folder in parts. @param {any} reader @returns {Promise<any[]>} */
async function entriesIn(reader) {
  const all = [];
  for (;;) {
    const part = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!part.length) return all;
    all.push(...part);
  }
}

/** @param {any} entry @returns {Promise<Dropped[]>} */
async function filesOf(entry) {
  if (entry.isFile) {
    const content = await new Promise((done, failed) => entry.file(done, failed));
    return [{name: entry.fullPath.replace(/^\//, ''), content}];
  }
  const entries = await entriesIn(entry.createReader());
  return (await Promise.all(entries.map(filesOf))).flat();
}

/** @param {DataTransfer} transfer @returns {Promise<Dropped[]>} */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length) return (await Promise.all(entries.map(filesOf))).flat();
  return chosenFiles(transfer.files);
}

/** @param {FileList} list @returns {Dropped[]} */
export function chosenFiles(list) {
  return [...list].map(file => ({name: file.webkitRelativePath || file.name, content: file}));
}

/** A comma would separate two files, and a dash would begin a flag. @param {string} name */
export function plainName(name) {
  return name.replaceAll(',', '_').replace(/^-/, '_');
}

/** @param {string} text base64 @returns {Uint8Array<ArrayBuffer>} */
export function decoded(text) {
  return Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
}

/** @param {string} text seven bits a letter, as build.mjs writes them @returns {Uint8Array} */
export function unpacked(text) {
  const bytes = new Uint8Array(Math.floor((text.length * 7) / 8));
  for (let index = 0; index < text.length; index++) {
    const bit = 7 * index, pair = (text.charCodeAt(index) & 127) << (9 - (bit & 7));
    bytes[bit >> 3] |= pair >> 8;
    bytes[(bit >> 3) + 1] |= pair & 255;
  }
  return bytes;
}
