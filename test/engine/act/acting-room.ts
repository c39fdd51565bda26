import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { composeHands } from '../../../src/compose/hands.ts';
import { defaultValues, type Settings, toSettings } from '../../../src/config/settings.ts';
import { currentFacts, type SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import type { RunWish } from '../../../src/engine/act/run-wish.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';

/** Real hands on a tmux server of a test's own, with a ledger and locks of their own. */
export class ActingRoom {
  readonly tmux = new PrivateTmux('acts');
  readonly state = join(this.tmux.folder, 'state');
  readonly env: NodeJS.ProcessEnv;
  readonly #open: Hands[] = [];

  constructor(env: NodeJS.ProcessEnv = {}) {
    mkdirSync(this.state);
    this.env = { ...this.tmux.env, XDG_STATE_HOME: this.state, ...env };
  }

  get settings(): Settings {
    const defaults = toSettings(defaultValues());
    return {
      ...defaults,
      // Several rooms are open at once: an answer or a look that takes its time is none the worse.
      policy: { ...defaults.policy, startingMs: 0, freshMs: 120_000 },
      tmux: { timeoutMs: 10_000 },
      git: { ...defaults.git, timeoutMs: 30_000 },
    };
  }

  async hands(changes: Partial<Hands> = {}, sockets = [this.tmux.socketPath]): Promise<Hands> {
    const hands = { ...(await composeHands(this.env, this.settings, { sockets })), ...changes };
    this.#open.push(hands);
    return hands;
  }

  /** A program that lives until the room is left. */
  wish(over: Partial<RunWish> = {}): RunWish {
    return {
      socketPath: this.tmux.socketPath,
      name: 'worker',
      onCollision: 'fail',
      cwd: this.tmux.folder,
      argv: ['sleep', '1000'],
      env: {},
      claims: {},
      remain: false,
      agent: null,
      ...over,
    };
  }

  async entry(hands: Hands, name: string): Promise<SessionEntry> {
    const { sessions } = await hands.look();
    const found = sessions.find((one) => one.name === name);
    if (!found) throw new Error(`no session ${name}: ${sessions.map((one) => one.name).join(', ')}`);
    return found;
  }

  leave(): void {
    for (const hands of this.#open) hands.ledger.close();
    this.tmux.stop();
  }
}

export function entriesOf(hands: Pick<Hands, 'ledger'>): readonly LedgerEntry[] {
  return hands.ledger.read().entries;
}

export function factsIn(hands: Pick<Hands, 'ledger'>): ReadonlyMap<string, SessionFacts> {
  return currentFacts(entriesOf(hands));
}
