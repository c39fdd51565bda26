// Installs hooks and removes them again, and kills itself directly before the given change to the file system. argv: BUNDLE
// FOLDER BACKUPS MOMENT AGENTS. Prints how many changes there were when it gets to its end.
const fs = require('node:fs');
const { join } = require('node:path');

const [, , bundle, home, backups, moment, agents] = process.argv;
const CHANGES = ['writeFileSync', 'writeSync', 'fsyncSync', 'fchmodSync', 'chmodSync', 'mkdirSync'];
const MOVES = ['renameSync', 'linkSync', 'unlinkSync', 'rmdirSync', 'fchownSync'];
let count = 0;

function counted(owner, name) {
  const real = owner[name];
  owner[name] = (...values) => {
    count += 1;
    if (count === Number(moment)) process.kill(process.pid, 'SIGKILL');
    return real(...values);
  };
}

for (const name of [...CHANGES, ...MOVES]) counted(fs, name);
counted(require('fs-native-extensions'), 'swapSync');

const { createHookConfig } = require(bundle);
const state = join(home, '.local/state/rollcall');
const config = createHookConfig({
  env: { HOME: home, PATH: '/nowhere' },
  cwd: home,
  now: () => 0,
  pause: () => {},
  findWriter: () => null,
  backups: { folder: backups, kept: 10 },
  spoolFolder: join(state, 'spool'),
  spoolProblem: null,
  script: '#!/bin/sh\nexit 0\n',
  events: { claude: ['SessionEnd', 'Stop'], codex: ['Stop'], gemini: [], opencode: ['session.idle'] },
  stopEvents: { claude: 'Stop', codex: 'Stop', gemini: 'AfterAgent', opencode: 'session.idle' },
  gate: { folder: join(state, 'gate'), node: process.execPath, program: '/opt/rollcall/dist/rollcall.cjs' },
});
for (const action of ['install', 'remove']) {
  const applied = config.apply(config.plan(action, agents.split(','), 'user'));
  if (applied.state !== 'done') throw new Error(applied.problem.text);
}
console.log(count);
