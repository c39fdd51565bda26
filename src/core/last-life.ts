import type { Activity } from './verdict.ts';

/** A session as a look last saw it, for whoever has to tell how it ended. */
export interface LastLife {
  readonly at: number;
  /** Processes of its panes that lived. */
  readonly pids: readonly number[];
  /** It was at work. */
  readonly isBusy: boolean;
}

/** What earlier looks leave, as far as it tells that. */
interface Memory {
  readonly at: number;
  readonly servers: Readonly<Record<string, { readonly sessions: Readonly<Record<string, Seen>> }>>;
  readonly lives?: Readonly<Record<string, LastLife>>;
}

interface Seen {
  readonly verdict: { readonly activity: Activity };
  readonly panes: Readonly<Record<string, { readonly pid: number; readonly isDead: boolean }>>;
}

/** What the last look that saw a session knew of its life; kept for one that is gone until it is settled. */
export function lastLifeIn({ servers, at, lives }: Memory, key: string): LastLife | undefined {
  const found = Object.values(servers).find(({ sessions }) => sessions[key] !== undefined)?.sessions[key];
  return found === undefined ? lives?.[key] : lifeOf(found, at);
}

function lifeOf({ panes, verdict }: Seen, at: number): LastLife {
  const living = Object.values(panes).filter(({ isDead }) => !isDead);
  return { at, pids: living.map(({ pid }) => pid), isBusy: AT_WORK.has(verdict.activity) };
}

const AT_WORK: ReadonlySet<Activity> = new Set(['working', 'waiting', 'starting']);
