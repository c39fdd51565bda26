import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../support/bundle.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'watch-'));
const program = join(folder, 'scripted-watch.mjs');
const open: WatchedPane[] = [];

// Node 20 cannot run TypeScript, and only a real program has a real terminal.
beforeAll(async () => {
  const input = fileURLToPath(new URL('./scripted-watch.ts', import.meta.url));
  await bundle({ input, file: program, format: 'esm' });
});

afterEach(() => {
  for (const pane of open.splice(0)) pane.stop();
});

/** The watch in a pane of a real tmux, started from a shell that is still there afterwards. */
class WatchedPane {
  readonly tmux = new PrivateTmux();
  readonly pidFile = join(this.tmux.folder, 'pid');
  readonly cueFile = join(this.tmux.folder, 'cue');
  paneId = '';

  static async start(scene: string): Promise<WatchedPane> {
    const pane = new WatchedPane();
    open.push(pane);
    pane.paneId = (await pane.tmux.session('person')).paneId;
    await pane.keys('echo before-the-watch', 'Enter');
    await pane.shows('before-the-watch\n');
    await pane.keys(
      `${process.execPath} ${program} ${scene} ${pane.pidFile} ${pane.cueFile}; echo "left with $?"`,
      'Enter',
    );
    await pane.shows('seen ');
    return pane;
  }

  get pid(): number {
    return Number(readFileSync(this.pidFile, 'utf8'));
  }

  /** Makes the scene change. */
  cue(): void {
    writeFileSync(this.cueFile, '');
  }

  /** Ends the server and, should it have outlived its terminal, the program. */
  stop(): void {
    const pid = existsSync(this.pidFile) ? this.pid : 0;
    this.tmux.stop();
    if (pid > 0 && isProgram(pid)) process.kill(pid, 'SIGKILL');
  }

  async keys(...keys: string[]): Promise<void> {
    await this.tmux.tmux('send-keys', '-t', this.paneId, ...keys);
  }

  async screen(): Promise<string> {
    return `${await this.tmux.tmux('capture-pane', '-p', '-t', this.paneId)}\n`;
  }

  async flags(): Promise<string> {
    return this.tmux.tmux(
      'display-message',
      '-p',
      '-t',
      this.paneId,
      '#{alternate_on} #{cursor_flag} #{wrap_flag}',
    );
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.tmux.tmux('resize-window', '-t', this.paneId, '-x', String(columns), '-y', String(rows));
  }

  shows(text: string | RegExp): Promise<string> {
    const holds = (screen: string) => (typeof text === 'string' ? screen.includes(text) : text.test(screen));
    return until(`the screen shows ${text}`, () => this.screen(), holds);
  }

  async isRestored(): Promise<void> {
    await this.shows(/left with \d+\n/);
    expect(await this.screen()).toContain('before-the-watch');
    expect(await this.screen()).not.toContain('NAME');
    expect(await this.flags()).toBe('0 1 1');
    await this.keys('stty -a', 'Enter');
    expect(await this.shows('icanon')).toMatch(/ icanon [\s\S]* echo /);
  }
}

describe('the watch in a real terminal', () => {
  it('takes the screen, moves, filters, explains, helps, and gives the screen back', async () => {
    const pane = await WatchedPane.start('full');
    await pane.shows('› payments ');
    expect(await pane.flags()).toBe('1 0 0');
    expect(await pane.screen()).not.toContain('before-the-watch');
    await pane.keys('Down');
    await pane.shows('› login-form ');
    await pane.keys('Enter');
    await pane.shows('conversation 6f1c0b52');
    await pane.keys('G');
    await pane.shows('with status 2');
    await pane.keys('Escape');
    await pane.shows('› login-form ');
    await pane.keys('?');
    await pane.shows('rollcall watch: keys');
    await pane.keys('x');
    await pane.keys('/');
    await pane.keys('-l', 'vim');
    await pane.keys('Enter');
    const filtered = await pane.shows('only “vim”');
    expect(filtered).toContain('› notes ');
    expect(filtered).not.toContain('deploy');
    await pane.keys('q');
    await pane.isRestored();
  });

  it('follows the size of the window, down to one that is too small and back', async () => {
    const pane = await WatchedPane.start('full');
    await pane.shows(/MEM {2}TASK/);
    for (const [columns, rows] of [
      [60, 16],
      [10, 3],
      [1, 1],
      [100, 30],
    ] as const) {
      await pane.resize(columns, rows);
      const fitting = (screen: string) =>
        screen.split('\n').every((line) => [...line].length <= columns) &&
        (columns < 60 || (screen.includes('› payments ') && screen.includes('q quit')));
      await until(`it fits ${columns}×${rows}`, () => pane.screen(), fitting);
    }
    await pane.shows(/MEM {2}/);
    await pane.keys('q');
    await pane.isRestored();
  });

  it('scrolls through more sessions than rows', async () => {
    const pane = await WatchedPane.start('many');
    await pane.shows(/↓ \d+ below/);
    await pane.keys('G');
    await pane.shows('› session-99 ');
    await pane.keys('PPage');
    await pane.shows(/↑ \d+ above · ↓ \d+ below/);
    await pane.keys('g');
    await pane.shows('› session-0 ');
    await pane.keys('C-c');
    await pane.isRestored();
  });

  it('keeps the selection on its session while the roll moves', async () => {
    const pane = await WatchedPane.start('moves');
    await pane.keys('j');
    await pane.shows(/alpha[\s\S]*› beta[\s\S]*gamma/);
    pane.cue();
    await pane.shows(/gamma[\s\S]*alpha[\s\S]*› beta/);
    await pane.keys('q');
    await pane.isRestored();
  });

  it('answers to keys while a look hangs, and says how old the roll is', async () => {
    const pane = await WatchedPane.start('slow');
    await pane.shows(/looking… for \d+s · seen \d+s ago/);
    await pane.keys('j');
    await pane.shows('› beta ');
    await pane.keys('q');
    await pane.isRestored();
  });

  it('S54: keeps the roll when a look fails, and shows the error without its escape codes', async () => {
    const pane = await WatchedPane.start('fails');
    const screen = await pane.shows('! could not look: no table\\e[31m');
    expect(screen).toContain('› alpha ');
    await pane.shows(/seen \d+s ago/);
    await pane.keys('q');
    await pane.isRestored();
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('gives the screen back on %s', async (signal) => {
    const pane = await WatchedPane.start('full');
    process.kill(pane.pid, signal);
    await pane.shows('left with 0\n');
    await pane.isRestored();
  });

  it('gives the screen back on an error', async () => {
    const pane = await WatchedPane.start('throws');
    pane.cue();
    await pane.shows('watch failed: the clock broke');
    await pane.isRestored();
  });

  it('ends when its window is closed', async () => {
    const pane = await WatchedPane.start('full');
    const { pid } = pane;
    await pane.tmux.tmux('new-session', '-d', '-s', 'other', 'sh');
    await pane.tmux.tmux('kill-pane', '-t', pane.paneId);
    await until(
      'the process is gone',
      () => existsSync(`/proc/${pid}`),
      (exists) => !exists,
    );
  });
});

describe('the watch into a pipe', () => {
  it.each([
    ['json', /^\{"schemaVersion":1,.*"login-form".*\}\n$/],
    ['full', /^NAME .*\npayments [\s\S]*GiB available\n$/],
  ])('prints %s once, until a signal ends it', async (scene, expected) => {
    const child = spawn(process.execPath, [program, scene], { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    try {
      await until(
        'it prints',
        () => printed,
        (text) => text.endsWith('\n'),
      );
      const left = new Promise((resolve) => child.on('exit', resolve));
      child.kill('SIGTERM');
      expect(await left).toBe(0);
      expect(printed).toMatch(expected);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

function isProgram(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program);
  } catch {
    return false;
  }
}
