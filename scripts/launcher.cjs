#!/usr/bin/env node
// Starts the command, in parts: each is read when it is first needed, with the code that V8 compiled from it before.
// Compiling takes longer than a look at ten sessions, and Node's own way to find a file longer than what is in most of them.
// Each Node needs compiled code of its own: the build makes it for one, and the first run keeps it for another.
const fs = require('node:fs');
const { Script } = require('node:vm');

// The build writes the digest of its sources here. V8 compares only the length of a source with what it compiled before.
const build = 'BUILD';
const folder = `${__dirname}/command/`;
const ending = `.${build}-${process.version}-${process.arch}.cache`;
const parts = new Map();
const scripts = new Map();
const uncached = new Set();
/** Whoever runs for long goes on with its own parts when the package is replaced. */
const sources = new Map();
const LONG_MS = 1000;
// The build asks for it, so that what was run last is in it too.
const isBuilding = process.env.ROLLCALL_WRITE_CODE_CACHE === folder;

process.on('exit', keepCompiled);
load('./main.cjs');
setTimeout(readRest, LONG_MS).unref();

function load(id) {
  if (!id.startsWith('./')) return require(id);
  const known = parts.get(id);
  if (known !== undefined) return known.exports;
  const name = id.slice(2);
  const filename = folder + name;
  const cachedData = readCompiled(filename);
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${sourceOf(name)}\n})`;
  const script = new Script(wrapped, { filename, cachedData });
  scripts.set(filename, script);
  if (cachedData === undefined || script.cachedDataRejected) uncached.add(filename);
  const part = { exports: {} };
  parts.set(id, part);
  script.runInThisContext()(part.exports, load, part, filename, folder);
  return part.exports;
}

function sourceOf(name) {
  try {
    // ASCII only: the build sees to that.
    return sources.get(name) ?? fs.readFileSync(folder + name, 'latin1');
  } catch (error) {
    throw new Error(`rollcall was replaced or removed while it ran; start it again (${error.message})`);
  }
}

function readRest() {
  try {
    for (const name of fs.readdirSync(folder)) {
      const isMissing = name.endsWith('.cjs') && !parts.has(`./${name}`);
      if (isMissing) sources.set(name, fs.readFileSync(folder + name, 'latin1'));
    }
  } catch {
    // It is being replaced at this very moment: what is missing is told where it is needed.
  }
}

function readCompiled(filename) {
  try {
    return fs.readFileSync(filename + ending);
  } catch {
    return undefined;
  }
}

function keepCompiled() {
  // V8 under other flags compiles otherwise.
  const isUsual = process.execArgv.length === 0 && !process.env.NODE_OPTIONS;
  const wanted = isBuilding ? [...scripts.keys()] : isUsual ? [...uncached] : [];
  const temporary = `${folder}${process.pid}.tmp`;
  try {
    if (wanted.length === 0 || fs.statSync(folder).uid !== process.getuid()) return;
    // Another build may have taken this one's place.
    if (!fs.readFileSync(__filename, 'latin1').includes(build)) return;
    for (const filename of wanted) {
      const file = fs.openSync(temporary, 'wx');
      fs.writeSync(file, scripts.get(filename).createCachedData());
      // Half of it would crash every start.
      fs.fsyncSync(file);
      fs.closeSync(file);
      fs.renameSync(temporary, filename + ending);
    }
  } catch {
    // Nothing depends on it: a full disk, a folder that cannot be written.
    fs.rmSync(temporary, { force: true });
  }
}
