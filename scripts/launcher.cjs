#!/usr/bin/env node
// Starts the command with the code that V8 compiled when it was built: compiling it anew takes longer than a look at
// ten sessions. Another Node rejects that cache, and then it is compiled as usual.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, 'command.cjs');
const cache = join(__dirname, 'command.cache');

// ASCII only: the build sees to that.
const source = readFileSync(filename, 'latin1');
const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
  filename,
  cachedData: readCache(),
});
// The build asks for it once, after a run, so that what a look needs is in it.
if (process.env.ROLLCALL_WRITE_CODE_CACHE === cache) {
  process.on('exit', () => writeFileSync(cache, script.createCachedData()));
}
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, require, module_, filename, __dirname);

function readCache() {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}
