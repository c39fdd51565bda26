import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLongLedger } from '../test/support/long-ledger.ts';

const COUNTS = ['10000', '160000', '200000'];
const COMMANDS = [
  [],
  ['adopt', 'ended'],
  ['hold', 'kept'],
  ['log', '--limit', '5'],
  ['close', 'ended'],
  ['verify'],
];

/**
 * Prints what commands cost beside a long ledger: time and peak memory. The first word is the built command, which may be
 * that of another version to compare with; the others are numbers of entries.
 */
export function benchLedger([program = 'dist/rollcall.cjs', ...counts]: readonly string[]): void {
  for (const count of counts.length > 0 ? counts : COUNTS) benchOne(program, Number(count));
}

function benchOne(program: string, count: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'long-'));
  const env = {
    ...process.env,
    ...{ HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), TMUX: '' },
    ...{ XDG_RUNTIME_DIR: folder, TMUX_TMPDIR: folder },
  };
  const tmux = (...argv: string[]) => execFileSync('tmux', ['-f', '/dev/null', ...argv], { env });
  try {
    mkdirSync(env.XDG_CONFIG_HOME);
    writeLongLedger(join(folder, 'rollcall'), count);
    tmux('new-session', '-d', '-s', 'kept', 'sleep', '1000');
    tmux('set-option', '-g', 'remain-on-exit', 'on');
    tmux('new-session', '-d', '-s', 'ended', 'true');
    for (const argv of COMMANDS) {
      const told = spawnSync(
        '/usr/bin/env',
        ['time', '-f', '%e s (CPU %U + %S), %M KiB', process.execPath, program, ...argv],
        { env },
      );
      const figures = told.stderr.toString().trim().split('\n').at(-1);
      process.stdout.write(`${count} entries, rollcall ${argv.join(' ')}: exit ${told.status}, ${figures}\n`);
    }
  } finally {
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  }
}
