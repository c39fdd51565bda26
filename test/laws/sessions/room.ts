import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { createRollcall, Rollcall } from '../../../src/index.ts';
import { type Ran, rollcall as runCommand } from '../../support/command.ts';
import { SETTINGS } from './settings.ts';

const run = promisify(execFile);

/** What came of an operation of the library: its document, or the code of its failure. */
export interface Answer {
  readonly code: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each document is another.
  readonly document: any;
}

/** Where one batch lives: its own home, state folder, settings and tmux servers, in the world that this process is in. */
export class Room {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #program: string;
  #library: Rollcall | null = null;

  /** `program` is the folder of the built program. */
  constructor(folder: string, program: string, settings: object = {}) {
    this.folder = folder;
    this.#program = program;
    for (const name of ['home', 'state', 'config/rollcall', 'data', 'cache', 'run', 'tmux', 'tmp', 'agents'])
      mkdirSync(join(folder, name), { recursive: true });
    // With `-S` tmux makes no folder for its socket.
    mkdirSync(dirname(this.socket('any')), { mode: 0o700 });
    for (const name of ['run', 'tmux']) chmodSync(join(folder, name), 0o700);
    writeFileSync(
      join(folder, 'config/rollcall/config.json'),
      JSON.stringify({ ...SETTINGS, ...settings }, null, 1),
    );
    this.env = {
      ...process.env,
      HOME: join(folder, 'home'),
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_RUNTIME_DIR: join(folder, 'run'),
      TMUX_TMPDIR: join(folder, 'tmux'),
      // Not the servers of whoever else works on this machine, nor the desks of the people in the play.
      ROLLCALL_SOCKETS_WITHIN: join(folder, 'tmux'),
      TMPDIR: join(folder, 'tmp'),
    };
  }

  socket(label: string): string {
    return `${join(this.folder, 'tmux', `tmux-${process.getuid?.() ?? 0}`)}/${label}`;
  }

  get stateFolder(): string {
    return join(this.folder, 'state', 'rollcall');
  }

  async library(): Promise<Rollcall> {
    if (this.#library !== null) return this.#library;
    const built = (await import(join(this.#program, 'index.mjs'))) as {
      createRollcall: typeof createRollcall;
    };
    this.#library = await built.createRollcall({ env: this.env, cwd: join(this.folder, 'home') });
    return this.#library;
  }

  /** An operation of the library. */
  async ask(
    name: 'close' | 'hibernate' | 'wake' | 'reopen' | 'hold' | 'retain',
    input: object,
  ): Promise<Answer>;
  async ask(name: 'complete' | 'adopt' | 'run' | 'roll' | 'log', input?: object): Promise<Answer>;
  async ask(name: keyof Rollcall, input: object = {}): Promise<Answer> {
    const library = await this.library();
    try {
      const document = await (library[name] as (input: object) => Promise<unknown>)(input);
      return { code: 'done', text: '', document };
    } catch (error) {
      const { code, message, document = null } = error as Error & { code?: string; document?: unknown };
      if (code === undefined) throw error;
      return { code, text: message, document };
    }
  }

  /** The built command, in a process of its own, as a user calls it. */
  async command(...argv: string[]): Promise<Ran> {
    return runCommand(argv, this.env, join(this.#program, 'rollcall.cjs'));
  }

  /** Commands of tmux, one after the other in one call; each is a list of words. */
  async tmux(label: string, ...commands: (readonly string[])[]): Promise<string> {
    const words = commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
    const argv = ['-u', '-S', this.socket(label), '-f', '/dev/null', ...words];
    const { stdout } = await run('tmux', argv, { env: this.env, cwd: join(this.folder, 'home') });
    return stdout.trimEnd();
  }

  /** The same where it may fail, as when the session is gone: null. */
  async tryTmux(label: string, ...commands: (readonly string[])[]): Promise<string | null> {
    return this.tmux(label, ...commands).catch(() => null);
  }

  async sh(script: string): Promise<string> {
    return (await run('sh', ['-ec', script], { env: this.env, cwd: this.folder })).stdout;
  }
}
