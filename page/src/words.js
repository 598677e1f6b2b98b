// The words of a command line: what the page asks the program, and what the reader can run instead.

/**
 * @typedef {object} Settings what the reader has chosen
 * @property {string[]} inputs names of files and folders
 * @property {boolean} folders whether one of them is a folder
 * @property {Record<string, string>} flags a flag's name and its value: '--k8s-version' -> '1.34'; empty: not given
 * @property {Record<string, string>} given flags that the input came with (explain -o app); `flags` replaces them
 * @property {string} now RFC 3339, or empty for the newest time in the input
 * @property {string[]} manifests names of files with changed or new objects
 */

/** @param {Settings} settings @returns {string[]} */
export function inputWords(settings) {
  return [...settings.inputs.flatMap(name => ['-f', name]), ...(settings.folders ? ['-R'] : [])];
}

/** @param {Settings} settings @returns {Record<string, string>} the flags in force */
function flagsOf({flags, given}) {
  const chosen = Object.entries(flags).filter(([, value]) => value);
  return {...given, ...Object.fromEntries(chosen)};
}

/** @param {Settings} settings @param {string[]} [without] flags that the command does not have */
export function stateWords(settings, without = []) {
  const words = inputWords(settings);
  if (!without.includes('--with')) words.push(...settings.manifests.flatMap(name => ['--with', name]));
  for (const [flag, value] of Object.entries(flagsOf(settings)))
    if (!without.includes(flag)) words.push(flag, value);
  if (settings.now) words.push('--now', settings.now);
  return words;
}

/** @param {string} word */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** @param {string[]} words @returns {string} a line for a shell */
export function commandLine(words) {
  return ['previct', ...words.map(quoted)].join(' ');
}

/** @param {number} milliseconds @returns {string} */
export function rfc3339(milliseconds) {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
