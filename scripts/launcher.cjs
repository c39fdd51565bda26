#!/usr/bin/env node
// Starts the command, in parts: each is read when it is first needed, with the code that V8 compiled from it when it was built.
// Compiling takes longer than a look at ten sessions, and Node's own way to find a file longer than what is in most of them.
// Another Node rejects that code, and then the part is compiled as usual.
const { readFileSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');

const folder = `${__dirname}/command/`;
const parts = new Map();
const scripts = new Map();

// The build asks for it once, after a run, so that what a look needs is in it.
if (process.env.ROLLCALL_WRITE_CODE_CACHE === folder) {
  process.on('exit', () => {
    for (const [filename, script] of scripts) writeFileSync(`${filename}.cache`, script.createCachedData());
  });
}
load('./main.cjs');

function load(id) {
  if (!id.startsWith('./')) return require(id);
  const known = parts.get(id);
  if (known !== undefined) return known.exports;
  const filename = folder + id.slice(2);
  // ASCII only: the build sees to that.
  const source = readFileSync(filename, 'latin1');
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename,
    cachedData: readCache(`${filename}.cache`),
  });
  scripts.set(filename, script);
  const part = { exports: {} };
  parts.set(id, part);
  script.runInThisContext()(part.exports, load, part, filename, folder);
  return part.exports;
}

function readCache(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
