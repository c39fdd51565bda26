import type { Departed } from '../memory/departed.ts';
import type { ProgramEnd } from '../memory/ended.ts';
import type { LostBy } from '../memory/lost-by.ts';
import type { Evidence } from '../verdict/evidence.ts';
import type { AgentNote, PaneVerdict, Verdict } from '../verdict/verdict.ts';
import type { HostIdentity, ServerIdentity, SessionIdentity } from './identity.ts';
import type { HostMemory } from './process.ts';
import type { PaneSighting } from './sighting.ts';

/** One pane as the roll shows it. */
export interface PaneEntry
  extends PaneVerdict,
    Pick<PaneSighting, 'windowIndex' | 'paneIndex' | 'isActive' | 'pid' | 'title' | 'isDead'> {
  readonly program: string | null;
  readonly cwd: string | null;
  readonly exitStatus: number | null;
  readonly exitSignal: string | null;
}

/** One session on the roll: who it is, the verdict on it, and what it holds. */
export interface SessionEntry extends Omit<Verdict, 'panes' | 'agent'> {
  readonly key: string;
  readonly name: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly server: ServerIdentity & {
    /** Last part of the socket path: what `tmux -L` takes when the socket is in the usual folder. */
    readonly label: string;
    readonly version: string | null;
  };
  readonly agent: AgentNote | null;
  readonly role: string | null;
  readonly task: string | null;
  readonly owner: string | null;
  /** Clients attached, through the session's group too. */
  readonly attached: number;
  readonly memoryBytes: number | null;
  readonly panes: readonly PaneEntry[];
  /** Everything the verdict was made from. */
  readonly evidence: readonly Evidence[];
  /** Of a session that is gone: how its program ended, where that is known. */
  readonly ended?: ProgramEnd;
  /** Of one that the ledger expects and that is gone: with what it went. */
  readonly lostBy?: LostBy;
  /** Of one that was gone while its server still answered: when that was first recorded. */
  readonly missedAt?: number;
  /** Of one whose end is known: when looks last saw a session of its server. */
  readonly serverSeenAt?: number;
  /** Of a closed one: what it can be reopened from. */
  readonly receipt?: string;
}

/** Whether nothing of the session is there any more: it is lost, closed, or its program has ended and it went along. */
export function isGone({ lifecycle, ended }: Pick<SessionEntry, 'lifecycle' | 'ended'>): boolean {
  return lifecycle === 'lost' || lifecycle === 'closed' || ended !== undefined;
}

/** Whether its server gave no answer: it stays on the roll, and nobody knows which panes it has. */
export function isUnheard({ server }: Pick<SessionEntry, 'server'>): boolean {
  return server.version === null;
}

/** Who a session on the roll is, whatever it is called. */
export function identityOf({ server, sessionId, createdAt }: SessionEntry): SessionIdentity {
  const { socketPath, pid, startTicks } = server;
  return {
    server: { socketPath, pid, startTicks },
    sessionId,
    createdAtSeconds: Math.round(createdAt / 1000),
  };
}

/** Something that kept rollcall from seeing everything, or that a person should know. */
export interface Problem {
  readonly code: string;
  readonly text: string;
  readonly hint?: string;
  readonly socketPath?: string;
}

/** The whole roll, from one tick. */
export interface Roll {
  readonly host: HostIdentity;
  readonly at: number;
  readonly memory: HostMemory | null;
  /** Servers that answered. */
  readonly servers: readonly {
    readonly socketPath: string;
    readonly label: string;
    readonly version: string;
    /** With its start mark, which server it was that answered. */
    readonly pid?: number;
    readonly startTicks?: number;
  }[];
  /** Worst first. */
  readonly sessions: readonly SessionEntry[];
  readonly problems: readonly Problem[];
  /** What is known to be gone, the newest first; only where it was asked for. */
  readonly departed?: readonly Departed[];
}

/** Whether an agent sleeps in one of its panes, whatever else goes on in it. */
export function isSleepIn({ evidence }: Pick<SessionEntry, 'evidence'>): boolean {
  return evidence.some((one) => one.kind === 'pane' && one.asleep !== undefined);
}
