import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeGateParts } from '../../src/compose/gate/gate.ts';
import { composeHands } from '../../src/compose/hands.ts';
import { openLedger } from '../../src/compose/ledger.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import type { GateContract } from '../../src/core/gate/contract.ts';
import type { LedgerEntry } from '../../src/core/ledger/entry.ts';
import type { SessionEntry } from '../../src/core/sight/roll.ts';
import type { HookStatus } from '../../src/ports/hook-config.ts';
import { agent, named, processes, shell } from '../support/evidence.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { type Ran, run } from './fake-outside.ts';
import { entry, pane, roll } from './render/samples.ts';

const SERVER_PID = 812;

/** A session with one agent in each of these panes; their program is the process that runs the test. */
export function agentsIn(name: string, kinds: Readonly<Record<string, string>>, cwd: string): SessionEntry {
  const panes = Object.entries(kinds);
  return entry(name, {
    panes: panes.map(([paneId]) => pane({ paneId, pid: process.pid, cwd })),
    evidence: panes.flatMap(([paneId, kind], index) => {
      const pid = 5000 + index;
      const notes = [shell({ pid: process.pid }), agent({ pid, agentKind: kind, parentPid: process.pid })];
      if (kind === 'none') return [{ ...processes(notes.slice(0, 1)), paneId }];
      return [
        { ...processes(notes), paneId },
        named({ paneId, agentKind: kind, agentPid: pid, conversation: `talk-${paneId.slice(1)}` }),
      ];
    }),
  });
}

const HEARD: Omit<HookStatus, 'agent'> = {
  ...{ scope: 'user', file: '/x', state: 'installed', events: ['Stop'], missing: [], notes: [] },
  ...{ isSwitchedOff: false, review: null, lastHeardAt: null, backups: [], kept: [], oldBackups: [] },
};

/** The commands of the gate over its real store, ledger and locks, and sessions that are only told of. */
export class GateScene {
  readonly folder = realpathSync(mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'gate-cli-')));
  readonly project = join(this.folder, 'project');
  readonly env: Record<string, string> = {
    ...{ HOME: this.folder, XDG_STATE_HOME: join(this.folder, 'state'), PATH: process.env.PATH ?? '' },
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  };
  sessions: readonly SessionEntry[];
  hooks: Partial<HookStatus> = {};
  cwd = this.project;
  isTTY = false;
  ledgerFails = false;
  /** What stands between the pane and the command works for several panes. */
  isSharedAround = false;
  looks = 0;

  constructor() {
    mkdirSync(this.project);
    execFileSync('git', ['init', '-q', this.project]);
    this.sessions = [agentsIn('fix-12', { '%3': 'claude' }, this.project)];
  }

  /** As called from inside a pane of the first session. */
  inside(paneId: string): void {
    Object.assign(this.env, { TMUX: `/tmp/tmux-1000/default,${SERVER_PID},1`, TMUX_PANE: paneId });
  }

  call(...argv: string[]): Promise<Ran> {
    const settings = toSettings(defaultValues());
    return run(['gate', ...argv], {
      ...{ env: this.env, cwd: this.cwd, pid: process.pid, now: Date.now, isTTY: this.isTTY },
      ...(this.isTTY && { columns: 100 }),
      roll: async () => this.#look(),
      gate: async () => composeGateParts(this.env, settings),
      ledger: () =>
        this.ledgerFails ? Promise.reject(new Error('the disk is full')) : openLedger(this.env, 'cli'),
      hands: async (config) => {
        // As it is composed: who acts is told of a broken config.
        await config();
        const hands = await composeHands(this.env, settings, { sockets: [] });
        const shared = { kind: 'server', recognises: () => false, isShared: () => true };
        const agents = this.isSharedAround ? [...hands.agents, shared] : hands.agents;
        return { ...hands, agents, look: async () => this.#look() };
      },
      hookConfig: async () => ({
        ...{ inUse: () => [], plan: () => assert(), apply: () => assert() },
        status: ([kind = 'claude']) => [{ agent: kind, ...HEARD, ...this.hooks }],
      }),
    });
  }

  async json(...argv: string[]): Promise<unknown> {
    return JSON.parse((await this.call(...argv, '--json')).stdout);
  }

  get store() {
    return composeGateParts(this.env, toSettings(defaultValues())).store;
  }

  get contracts(): readonly GateContract[] {
    return this.store.contracts().contracts;
  }

  async entries(): Promise<readonly LedgerEntry[]> {
    const ledger = await openLedger(this.env, 'cli');
    try {
      return ledger.read().entries;
    } finally {
      ledger.close();
    }
  }

  async actions(): Promise<string[]> {
    return (await this.entries()).map(({ action }) => action);
  }

  /** A file of the project. */
  write(name: string, text: string): void {
    writeFileSync(join(this.project, name), text);
  }

  leave(): void {
    removeFolder(this.folder);
  }

  #look() {
    this.looks += 1;
    return roll(this.sessions);
  }
}

function assert(): never {
  throw new Error('nobody was to do this');
}
