import type { RequestRecord } from './model/request-log.ts';
import { NotReached } from './until.ts';

/** What `rollcall gate status` says of one piece of work. */
export interface GateWords {
  readonly id: string;
  readonly phase: string;
  readonly reinforce: number;
  readonly used: number;
  readonly wouldHaveUsed: number;
  readonly stale: { readonly code: string; readonly text: string } | null;
  readonly owner: { readonly name: string; readonly paneId: string; readonly conversation: string | null };
}

/** One decision about a stop, as the ledger has it. */
export interface Stop {
  readonly sequence: number;
  readonly verdict: string;
  readonly reason: string;
  readonly text: string;
  /** Null where it is not known when the agent called. */
  readonly latencyMs: number | null;
}

/** What `rollcall gate report` counts. */
export interface GateReportWords {
  readonly stops: number;
  readonly blocked: number;
  readonly wouldBlock: number;
}

/** The newest piece of work of a session. */
export function contractOf(document: Record<string, unknown>, name: string): GateWords {
  const all = (document.contracts ?? []) as readonly (GateWords & { readonly startedAt: number })[];
  const own = all.filter(({ owner }) => owner.name === name).sort((a, b) => b.startedAt - a.startedAt);
  const [newest] = own;
  if (newest === undefined) throw new NotReached(`gate status tells nothing of ${name}`);
  return newest;
}

export function stopsIn(document: Record<string, unknown>): readonly Stop[] {
  const entries = (document.entries ?? []) as readonly {
    readonly sequence: number;
    readonly action: string;
    readonly body: Omit<Stop, 'sequence'>;
  }[];
  return entries
    .filter(({ action }) => action === 'gate-stop')
    .map(({ sequence, body: { verdict, reason, text, latencyMs } }) => ({
      ...{ sequence, verdict, reason, text, latencyMs },
    }));
}

/** How often a turn went on because it was told to; what its subagents did is counted apart. */
export function wentOnIn(
  records: readonly RequestRecord[],
  tag: string,
): { wentOn: number; subWentOn: number; requests: number } {
  const turns = records.filter(({ role }) => role !== 'side');
  const most = (some: readonly RequestRecord[]) => Math.max(0, ...some.map(({ nudges }) => nudges));
  const own = turns.filter((record) => record.tag === tag);
  return {
    wentOn: most(own),
    requests: own.length,
    subWentOn: most(turns.filter((record) => record.tag !== tag)),
  };
}

/** Everything named has to be as it is wanted; the first thing that is not is told, with all of what was seen. */
export function expectAll<T extends object>(what: string, seen: T, wanted: Partial<T>): void {
  for (const [key, value] of Object.entries(wanted)) {
    const found = seen[key as keyof T];
    if (JSON.stringify(found) !== JSON.stringify(value))
      throw new NotReached(
        `${what}: ${key} is ${JSON.stringify(found)}, not ${JSON.stringify(value)} (${JSON.stringify(seen)})`,
      );
  }
}

/** What stands for a stop that never got as far as rollcall. */
export const BY_THE_HOOK = 'decided by the hook alone';

/** Why stops were let through has to be among these: otherwise it was something else that let them. */
export function expectReasons(stops: readonly Stop[], wanted: readonly string[]): string {
  const seen = stops.length === 0 ? [BY_THE_HOOK] : stops.map(({ reason }) => reason);
  const odd = seen.find((reason) => !wanted.includes(reason));
  if (odd !== undefined) throw new NotReached(`the reason is ${odd}, not ${wanted.join(' or ')}`);
  return reasonsOf(stops);
}

/** The reasons of decisions, each with how often it was given, for the page. */
export function reasonsOf(stops: readonly Stop[]): string {
  const counts = new Map<string, number>();
  for (const { verdict, reason } of stops) {
    const word = verdict === 'approved' ? reason : verdict;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (counts.size === 0) return BY_THE_HOOK;
  return [...counts].map(([word, count]) => (count === 1 ? word : `${word} ×${count}`)).join(', ');
}

/** The middle and the longest of what the decisions took. */
export function latencyOf(stops: readonly Stop[]): string {
  const all = stops.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const middle = all[Math.floor(all.length / 2)];
  if (middle === undefined) return 'no decision';
  return `${stops.length} decisions, p50 ${Math.round(middle)} ms, longest ${Math.round(all.at(-1) ?? 0)} ms`;
}
