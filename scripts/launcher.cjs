#!/usr/bin/env node
// Starts the command, in parts: each is read when it is first needed, with the code that V8 compiled from it before.
// Compiling takes longer than a look at ten sessions, and Node's own way to find a file longer than what is in most of them.
// Each Node needs compiled code of its own: the build makes it for one, and the first run keeps it for another.
const { readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');

const folder = `${__dirname}/command/`;
const ending = `.${process.version}-${process.arch}.cache`;
const parts = new Map();
const scripts = new Map();
const uncached = new Set();
// The build asks for it, so that what was run last is in it too.
const isBuilding = process.env.ROLLCALL_WRITE_CODE_CACHE === folder;

process.on('exit', keepCompiled);
load('./main.cjs');

function load(id) {
  if (!id.startsWith('./')) return require(id);
  const known = parts.get(id);
  if (known !== undefined) return known.exports;
  const filename = folder + id.slice(2);
  // ASCII only: the build sees to that.
  const source = readFileSync(filename, 'latin1');
  const cachedData = readCompiled(filename);
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new Script(wrapped, { filename, cachedData });
  scripts.set(filename, script);
  if (cachedData === undefined || script.cachedDataRejected) uncached.add(filename);
  const part = { exports: {} };
  parts.set(id, part);
  script.runInThisContext()(part.exports, load, part, filename, folder);
  return part.exports;
}

function readCompiled(filename) {
  try {
    return readFileSync(filename + ending);
  } catch {
    return undefined;
  }
}

function keepCompiled() {
  // V8 under other flags compiles otherwise.
  const isUsual = process.execArgv.length === 0 && !process.env.NODE_OPTIONS;
  const wanted = isBuilding ? scripts.keys() : isUsual ? uncached : [];
  const temporary = `${folder}${process.pid}.tmp`;
  try {
    for (const filename of wanted) {
      if (statSync(folder).uid !== process.getuid()) return;
      writeFileSync(temporary, scripts.get(filename).createCachedData(), { flag: 'wx' });
      renameSync(temporary, filename + ending);
    }
  } catch {
    // Nothing depends on it: a full disk, a folder that cannot be written.
    rmSync(temporary, { force: true });
  }
}
