import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { restoreDocumentSchema } from '../../src/contract/restore-schema.ts';
import { ActingRoom } from '../engine/act/acting-room.ts';
import { type Ran, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { until } from '../support/until.ts';

// Says in its status file that it is idle, keeps a transcript, resumes only what has one, and goes on in another
// conversation at `clear ID`, as Claude Code does at /clear. At `exit` it leaves.
const SCRIPT = `#!/bin/bash
printf '%s\\n' "$$ $*" >> "$HOME/starts"
while [ $# -gt 0 ]; do
  case $1 in
    --session-id) id=$2 ;;
    --resume) id=$2 resumed=yes ;;
  esac
  shift
done
folder=$HOME/.claude
mkdir -p "$folder/sessions" "$folder/projects/p"
if [ -n "$resumed" ] && [ ! -e "$folder/projects/p/$id.jsonl" ]; then echo "No conversation found: $id"; exit 1; fi
read -r -a stat < <(sed 's/^.*) //' /proc/$$/stat)
say() {
  now=$(date +%s%3N)
  printf '{"type":"user","sessionId":"%s","message":"the quick brown fox, %s"}\\n' "$id" $$ >> "$folder/projects/p/$id.jsonl"
  printf '{"pid":%s,"sessionId":"%s","cwd":"%s","startedAt":%s,"procStart":"%s","version":"2.1.325","kind":"interactive","status":"idle","updatedAt":%s,"statusUpdatedAt":%s}' \\
    $$ "$id" "$PWD" $((now - 9000)) "\${stat[19]}" "$now" "$now" > "$folder/sessions/$$.new"
  mv "$folder/sessions/$$.new" "$folder/sessions/$$.json"
}
say
while read -r word next; do
  [ "$word" = clear ] && id=$next && say
  [ "$word" = exit ] && exit 0
done
sleep 1000
`;

/** An agent that runs. */
export interface Running {
  readonly pid: number;
  readonly argv: readonly string[];
}

/** The built command on a tmux server of its own, with a program that passes for Claude Code. */
export class RestoreRoom extends ActingRoom {
  readonly home = join(this.tmux.folder, 'home');
  readonly claude = join(this.tmux.folder, 'bin', 'claude');

  constructor() {
    super();
    // Several rooms are open at once: an answer that takes its time is none the worse.
    mkdirSync(join(this.home, '.config', 'rollcall'), { recursive: true });
    writeFileSync(
      join(this.home, '.config', 'rollcall', 'config.json'),
      JSON.stringify({ freshFor: '2m', tmux: { timeout: '10s' }, git: { timeout: '30s' } }),
    );
    mkdirSync(join(this.tmux.folder, 'bin'));
    writeFileSync(this.claude, SCRIPT, { mode: 0o755 });
    Object.assign(this.env, { HOME: this.home, SHELL: '/bin/sh' });
    delete this.env.TMUX;
    delete this.env.TMUX_PANE;
  }

  get server(): readonly string[] {
    return ['--server', this.tmux.socketPath];
  }

  /** A session of this room: others may be open, and have one of the same name. */
  at(name: string): string {
    return `${this.tmux.socketPath}:${name}`;
  }

  /** A command that changes something and takes it back looks at the session, and keeps how it is laid out. */
  async seen(name: string): Promise<void> {
    await this.done('hold', this.at(name));
    await this.done('unhold', this.at(name));
  }

  cli(...argv: string[]): Promise<Ran> {
    return rollcall(argv, this.env);
  }

  /** A command that prepares or asks, and has to succeed: in this process, since starting Node costs more than its work. */
  async done(...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await rollcallInside(argv, this.env);
    if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${exitCode} ${stdout}${stderr}`);
    return stdout;
  }

  /** Starts an agent with `rollcall run`, and waits until it can be heard; gives its conversation. */
  async agent(name: string, ...flags: string[]): Promise<string> {
    const cwd = flags.includes('--cwd') ? [] : ['--cwd', this.tmux.folder];
    const id = crypto.randomUUID();
    const words = ['--session-id', id, '--model', 'sonnet', '--', 'fix it'];
    await this.done('run', '--name', name, ...this.server, ...cwd, ...flags, '--', this.claude, ...words);
    await until('it has said which conversation it is in', () => this.spoken(id));
    return id;
  }

  spoken(id: string): boolean {
    const folder = join(this.home, '.claude', 'sessions');
    try {
      const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
      return files.some((name) => readFileSync(join(folder, name), 'utf8').includes(id));
    } catch {
      return false;
    }
  }

  /** Every agent of this room that lives; what one of them is about to start has its command line, and is not counted. */
  running(): Running[] {
    const all = readdirSync('/proc').flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
        const at = words.indexOf(this.claude);
        const isIt = /^\d+$/.test(pid) && (at === 0 || (at === 1 && words[0]?.endsWith('bash')));
        return isIt ? [{ pid: Number(pid), parent: parentOf(pid), argv: words.slice(at + 1) }] : [];
      } catch {
        return [];
      }
    });
    const agents = all.filter(({ parent }) => !all.some(({ pid }) => pid === parent));
    return agents.map(({ pid, argv }) => ({ pid, argv }));
  }

  /** The command line of every start of the agent so far. */
  starts(): string[] {
    return readFileSync(join(this.home, 'starts'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^\d+ /, ''));
  }

  /** Which conversations agents were resumed in, sorted: each may be there once. */
  resumed(): string[] {
    return this.running()
      .flatMap(({ argv }) =>
        argv.includes('--resume') ? [argv[argv.indexOf('--resume') + 1] as string] : [],
      )
      .sort();
  }

  /** The server dies, and everything in it. */
  async crash(): Promise<void> {
    const pid = Number(await this.tmux.tmux('display-message', '-p', '#{pid}'));
    process.kill(pid, 'SIGKILL');
    await until('server and agents are gone', () => !isAlive(pid) && this.running().length === 0);
  }

  /** What it brings back; in this process. */
  async restore(...flags: string[]): Promise<Restored> {
    return restored(await rollcallInside(['restore', '--json', ...flags], this.env));
  }

  /** The same with the built program. */
  async restoreAsUser(...flags: string[]): Promise<Restored> {
    return restored(await this.cli('restore', '--json', ...flags));
  }

  async names(): Promise<string[]> {
    const printed = await this.tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '');
    return printed.split('\n').filter((name) => name !== '');
  }
}

export type Restored = { readonly exitCode: number } & v.InferOutput<typeof restoreDocumentSchema>;

function restored({ exitCode, stdout, stderr }: Ran): Restored {
  if (stdout === '' || exitCode === null || exitCode > 1) throw new Error(`${exitCode} ${stdout}${stderr}`);
  return { exitCode, ...v.parse(restoreDocumentSchema, JSON.parse(stdout)) };
}

function parentOf(pid: string): number {
  return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
}

export function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
