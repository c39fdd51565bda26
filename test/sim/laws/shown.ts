import type { SimAgent } from '../machine/agent.ts';
import { KINDS } from '../machine/agent-kinds.ts';
import type { SimClock } from '../machine/clock.ts';
import type { AgentWhat, JournalEntry } from '../machine/journal.ts';

/**
 * The one documented limit (docs/LAWS.md, 3): what an agent does inside its own process in the moments between the last look and
 * the act, without showing it. One look and one act take no longer than this.
 */
export const GLANCE_MS = 1000;

/** Remembers since when agents do what they do. */
export class Since {
  readonly #clock: SimClock;
  readonly #at = new Map<string, number>();

  constructor(clock: SimClock) {
    this.#clock = clock;
  }

  on(entry: JournalEntry): void {
    if ('kind' in entry && 'startTicks' in entry && entry.what !== 'hook-sent')
      this.#at.set(`${entry.pid}.${entry.startTicks} ${entry.what}`, this.#clock.ms);
  }

  /** Whether an agent has done this for so long that something must have shown it. */
  isShown(agent: SimAgent, what: AgentWhat): boolean {
    const { pid, startTicks } = agent.process;
    const beganMs = this.#at.get(`${pid}.${startTicks} ${what}`) ?? 0;
    return this.#clock.ms - beganMs > GLANCE_MS + unseenMs(agent, what);
  }
}

/** How long it takes until the first of its sources shows what it does; without end where none of them ever does. */
function unseenMs({ kind, lags, shows }: SimAgent, what: AgentWhat): number {
  const { hasStatus } = KINDS[kind];
  const screenMs = shows.screen ? lags.screen : Number.POSITIVE_INFINITY;
  const statusMs = hasStatus && shows.status && what !== 'draft' ? lags.status : Number.POSITIVE_INFINITY;
  return Math.min(screenMs, statusMs);
}
