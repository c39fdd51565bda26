import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeGateParts } from '../../../src/compose/gate/gate.ts';
import type { GateCheck } from '../../../src/core/gate/check.ts';
import type { GateContract } from '../../../src/core/gate/contract.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { isTrouble } from '../../../src/engine/act/trouble.ts';
import type { GateParts } from '../../../src/engine/gate/parts.ts';
import { type GateWish, startGate } from '../../../src/engine/gate/start-gate.ts';
import { until } from '../../support/until.ts';
import { ActingRoom, entriesOf } from '../act/acting-room.ts';

// Started as Claude Code is, and like it a parent of hooks: it runs whatever scripts are named to it.
const AGENT = `#!/bin/sh
inbox=$(cat "\${0%/bin/claude}/inboxes/$2")
while read -r job; do
  case $job in
    */rollcall/hook.sh) : | sh "$job" claude Stop & ;;
    *) sh "$job" & ;;
  esac
done <>"$inbox"
`;

export interface RoomAgent {
  readonly session: string;
  readonly paneId: string;
  readonly conversation: string;
  readonly inbox: string;
}

export interface Stopped {
  readonly exitCode: number;
  readonly stdout: string;
}

/** How a hook asks: the program before `__stop`, and how it waits. */
export interface Asking {
  readonly program: readonly string[];
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly event?: string;
  readonly raw?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isRun?: boolean;
  /** Not below the agent, but with the environment of its pane. */
  readonly isElsewhere?: boolean;
  /** Below the agent, but from something else that it started. */
  readonly isByHand?: boolean;
  /** Runs before the question, in the hook's shell. */
  readonly before?: string;
}

/** Agents in real panes, a real repository, and the real gate between them. */
export class GateRoom extends ActingRoom {
  readonly repository = join(this.tmux.folder, 'work');
  readonly gate = join(this.state, 'rollcall', 'gate');
  readonly parts: GateParts;
  #count = 0;

  constructor() {
    super();
    for (const name of ['bin', 'inboxes', 'work']) mkdirSync(join(this.tmux.folder, name));
    writeFileSync(join(this.tmux.folder, 'bin', 'claude'), AGENT, { mode: 0o755 });
    this.git('init', '-q', '-b', 'main');
    writeFileSync(join(this.repository, 'kept.txt'), 'kept\n');
    this.git('add', '.');
    this.git('commit', '-q', '-m', 'first');
    this.parts = composeGateParts(this.env, this.settings);
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', ['-C', this.repository, ...who, ...args], { encoding: 'utf8' }).trim();
  }

  /** Starts an agent; in a session that is there already it gets a pane of its own. */
  async agent(session: string, conversation: string = randomUUID()): Promise<RoomAgent> {
    const { inbox, argv } = this.#prepare(conversation);
    const exists = this.#sessions.has(session);
    this.#sessions.add(session);
    if (!exists) {
      const { paneId } = await this.tmux.session(session, ...argv);
      return { session, paneId, conversation, inbox };
    }
    const paneId = await this.tmux.tmux(
      ...['split-window', '-d', '-t', `=${session}:`, '-P', '-F', '#{pane_id}', ...argv],
    );
    return { session, paneId, conversation, inbox };
  }

  /** Starts the agent of a pane anew, as a person would who resumes it. */
  async restart(agent: RoomAgent, conversation: string, ...flags: string[]): Promise<RoomAgent> {
    const { inbox, argv } = this.#prepare(flags.length > 0 ? randomUUID() : conversation);
    const words = flags.length > 0 ? [argv[0] ?? '', ...flags] : argv;
    if (flags.length > 0) writeFileSync(join(this.tmux.folder, 'inboxes', flags[1] ?? ''), inbox);
    await this.tmux.tmux('respawn-pane', '-k', '-t', agent.paneId, ...words);
    return { ...agent, conversation, inbox };
  }

  readonly #sessions = new Set<string>();

  /** Where an agent of this conversation will look for its jobs, however it is started. */
  inbox(conversation: string): { readonly inbox: string } {
    return this.#prepare(conversation);
  }

  #prepare(conversation: string) {
    const { folder } = this.tmux;
    this.#count += 1;
    const inbox = join(folder, `inbox-${this.#count}`);
    execFileSync('mkfifo', [inbox]);
    writeFileSync(join(folder, 'inboxes', conversation), inbox);
    return { inbox, argv: [join(folder, 'bin', 'claude'), '--session-id', conversation] };
  }

  /** Runs a script as a child of the agent. */
  tell(agent: RoomAgent, script: string): void {
    this.#count += 1;
    const job = join(this.tmux.folder, `job-${this.#count}`);
    writeFileSync(job, script);
    writeFileSync(agent.inbox, `${job}\n`);
  }

  /** Runs a script as the agent runs its hook: directly below itself, with a pipe to read from. */
  hook(agent: RoomAgent, script: string): void {
    this.#count += 1;
    const folder = join(this.tmux.folder, `hook-${this.#count}`, 'rollcall');
    mkdirSync(folder, { recursive: true });
    // In a shell of its own: some give their standard input away while a program of theirs runs with another.
    writeFileSync(join(folder, 'job'), script);
    writeFileSync(join(folder, 'hook.sh'), `sh '${folder}/job'\n:\n`);
    writeFileSync(agent.inbox, `${join(folder, 'hook.sh')}\n`);
  }

  #runHere({ paneId }: RoomAgent, script: string): void {
    const TMUX = `${this.tmux.socketPath},${this.tmux.serverPid},0`;
    execFileSync('sh', ['-c', script], { env: { ...process.env, TMUX, TMUX_PANE: paneId } });
  }

  /** Leaves an event as the hook does. */
  spool(
    name: string,
    payload: Asking['payload'],
    { event = 'Stop', raw }: Pick<Asking, 'event' | 'raw'>,
  ): void {
    mkdirSync(join(this.gate, 'stops'), { recursive: true, mode: 0o700 });
    const header = ['rollcall-hook=1', 'agent=claude', `event=${event}`, 'parent_pid=1'];
    const file = join(this.gate, 'stops', name);
    writeFileSync(file, `${header.join('\n')}\nPLACE\n\n${raw ?? JSON.stringify(payload)}\nend=${name}\n`, {
      mode: 0o600,
    });
  }

  /** Has the agent stop: its hook asks as the real one does, in a child of the agent, and gives the time it is asked for. */
  async stop(agent: RoomAgent, asking: Asking): Promise<Stopped> {
    const { name, end } = this.ask(agent, asking);
    const quick = await end;
    return quick.exitCode === 11 ? this.ask(agent, { ...asking, isRun: true }, name).end : quick;
  }

  /** Asks once, and does not wait. */
  ask(agent: RoomAgent, asking: Asking, again?: string): { name: string; end: Promise<Stopped> } {
    this.#count += 1;
    const name = again ?? this.#event(agent, asking);
    const [file, out] = [join(this.gate, 'stops', name), join(this.tmux.folder, `out-${this.#count}`)];
    const env = { XDG_STATE_HOME: this.state, ...asking.env };
    const words = [...asking.program, '__stop', this.gate, name, ...(asking.isRun ? ['run'] : [])];
    const script = [
      ...Object.entries(env).map(([key, value]) => `export ${key}='${value}'`),
      ...(asking.before === undefined ? [] : [asking.before]),
      `sed -i "s|^PLACE$|TMUX=$TMUX\\nTMUX_PANE=$TMUX_PANE|" '${file}'`,
      `${words.map((word) => `'${word}'`).join(' ')} </dev/null >'${out}' 2>'${out}.err'`,
      `echo $? >'${out}.new'`,
      `mv '${out}.new' '${out}.exit'`,
    ].join('\n');
    if (asking.isElsewhere) this.#runHere(agent, script);
    else if (asking.isByHand) this.tell(agent, script);
    else this.hook(agent, script);
    return { name, end: answerIn(out) };
  }

  #event({ conversation }: RoomAgent, { payload, ...asking }: Asking): string {
    const ticks = String(Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 100));
    const name = `${ticks.padStart(16, '0')}.${String(this.#count).padStart(10, '0')}.1.0`;
    this.spool(name, { ...STOP, session_id: conversation, turn: this.#count, ...payload }, asking);
    return name;
  }

  async start(
    hands: Hands,
    { session, paneId, conversation }: RoomAgent,
    wish: Partial<GateWish> & { readonly checks: readonly GateCheck[] },
  ): Promise<GateContract> {
    const entry = await until(
      `the agent of ${session} is seen`,
      () => this.entry(hands, session),
      ({ evidence }) =>
        evidence.some((piece) => piece.kind === 'agent' && piece.conversation === conversation),
    );
    const started = await startGate(hands, this.parts, {
      ...{ entry, paneId, task: 'the task', reinforce: 3, ttlMs: 3_600_000, cwd: this.repository },
      ...{ isReplacing: false, ...wish },
    });
    if (isTrouble(started)) throw new Error(started.text);
    return started.contract;
  }

  contract(id: string): GateContract {
    const found = this.parts.store.contract(id);
    if (found === null) throw new Error(`there is no contract ${id}`);
    return found;
  }
}

async function answerIn(out: string): Promise<Stopped> {
  await until('the hook is answered', () => existsSync(`${out}.exit`));
  const stderr = readFileSync(`${out}.err`, 'utf8');
  // What the shell itself says of a killed child.
  if (!/^(?:Killed\n)?$/.test(stderr)) throw new Error(stderr);
  const exitCode = Number(readFileSync(`${out}.exit`, 'utf8'));
  return { exitCode, stdout: readFileSync(out, 'utf8') };
}

const STOP = {
  ...{ hook_event_name: 'Stop', stop_hook_active: false },
  ...{ cwd: '/home/dev/work', transcript_path: '/home/dev/transcript.jsonl' },
};

/** What the ledger says about stops, newest last. */
export function stopsIn(hands: Pick<Hands, 'ledger'>): LedgerEntry['body'][] {
  return entriesOf(hands)
    .filter(({ action }) => action === 'gate-stop')
    .map(({ body }) => body);
}

/** For a stop that is in time, of a test that tries until one is: while others have the machine there may be none. */
export const PATIENCE_MS = 300_000;

export const CLEAN: GateCheck = { kind: 'clean' };
