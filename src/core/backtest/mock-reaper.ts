import type { Tier } from '../pressure/tier.ts';
import { budgetIn } from '../reaper/budget.ts';
import { concludeRound } from '../reaper/conclude.ts';
import { NO_MEMORY, type ReaperMemory } from '../reaper/memory.ts';
import type { ReaperPolicy } from '../reaper/policy.ts';
import type { ReapEvent } from '../reaper/standing.ts';
import { survey } from '../reaper/survey.ts';
import { type ReapScene, watchRound } from '../reaper/watch-round.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';

/** The reaper's own decisions, in shadow, on sessions that are long past. */
export class MockReaper {
  readonly #policy: ReaperPolicy;
  #memory: ReaperMemory = NO_MEMORY;

  constructor(policy: ReaperPolicy) {
    this.#policy = policy;
  }

  /** One round. A closer look finds what was recorded, which is all there is. */
  round(sessions: readonly SessionEntry[], tier: Tier, now: Moment): readonly ReapEvent[] {
    const policy = this.#policy;
    const surveyed = survey(sessions, { tier, now, policy }, this.#memory);
    const unused = { perHour: policy.perHour, used: 0, freeAt: null, problem: null };
    const scene: ReapScene = {
      ...{ mode: 'shadow', tier, now, policy, survey: surveyed },
      screens: new Map(surveyed.candidates.map(({ entry }) => [entry.key, SCREEN])),
      budget: budgetIn('shadow', unused, this.#memory.simulated, now),
    };
    const watched = watchRound(this.#memory, scene);
    const { nominee } = watched;
    const found = sessions.find(({ key }) => key === nominee?.key) as SessionEntry;
    const examined = nominee && { entry: found, screens: SCREEN, now };
    const { memory, events } = concludeRound(watched, scene, examined);
    this.#memory = memory;
    return events;
  }

  /** A daemon that starts has seen nothing; what the hour has taken stays taken. */
  restart({ awakeMs }: Moment): void {
    const simulated = this.#memory.simulated.filter((atMs) => atMs <= awakeMs);
    this.#memory = { ...NO_MEMORY, simulated };
  }
}

/** Screens are not kept. Whatever changes one also changes the time of the last output. */
const SCREEN = 'kept';
