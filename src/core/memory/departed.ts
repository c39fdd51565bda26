import type { ServerIdentity, SessionIdentity } from '../sight/identity.ts';

/** A session, or panes of one, that a look saw and that are gone for certain. */
export interface Departed extends SessionIdentity {
  readonly key: string;
  readonly name: string;
  /** Those that are gone, with their programs. */
  readonly panes: readonly { readonly paneId: string; readonly pid: number }[];
  /** The session itself lives on without these panes. */
  readonly isPanesOnly: boolean;
  readonly lastSeenAt: number;
  /** When rollcall closed it, and the receipt of that. */
  readonly closed?: { readonly at: number; readonly receipt: string };
}

/** What a server holds now, by its complete listing. */
export interface ServerContents {
  /** Keys of its sessions. */
  readonly sessions: ReadonlySet<string>;
  readonly paneIds: ReadonlySet<string>;
}

/** A server as an earlier look left it. */
interface Remembered extends ServerIdentity {
  readonly sessions: Readonly<
    Record<
      string,
      Pick<Departed, 'name' | 'sessionId' | 'createdAtSeconds'> & {
        readonly panes: Readonly<Record<string, { readonly pid: number }>>;
      }
    >
  >;
}

/** Whoever asks after something that died may come a day later. */
const KEPT_MS = 86_400_000;
/** A quarter of a kilobyte each, in a file that every look writes. */
const KEPT = 200;

/** What was on a server at the last look and is not there now; null: the server itself is gone, and all of it with it. */
export function departuresFrom(
  { sessions, socketPath, pid, startTicks }: Remembered,
  now: ServerContents | null,
  lastSeenAt: number,
): Departed[] {
  return Object.entries(sessions).flatMap(([key, { name, sessionId, createdAtSeconds, panes }]) => {
    const all = Object.entries(panes).map(([paneId, pane]) => ({ paneId, pid: pane.pid }));
    const gone = all.filter(({ paneId }) => !now?.paneIds.has(paneId));
    // A session whose panes were moved is not dead: they live on elsewhere.
    const isPanesOnly = now !== null && (now.sessions.has(key) || gone.length < all.length);
    if (isPanesOnly && gone.length === 0) return [];
    const server = { socketPath, pid, startTicks };
    return [{ key, name, sessionId, createdAtSeconds, server, panes: gone, isPanesOnly, lastSeenAt }];
  });
}

/** Those that are still told of, the newest first. */
export function stillTold(
  fresh: readonly Departed[],
  before: readonly Departed[] | undefined,
  at: number,
): readonly Departed[] {
  return [...fresh, ...(before ?? [])].filter(({ lastSeenAt }) => at - lastSeenAt < KEPT_MS).slice(0, KEPT);
}
