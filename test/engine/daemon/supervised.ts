import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
import type { ReaperStanding } from '../../../src/core/reaper/standing.ts';
import type { Roll } from '../../../src/core/sight/roll.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import { createDaemon, type Daemon } from '../../../src/engine/daemon/create-daemon.ts';
import type { DaemonParts } from '../../../src/engine/daemon/parts.ts';
import { serialLook } from '../../../src/engine/look/create-look.ts';
import { KeptLog } from '../../adapters/daemon/daemon-samples.ts';
import { pressure } from '../../core/supervision/supervision-samples.ts';
import { until } from '../../support/until.ts';

const NOTHING = { isEmpty: true, head: { sequence: 0, hash: '' }, damage: null };

export const STANDING: ReaperStanding = {
  ...{ mode: 'shadow', wanted: 'shadow', tier: 'normal', breaker: null, pending: null, sessions: [] },
  budget: { perHour: 6, used: 0, freeAt: null, problem: null },
};

/** A daemon in this process that keeps every round it took. */
export class Supervised {
  readonly log = new KeptLog();
  readonly rounds: Round[] = [];
  readonly daemon: Daemon;

  constructor(look: DaemonParts['look'], changes: Partial<DaemonParts> = {}) {
    this.daemon = createDaemon({
      look: serialLook(look),
      pressure: () => ({ pressure: pressure(), problems: [] }),
      reaper: { round: async () => ({ standing: STANDING, events: [] }), stop: async () => {} },
      settler: {
        round: async () => ({ standing: { mode: 'off', due: [] }, events: [] }),
        stop: async () => {},
      },
      wakes: [],
      ledger: {
        read: () => ({ ...NOTHING, entries: [] }),
        scan: () => NOTHING,
        facts: () => ({ ...NOTHING, folded: UNFOLDED }),
      },
      log: this.log,
      timers: {
        after(ms, call) {
          const timer = setTimeout(call, ms);
          return () => clearTimeout(timer);
        },
      },
      now: () => ({ at: Date.now(), awakeMs: Math.round(performance.now()), suspendedMs: 0 }),
      cpuMs: () => 0,
      openHands: () => Promise.reject(new Error('there are no hands here')),
      ...changes,
    });
    this.daemon.desk.onRound((round) => {
      this.rounds.push(round);
    });
  }

  start(): this {
    void this.daemon.run();
    return this;
  }

  get last(): Round | undefined {
    return this.rounds.at(-1);
  }

  /** Waits for a round that is so. */
  async seen(what: string, holds: (roll: Roll, round: Round) => boolean, timeoutMs = 15_000): Promise<Round> {
    let found: Round | undefined;
    await until(
      what,
      () => {
        found = this.rounds.findLast((round) => holds(round.roll, round));
        return found?.number ?? this.rounds.length * -1;
      },
      (number) => number > 0,
      timeoutMs,
    );
    return found as Round;
  }
}

export const stateFolder = () => mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'state-'));
