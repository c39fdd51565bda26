import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAskTerminal } from '../../../src/adapters/proc/terminal-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-stty-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Asks an stty that does this. */
function asking(script: string, timeoutMs = 60_000) {
  writeFileSync(join(folder, 'stty'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return createAskTerminal({ PATH: `${folder}:/usr/bin:/bin` }, { timeoutMs })('/dev/pts/7');
}

// What coreutils 9.1 prints of a terminal on which bash stands at its prompt, shortened.
const PRINTED = `speed 38400 baud; rows 30; columns 120; line = 0;
intr = ^C; quit = ^\\\\; eol = <undef>; susp = ^Z; lnext = <undef>;
flush = ^O; min = 1; time = 0;
-parenb cs8 -istrip -inlcr -icrnl ixon
isig -icanon iexten -echo`;

test('stty’s words are told, in no language but its own', async () => {
  const settings = await asking(
    `[ "$*" = "-F /dev/pts/7 -a" ] && [ "$LC_ALL" = C ] && cat <<'E'\n${PRINTED}\nE`,
  );
  expect([...(settings as ReadonlySet<string>)]).toEqual(
    expect.arrayContaining([
      '-icanon',
      '-echo',
      '-icrnl',
      'iexten',
      'ixon',
      'lnext=<undef>',
      'susp=^Z',
      'min=1',
    ]),
  );
  expect(settings).not.toContain('icanon');
});

test.each([
  ['that fails', "echo '-icanon -echo'; exit 1", 'stty cannot read its terminal'],
  ['that says nothing', 'exit 0', 'stty cannot read its terminal'],
])('an stty %s tells nothing', async (_, script, text) => {
  expect(await asking(script)).toBe(text);
});

test('an stty that hangs is left behind', async () => {
  expect(await asking('exec sleep 1000', 50)).toBe('stty gave no answer within 50 ms');
});

test('one that answered while this process was busy is heard', async () => {
  // Timers come next, before anything is read.
  await new Promise((resolve) => setImmediate(resolve));
  const pid = join(folder, 'pid');
  const answer = asking(`echo $$ > ${pid}; echo 'isig -icanon'`, 50);
  const hasEnded = `[ -s ${pid} ] && grep -q ') Z ' "/proc/$(cat ${pid})/stat"`;
  execFileSync('sh', ['-c', `until ${hasEnded}; do sleep 0.01; done; sleep 0.1`]);
  expect(await answer).toEqual(new Set(['-icanon']));
});

test('where there is none, nothing is told', async () => {
  expect(await createAskTerminal({ PATH: folder })('/dev/pts/7')).toContain('stty cannot be started');
  expect(await createAskTerminal({}, { spawn: () => failing() })('/dev/pts/7')).toContain(
    'no more processes',
  );
});

function failing(): never {
  throw new Error('no more processes');
}
