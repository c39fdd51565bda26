import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HookScriptParts, hookScript } from '../../src/hook/hook-script.ts';
import { STOP_EVENTS } from './plain-script.ts';

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

/** What the program in rollcall's place was asked: its words behind `__stop <gate>`. */
export type Asked = readonly string[];

export const SERVER_PID = 77;
export const IN_PANE = { TMUX: `/tmp/tmux-1000/default,${SERVER_PID},0`, TMUX_PANE: '%3' };
/** The file with the owners, where the pane above is one. */
export const OWNED = `rollcall-owners=1\npane 66 %3\npane ${SERVER_PID} %9\npane ${SERVER_PID} %3\n`;
/** The same without it. */
export const OTHERS = `rollcall-owners=1\npane 66 %3\npane ${SERVER_PID} %9\npane ${SERVER_PID} %33\n`;
export const BLOCK = '{"decision":"block","reason":"go on"}';

/** A spool and a gate with the script beside them, and a shell script that is asked in rollcall's place. */
export class GateRoom {
  readonly root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'gate-hook-'));
  readonly spool = join(this.root, 'spool');
  readonly gate = join(this.root, 'gate');
  readonly script = join(this.root, 'hook');
  readonly #program = join(this.root, 'program.sh');
  readonly #asked = join(this.root, 'asked');

  constructor(parts: Partial<HookScriptParts> = {}) {
    mkdirSync(this.spool, { mode: 0o700 });
    mkdirSync(join(this.gate, 'stops'), { recursive: true, mode: 0o700 });
    this.install(parts);
    this.owners(OWNED);
    this.answers('exit 0');
  }

  /** Where a test is not about how long rollcall may take, it may take long: a busy machine does. */
  install(parts: Partial<HookScriptParts> = {}, edit = patient): void {
    const text = hookScript({
      spoolFolder: this.spool,
      gateFolder: this.gate,
      stopEvents: STOP_EVENTS,
      node: '/bin/sh',
      program: this.#program,
      ...parts,
    });
    writeFileSync(this.script, edit(text), { mode: 0o755 });
  }

  owners(text: string | null): void {
    const file = join(this.gate, 'owners');
    rmSync(file, { recursive: true, force: true });
    if (text !== null) writeFileSync(file, text);
  }

  /** What the program does, once it has noted what it was asked; `$1` is `__stop`. */
  answers(lines: string): void {
    writeFileSync(this.#program, `printf '%s\\n' "$*" >>'${this.#asked}'\n${lines}\n`);
  }

  run(
    payload: string | Buffer = '{}',
    {
      words = ['claude', 'Stop'] as readonly string[],
      shell = [] as readonly string[],
      env = IN_PANE as NodeJS.ProcessEnv,
    } = {},
  ): Promise<Ran> {
    const child = this.start({ words, shell, env });
    child.stdin?.end(payload);
    return ended(child);
  }

  start({
    words = ['claude', 'Stop'] as readonly string[],
    shell = [] as readonly string[],
    env = IN_PANE as NodeJS.ProcessEnv,
  } = {}): ChildProcess {
    const [program = '', ...args] = [...shell, this.script, ...words];
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A hook that does not read all of it is no reason to fail.
    child.stdin?.on('error', () => {});
    return child;
  }

  get asked(): Asked[] {
    if (!existsSync(this.#asked)) return [];
    const start = `__stop ${this.gate} `;
    return readFileSync(this.#asked, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        if (!line.startsWith(start)) throw new Error(`asked in another way: ${line}`);
        return line.slice(start.length).split(' ');
      });
  }

  /** Events in the spool, whole ones only. */
  get recorded(): string[] {
    return readdirSync(this.spool).map((name) => {
      const text = readFileSync(join(this.spool, name), 'utf8');
      if (!text.endsWith(`\nend=${name}\n`)) throw new Error(`${name} has no end`);
      return text.slice(text.indexOf('\n\n') + 2, -`\nend=${name}\n`.length);
    });
  }

  get passed(): string | null {
    const file = join(this.gate, 'passed');
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** What is left in the gate's own folder of stops. */
  get left(): string[] {
    const folder = join(this.gate, 'stops');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The script with all the time that it can be given to ask. */
export function patient(text: string): string {
  return text.replace('ask 1.7\n', 'ask 60\n');
}

/** The hook waits for its payload: the program that copies it is there. */
export function isReading(pid: number | undefined): boolean {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return children.some((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('dd');
    } catch {
      return false;
    }
  });
}

export function ended(child: ChildProcess, from = performance.now()): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const texts = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      texts.out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      texts.err += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...texts, ms: performance.now() - from }));
  });
}
