import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROGRAM, type Ran, rollcall } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';

const tmux = new PrivateTmux('poor');
const { TMUX_TMPDIR, ROLLCALL_SOCKETS_WITHIN } = tmux.env;
/** What cron gives its jobs, and where the servers of this test are. */
const CRON = {
  ...{ TMUX_TMPDIR, ROLLCALL_SOCKETS_WITHIN, HOME: tmux.folder, SHELL: '/bin/sh' },
  PATH: '/usr/bin:/bin',
};
const found = (name: string) => execFileSync('which', [name], { encoding: 'utf8' }).trim();
const pathOf = (...programs: string[]): string => {
  const folder = join(tmux.folder, programs.join('-') || 'nothing');
  mkdirSync(folder);
  for (const program of programs) symlinkSync(found(program), join(folder, program));
  return folder;
};
const PATHS: Record<string, string> = {};

beforeAll(async () => {
  await tmux.session('käse');
  PATHS.noGit = pathOf('tmux', 'sh');
  PATHS.nothing = pathOf();
});
afterAll(() => tmux.stop());

const COMMANDS = [[], ['--json'], ['explain', 'käse'], ['explain', 'käse', '--json'], ['status']];
const isDefect = ({ stdout, stderr }: Ran) => /unexpected error|defect of rollcall/.test(stdout + stderr);

/** On a terminal that says of itself that it has this many columns. */
function onTerminal(columns: number, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const line = [process.execPath, PROGRAM, ...argv].map((word) => `'${word}'`).join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', `stty cols ${columns} rows 0; ${line}`, '/dev/null'], {
      env: { ...env, TERM: 'xterm' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

describe('S73: in poor surroundings', () => {
  test.each(COMMANDS)('a job of cron in the C locale sees what a person sees: %s %s %s', async (...argv) => {
    const words = argv.filter((word) => word !== undefined);
    const ran = await rollcall(words, { ...CRON, LANG: 'C', LC_ALL: 'C' });
    expect([ran.exitCode, ran.stderr, isDefect(ran)]).toEqual([0, '', false]);
    expect(ran.stdout).toContain('käse');
  });

  test.each(COMMANDS)(
    'a home that cannot be written costs what was declared, not the look: %s %s %s',
    async (...argv) => {
      const words = argv.filter((word) => word !== undefined);
      const ran = await rollcall(words, { ...CRON, HOME: '/proc' });
      expect([ran.exitCode, isDefect(ran)]).toEqual([0, false]);
      expect(ran.stdout).toContain('käse');
      expect(ran.stdout).toContain('what was declared cannot be read: /proc/.local/state/rollcall');
    },
  );

  test('and what has to be recorded is refused, with what to do', async () => {
    for (const HOME of ['/proc', '']) {
      const ran = await rollcall(['hold', 'käse'], { ...CRON, HOME });
      expect([ran.exitCode, ran.stdout, isDefect(ran)]).toEqual([1, '', false]);
      expect(ran.stderr).toMatch(/hint: .*XDG_STATE_HOME/);
    }
  });

  test.each(COMMANDS)('without git there is a roll: %s %s %s', async (...argv) => {
    const words = argv.filter((word) => word !== undefined);
    const ran = await rollcall(words, { ...CRON, PATH: PATHS.noGit });
    expect([ran.exitCode, isDefect(ran)]).toEqual([0, false]);
    expect(ran.stdout).toContain('käse');
  });

  test.each(COMMANDS.slice(0, 4))('without tmux it says what to install: %s %s %s', async (...argv) => {
    const words = argv.filter((word) => word !== undefined);
    const ran = await rollcall(words, { ...CRON, PATH: PATHS.nothing });
    expect([ran.exitCode, isDefect(ran)]).toEqual([1, false]);
    expect(ran.stdout + ran.stderr).toContain('apt-get install tmux');
  });

  test.each([[[]], [['explain', 'käse']], [['status']]])(
    'a terminal that does not know how wide it is shows everything: %j',
    async (argv) => {
      expect(await onTerminal(0, argv, CRON)).toContain('käse');
    },
  );
});
