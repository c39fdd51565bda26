import { readFileSync } from 'node:fs';
import type { Settings } from '../../../src/config/settings.ts';
import type { CloseWish } from '../../../src/core/close/decide.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Policy } from '../../../src/core/verdict/policy.ts';
import { closeSession } from '../../../src/engine/act/close/close-session.ts';
import {
  CLOSE_TIMINGS,
  type CloseOrder,
  type CloseResult,
  type CloseTimings,
} from '../../../src/engine/act/close/order.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { ScriptedAgents } from '../../support/scripted-agent.ts';
import { until } from '../../support/until.ts';
import { ActingRoom, entriesOf } from './acting-room.ts';

/** Waits that a test can afford. What fails when it is over is long: a loaded machine takes its time. */
export const SHORT: CloseTimings = {
  ...CLOSE_TIMINGS,
  lookEveryMs: 50,
  askMs: 1500,
  terminateMs: 8000,
  killMs: 20_000,
  lateMs: 500,
  settleMs: 4000,
  pollMs: 20,
};

/** For agents that leave when they are asked, whenever they are given a core for that: only whoever stays is waited for in vain. */
const PATIENT: CloseTimings = { ...SHORT, askMs: 20_000 };
const LEAVES = /leaves|saves|lasts|fills/;

const ASKED: CloseWish = { isForced: false, despite: [], isAutomatic: false };

/** A room with scripted agents, in which rest is proven at once. */
export class ClosingRoom extends ActingRoom {
  readonly agents = new ScriptedAgents(this.tmux.folder);
  /** Holds for hands that are made from then on. */
  policy: Partial<Policy>;
  #watching: Hands | null = null;
  #timings: CloseTimings = PATIENT;

  constructor(policy: Partial<Policy> = {}, env: NodeJS.ProcessEnv = {}) {
    super(env);
    this.policy = policy;
  }

  override get settings(): Settings {
    const settings = super.settings;
    const short = { idleAfterMs: 1, exitedAfterMs: 1, confirmMs: 1, recentInputMs: 1 };
    return {
      ...settings,
      tmux: { timeoutMs: 30_000 },
      policy: { ...settings.policy, ...short, ...this.policy },
    };
  }

  /** Starts an agent that behaves so; `behind` is what the shell runs after it, `before` what it runs first. */
  async agent(
    name: string,
    manner: string,
    behind?: string,
    before = '',
  ): Promise<{ paneId: string; pid: number }> {
    const argv = this.agents.argv(name, manner);
    this.#timings = LEAVES.test(manner) ? PATIENT : SHORT;
    const command = behind === undefined ? argv : ['sh', '-c', `${before}${argv.join(' ')}; ${behind}`];
    const { paneId } = await this.tmux.session(name, ...command);
    const pid = await this.agents.pid(name);
    this.#watching ??= await this.hands();
    const watching = this.#watching;
    await until(
      `${name} rests`,
      () => this.entry(watching, name),
      ({ lifecycle }) => lifecycle === 'stale' || lifecycle === 'safe-to-close',
    );
    return { paneId, pid };
  }

  async close(
    hands: Hands,
    subject: string | SessionEntry,
    wish: Partial<CloseWish> = {},
    over: Partial<CloseOrder> = {},
  ): Promise<CloseResult> {
    const entry = typeof subject === 'string' ? await this.entry(hands, subject) : subject;
    return closeSession(hands, {
      ...{ entry, wish: { ...ASKED, ...wish }, reason: null, argv: ['test'], timings: this.#timings },
      onProgress: () => {},
      ...over,
    });
  }

  async names(): Promise<string[]> {
    const printed = await this.tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '');
    return printed.split('\n').filter((name) => name !== '');
  }
}

/** A shell that stands at its prompt. */
export const SHELL = "exec env PS1='$ ' HISTFILE= bash --norc --noprofile -i";

/** Whether a process lives, and not only its number. */
export function lives(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

export async function untilGone(pid: number): Promise<void> {
  await until(`process ${pid} is gone`, () => !lives(pid));
}

export function receiptsIn(hands: Pick<Hands, 'ledger'>): readonly string[] {
  return entriesOf(hands).flatMap(({ kind, body }) => (kind === 'receipt' ? [String(body.receipt)] : []));
}

/** What came of every close, as the ledger has it. */
export function outcomesIn(hands: Pick<Hands, 'ledger'>, action = 'close'): readonly unknown[] {
  return entriesOf(hands).flatMap((entry) =>
    entry.kind === 'outcome' && entry.action === action ? [entry.body.result] : [],
  );
}
