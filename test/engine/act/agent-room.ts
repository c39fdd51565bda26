import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reopening } from '../../../src/core/close/reopening.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { outlived } from '../../../src/engine/act/reopen/outlived.ts';
import { RealProcesses } from '../../adapters/proc/real-processes.ts';
import { until } from '../../support/until.ts';
import { ActingRoom } from './acting-room.ts';

interface Asked {
  readonly runs?: readonly string[];
  readonly agent?: Reopening['agent'];
  readonly cwd?: string;
  readonly hands?: Partial<Hands>;
}

/** A minute later. */
export const LATER = { hands: { now: () => Date.now() + 61_000 } };

/** Programs with the names of agents, one conversation, and who is at it. */
export class AgentRoom {
  readonly room = new ActingRoom();
  readonly started = new RealProcesses();
  readonly id = crypto.randomUUID();
  readonly home = join(this.room.tmux.folder, 'home');
  readonly claude: string;
  readonly #bin = join(this.room.tmux.folder, 'bin');

  constructor() {
    for (const folder of [this.home, this.#bin]) mkdirSync(folder);
    this.claude = this.program('claude');
  }

  get folder(): string {
    return this.room.tmux.folder;
  }

  /** A program of this name that waits without a child: one that is just started still has its arguments. */
  program(name: string): string {
    const path = join(this.#bin, name);
    execFileSync('mkfifo', [`${path}.never`]);
    writeFileSync(path, `#!/bin/bash\nread -r line <> '${path}.never'\n`, { mode: 0o755 });
    return path;
  }

  async leave(): Promise<void> {
    await this.started.endAll();
    this.room.leave();
  }

  /** In a folder of its own: agents of other tests that have not spoken are in theirs. */
  inFolder(argv: readonly string[]): readonly string[] {
    return ['env', '-C', this.folder, ...argv];
  }

  /** Starts it outside of tmux, and waits until it is itself: the `env` that starts it has its path among its arguments too. */
  async outside(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
    const { pid } = await this.started.start(this.inFolder(argv), env);
    await until('it runs', () => {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words[0] !== 'env' && words.some((word) => word.startsWith(this.#bin));
    });
    return pid;
  }

  /** What Claude Code says of itself. `own`: the number that it knows itself by. */
  says(pid: number, conversation: string, own = pid): void {
    const folder = join(this.home, '.claude', 'sessions');
    const procStart = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')[19];
    const now = Date.now();
    mkdirSync(folder, { recursive: true });
    const told = {
      ...{ pid: own, sessionId: conversation, cwd: this.folder, startedAt: now, procStart },
      ...{ version: '2.1.325', kind: 'interactive', status: 'idle', updatedAt: now, statusUpdatedAt: now },
    };
    writeFileSync(this.statusOf(own), JSON.stringify(told));
  }

  /** Where it says so. */
  statusOf(own: number): string {
    return join(this.home, '.claude', 'sessions', `${own}.json`);
  }

  async asked(
    hands: Hands,
    { runs = [], agent = { kind: 'claude', conversation: this.id }, ...over }: Asked = {},
  ) {
    const { sessions } = await hands.look();
    const about = { agent, cwd: over.cwd ?? this.folder };
    const entries = runs.map((run) => ({ body: { run } }) as unknown as LedgerEntry);
    return outlived({ ...hands, ...over.hands }, about, sessions, entries);
  }

  /** Who is at the conversation, as whoever reopens it elsewhere asks. */
  async found(hands: Hands, runs: readonly string[] = [], agent?: Reopening['agent']) {
    const about = { runs, cwd: '/nowhere', ...(agent !== undefined && { agent }) };
    return (await this.asked(hands, about))?.pids ?? [];
  }
}
