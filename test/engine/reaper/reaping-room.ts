import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHostSensor } from '../../../src/adapters/host/host-sensor.ts';
import { createModeFile } from '../../../src/adapters/reaper/mode-file.ts';
import { composeReaper, type ReaperSurroundings } from '../../../src/compose/reaper.ts';
import type { Settings } from '../../../src/config/settings.ts';
import type { Pressure } from '../../../src/core/pressure/judge-pressure.ts';
import type { Tier } from '../../../src/core/pressure/tier.ts';
import type { ReaperPolicy } from '../../../src/core/reaper/policy.ts';
import type { ReapEvent, ReaperStanding } from '../../../src/core/reaper/standing.ts';
import { adopt } from '../../../src/engine/act/declare-standing.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import type { Reaper } from '../../../src/engine/daemon/parts.ts';
import { until } from '../../support/until.ts';
import { ClosingRoom, SHORT } from '../act/closing-room.ts';

const HOUR = 3_600_000;

/** A room with idle scripted agents in rollcall's care, and reapers whose times a test can wait for. */
export class ReapingRoom extends ClosingRoom {
  readonly reaper: Partial<ReaperPolicy>;
  readonly host = createHostSensor({ now: Date.now });
  readonly modes;
  tier: Tier = 'critical';
  #eyes: Hands | null = null;

  constructor(reaper: Partial<ReaperPolicy> = {}) {
    super({ idleAfterMs: HOUR });
    this.reaper = reaper;
    const runtime = join(this.tmux.folder, 'run');
    mkdirSync(runtime, { mode: 0o700 });
    this.env.XDG_RUNTIME_DIR = runtime;
    mkdirSync(join(this.state, 'rollcall'), { mode: 0o700 });
    this.modes = createModeFile(join(this.state, 'rollcall'));
  }

  override get settings(): Settings {
    const settings = super.settings;
    const times = { idleAfterMs: 1, confirmMs: 300, graceMs: 300, settleMs: 1 };
    const short = { ...times, perHour: 6, prefer: 'close' as const };
    return { ...settings, reaper: { ...settings.reaper, ...short, ...this.reaper } };
  }

  /** The hands whose look the rounds are made of. */
  async eyes(): Promise<Hands> {
    this.#eyes ??= await this.hands();
    return this.#eyes;
  }

  async compose(over: Partial<ReaperSurroundings> = {}): Promise<Reaper> {
    const { look } = await this.eyes();
    return composeReaper(this.env, this.settings, {
      ...{ look, timings: SHORT, sockets: [this.tmux.socketPath] },
      openHands: () => this.hands(),
      ...over,
    });
  }

  /** Idle agents, in rollcall's care but for those that are strange to it. */
  async workers(names: readonly string[], manner = 'leaves', strange: readonly string[] = []): Promise<void> {
    for (const name of names) await this.tmux.session(name, ...this.agents.argv(name, manner));
    await Promise.all(names.map((name) => this.agents.pid(name)));
    const hands = await this.eyes();
    for (const entry of (await hands.look()).sessions) {
      if (names.includes(entry.name) && !strange.includes(entry.name)) await adopt(hands, entry, {});
    }
  }

  worker(name: string, manner?: string): Promise<void> {
    return this.workers([name], manner);
  }

  /** A person at a control client. */
  async attach(name: string): Promise<() => void> {
    const client = spawn('tmux', ['-S', this.tmux.socketPath, '-C', 'attach', '-t', `=${name}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const hands = await this.eyes();
    await until(`${name} is attached`, async () => (await this.entry(hands, name)).attached > 0);
    return () => void client.kill();
  }

  async round(reaper: Reaper): Promise<{ standing: ReaperStanding; events: readonly ReapEvent[] }> {
    const { look } = await this.eyes();
    const roll = await look();
    return reaper.round({ roll, pressure: { tier: this.tier } as Pressure, now: this.host.now() });
  }

  /** Rounds until something of this kind happened, and everything that happened until then. */
  async until(reaper: Reaper, kind: ReapEvent['kind'], times = 1): Promise<ReapEvent[]> {
    const seen: ReapEvent[] = [];
    await until(
      `the reaper says ${kind} ${times} times`,
      async () => {
        seen.push(...(await this.round(reaper)).events);
        return seen.map((event) => `${event.kind} ${event.session?.name} ${event.code}: ${event.text}`);
      },
      () => seen.filter((event) => event.kind === kind).length >= times,
    );
    return seen;
  }
}

export const said = (events: readonly ReapEvent[]) =>
  events.map(({ kind, session }) => `${kind} ${session?.name ?? ''}`.trim());
