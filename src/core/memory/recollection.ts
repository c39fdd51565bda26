import type { KnownPrompt } from '../prompt/doubt.ts';
import { bootWords, type HostIdentity, type ProcessMark, type ServerIdentity } from '../sight/identity.ts';
import { type Moment, wallOffset } from '../text/moment.ts';
import type { Previous } from '../verdict/classify.ts';
import { type Departed, departuresFrom, stillTold } from './departed.ts';
import type { RememberedPeople } from './remember-people.ts';
import type { RememberedWord } from './remember-word.ts';
import type { SeenLife } from './seen-life.ts';
import type { RememberedInput } from './shell-input.ts';

/** One process as it was at the last look. */
export interface RememberedProcess extends ProcessMark {
  /** Its own CPU time and that of its ended children. */
  readonly cpuMs: number;
  readonly ioBytes?: number;
}

/** What the processes of a pane used over a time. */
export interface PaneUse {
  /** Awake time. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly ioBytes: number;
}

/** One pane as it was at the last look, and since when nothing has changed in it. */
export interface RememberedPane extends ProcessMark {
  readonly isDead: boolean;
  readonly agentSeen?: string;
  /** Where its program was working: a dead pane cannot tell any more. */
  readonly cwd?: string;
  readonly processes: readonly RememberedProcess[];
  readonly lastOutputAt?: number;
  readonly observations: number;
  readonly quietSinceAwakeMs: number;
  readonly isDisturbed: boolean;
  /** What was used since a look that judged it; absent where that was the last one. */
  readonly used?: PaneUse;
  /** When its screen was read last and nothing on it was understood. */
  readonly muteAt?: number;
  /** The prompt that the shell in it was proven to have. */
  readonly prompt?: KnownPrompt;
  /** The shell in front of it, as it was before anything was entered. */
  readonly input?: RememberedInput;
  /** Why the shell that an agent left in it has become a person's. */
  readonly entered?: string;
  /** The completion that speaks for it. */
  readonly word?: RememberedWord;
}

/** One session as it was at the last look. */
export interface RememberedSession {
  readonly sessionId: string;
  readonly name: string;
  readonly createdAtSeconds: number;
  readonly verdict: Previous;
  readonly agent?: string;
  readonly panes: Readonly<Record<string, RememberedPane>>;
  /** Absent where an earlier version looked. */
  readonly people?: RememberedPeople;
}

/** One tmux server as it was at the last look. */
export interface RememberedServer extends ServerIdentity {
  readonly sessions: Readonly<Record<string, RememberedSession>>;
  /** When nearly all its panes were found dead at once. */
  readonly massDeath?: { readonly awakeMs: number; readonly dead: number; readonly of: number };
}

/** Sessions that went with their server or with the machine, kept for a while so that somebody hears of it. */
export interface Farewell {
  readonly cause: 'host-restarted' | 'server-ended';
  readonly socketPath: string;
  readonly names: readonly string[];
  readonly lastSeenAt: number;
  readonly noticedAt: number;
}

/** What earlier looks leave to later ones. Comparable only within one boot and one pid namespace. */
export interface Recollection {
  readonly format: 1;
  readonly bootId: string;
  /** Whose boot that is, as keys name a machine. Absent where an earlier version looked. */
  readonly machine?: string;
  /** Absent where there is none to tell. */
  readonly pidNamespace?: string;
  readonly at: number;
  readonly awakeMs: number;
  readonly suspendedMs: number;
  /** By how much the wall clock was stepped during this boot, all steps added up. */
  readonly steppedMs: number;
  readonly servers: Readonly<Record<string, RememberedServer>>;
  readonly farewells: readonly Farewell[];
  /** When sessions that the ledger expects and that are gone were last seen, by key; where an end is known, also their server. */
  readonly lastSeen?: Readonly<Record<string, number>>;
  /** What was seen of sessions that the ledger expects, there or gone, by their keys. */
  readonly lives?: Readonly<Record<string, SeenLife>>;
  /** What earlier looks saw and is gone, the newest first. */
  readonly departed?: readonly Departed[];
  /** Processes of sessions under care that are gone, by session key, for as long as they live. */
  readonly left?: Readonly<Record<string, readonly ProcessMark[]>>;
}

/** Whether what was read is a recollection of this format. Its own program wrote it, so its outline is enough. */
export function isRecollection(value: unknown): value is Recollection {
  if (typeof value !== 'object' || value === null) return false;
  const { format, bootId, awakeMs, at, steppedMs, suspendedMs, servers, farewells } =
    value as Partial<Recollection>;
  const numbers = [awakeMs, at, steppedMs, suspendedMs];
  return (
    format === 1 &&
    typeof bootId === 'string' &&
    numbers.every((number) => Number.isFinite(number)) &&
    typeof servers === 'object' &&
    servers !== null &&
    Array.isArray(farewells)
  );
}

/** A farewell is said for this long after it was noticed. */
const FAREWELL_MS = 3_600_000;
/** Slewing and rounding stay below this; a step does not. */
const STEP_MS = 2000;

/** Whether it is of this boot, and of processes that are seen from here. */
export function isOfHere(
  { bootId, pidNamespace }: Pick<Recollection, 'bootId' | 'pidNamespace'>,
  host: HostIdentity,
): boolean {
  return bootId === host.bootId && pidNamespace === host.pidNamespace;
}

/**
 * Whether it is of another machine that shares the state folder (a home on NFS): its sessions may live there. Containers
 * have this boot, whatever their machine is called. The keys tell where an earlier version did not say.
 */
export function isElsewhere(
  { bootId, machine, servers }: Pick<Recollection, 'bootId' | 'machine' | 'servers'>,
  host: HostIdentity,
): boolean {
  if (bootId === host.bootId) return false;
  const whose = machine ?? Object.keys(servers)[0]?.split('.')[0];
  return whose !== undefined && whose !== bootWords(host).machine;
}

/**
 * What this look may build on: the same boot's memory with its clock steps added up, or a fresh one after a restart. What
 * a look on another machine or from another pid namespace saw is neither a beginning nor over.
 */
export function recall(found: Recollection | null, host: HostIdentity, now: Moment): Recollection {
  const stored = found === null || isElsewhere(found, host) ? null : found;
  const farewells = (stored?.farewells ?? []).filter((one) => now.at - one.noticedAt < FAREWELL_MS);
  if (stored !== null && isOfHere(stored, host)) {
    const driftMs = Math.abs(wallOffset(now) - wallOffset(stored));
    const steppedMs = stored.steppedMs + (driftMs > STEP_MS ? driftMs : 0);
    return { ...stored, machine: bootWords(host).machine, ...momentOf(now), steppedMs, farewells };
  }
  const ended = stored !== null && stored.bootId !== host.bootId ? stored : null;
  const servers = Object.values(ended?.servers ?? {});
  const lastAt = ended?.at ?? now.at;
  const lost = servers.flatMap((server) => farewell('host-restarted', server, lastAt, now));
  const departed = stillTold(
    servers.flatMap((server) => departuresFrom(server, null, lastAt)),
    ended?.departed,
    now.at,
  );
  return {
    format: 1,
    bootId: host.bootId,
    machine: bootWords(host).machine,
    ...(host.pidNamespace !== undefined && { pidNamespace: host.pidNamespace }),
    ...momentOf(now),
    steppedMs: 0,
    servers: {},
    farewells: [...farewells, ...lost],
    ...(departed.length > 0 && { departed }),
  };
}

/** When a session was last seen, as far as the last look knew. */
export function lastSeenIn({ servers, at, lastSeen }: Recollection, key: string): number | undefined {
  const isThere = Object.values(servers).some(({ sessions }) => sessions[key] !== undefined);
  return isThere ? at : lastSeen?.[key];
}

/** What to say of a server that is gone, if any session went with it. */
export function farewell(
  cause: Farewell['cause'],
  server: RememberedServer,
  lastSeenAt: number,
  now: Moment,
): Farewell[] {
  const names = Object.values(server.sessions).map((session) => session.name);
  if (names.length === 0) return [];
  return [{ cause, socketPath: server.socketPath, names: names.sort(), lastSeenAt, noticedAt: now.at }];
}

function momentOf({ at, awakeMs, suspendedMs }: Moment): Moment {
  return { at, awakeMs, suspendedMs };
}
