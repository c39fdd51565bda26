import { createHostSensor } from '../../../src/adapters/host/host-sensor.ts';
import { composeSettler, type SettlerSurroundings } from '../../../src/compose/daemon/settle.ts';
import type { Settings } from '../../../src/config/settings.ts';
import type { Due } from '../../../src/core/settle/due.ts';
import type { SettleEvent, SettleMode, SettleStanding } from '../../../src/core/settle/standing.ts';
import { complete } from '../../../src/engine/act/complete.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { run } from '../../../src/engine/act/run.ts';
import { createCloseTurn } from '../../../src/engine/daemon/close-turn.ts';
import type { Settler } from '../../../src/engine/daemon/parts.ts';
import { until } from '../../support/until.ts';
import { ClosingRoom, SHORT } from '../act/closing-room.ts';

const HOUR_MS = 3_600_000;
const BASH = ['env', 'PS1=$ ', 'HISTFILE=', 'bash', '--norc', '--noprofile', '-i'];

/** A room in which completed sessions close after idle, with workers that rollcall started and settlers of a test's own. */
export class SettlingRoom extends ClosingRoom {
  readonly opened = createHostSensor({ now: Date.now }).now();
  readonly turn = createCloseTurn();
  mode: SettleMode = 'on';
  /** How long ago the room was opened, for rounds that do not say it. */
  #laterMs = 0;
  #eyes: Hands | null = null;

  constructor() {
    super({ idleAfterMs: HOUR_MS });
  }

  override get settings(): Settings {
    const settings = super.settings;
    const defaultRole = { ...settings.defaultRole, onComplete: 'close-after-idle' as const };
    const daemon = { ...settings.daemon, settle: this.mode };
    return { ...settings, defaultRole, daemon, policy: { ...settings.policy, defaultRole } };
  }

  async eyes(): Promise<Hands> {
    this.#eyes ??= await this.hands();
    return this.#eyes;
  }

  compose(over: Partial<SettlerSurroundings> = {}): Settler {
    return composeSettler(this.env, this.settings, {
      ...{ turn: this.turn, timings: SHORT, openHands: () => this.hands() },
      ...over,
    });
  }

  async start(name: string, argv: readonly string[]): Promise<void> {
    const ran = await run(
      await this.eyes(),
      this.wish({ name, argv, claims: { role: 'i', task: `T-${name}` } }),
    );
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
  }

  /** Starts an agent that rests. */
  async worker(name: string, manner = 'leaves'): Promise<number> {
    await this.start(name, this.agents.argv(name, manner));
    return this.agents.pid(name);
  }

  /** Starts a shell of a worker's own. */
  async shell(name: string): Promise<void> {
    await this.start(name, BASH);
    const screen = () => this.tmux.tmux('capture-pane', '-p', '-t', `=${name}:`);
    await until(`${name} is at its prompt`, async () => (await screen()).startsWith('$'));
  }

  async complete(...names: readonly string[]): Promise<void> {
    const hands = await this.eyes();
    for (const name of names) {
      const wish = { outcome: 'done', task: null, evidence: [], blockers: [], fromPane: null } as const;
      const declared = await complete(hands, await this.entry(hands, name), wish);
      if (declared.state !== 'declared') throw new Error(JSON.stringify(declared));
    }
  }

  /** One round, so long after the room was opened: no pause ends because the machine is slow. */
  async round(
    settler: Settler,
    laterMs = this.#laterMs,
  ): Promise<{ standing: SettleStanding; events: readonly SettleEvent[] }> {
    const roll = await (await this.eyes()).look();
    const { at, awakeMs, suspendedMs } = this.opened;
    return settler.round({ roll, now: { at: at + laterMs, awakeMs: awakeMs + laterMs, suspendedMs } });
  }

  /**
   * Rounds until so many of this kind happened, and everything that happened until then. A busy machine may call a close off
   * because something moved: that is tried again once its pause is over.
   */
  async until(settler: Settler, kind: SettleEvent['kind'], times = 1): Promise<SettleEvent[]> {
    const seen: SettleEvent[] = [];
    await until(
      `the settler says ${kind} ${times} times`,
      async () => {
        const { events, standing } = await this.round(settler);
        seen.push(...events.filter((event) => event.kind === kind || event.kind !== 'skipped'));
        if (kind !== 'skipped' && events.some((event) => event.kind === 'skipped')) this.#laterMs += HOUR_MS;
        return [
          ...seen.map(({ kind: one, session, text }) => `${one} ${session.name}: ${text}`),
          standing.due,
        ];
      },
      () => seen.filter((event) => event.kind === kind).length >= times,
    );
    return seen;
  }

  /** Rounds until a session stands so. */
  async untilDue(settler: Settler, name: string, state: Due['state']): Promise<Due> {
    const due = await until(
      `${name} is ${state}`,
      async () => (await this.round(settler)).standing.due.find((one) => one.name === name),
      (found) => found?.state === state,
    );
    return due as Due;
  }
}
