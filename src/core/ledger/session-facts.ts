import type { OpenGate } from '../gate/open-gates.ts';
import type { ProgramEnd } from '../memory/ended.ts';
import type { RecordedSession, SessionIdentity } from '../sight/identity.ts';
import type { Asleep } from '../sleep/asleep.ts';
import type { JsonObject } from './json.ts';

/** What a session works on and for whom. Recorded and shown; a close releases none of it. */
export const CLAIMS = ['task', 'role', 'owner', 'branch', 'worktree', 'pr'] as const;

export type Claims = { readonly [C in (typeof CLAIMS)[number]]: string | null };

/** When something became a fact, and by which entry. */
export interface Since {
  readonly at: number;
  readonly sequence: number;
}

/**
 * What the ledger says about one generation of a session. Its pid namespace is that of whoever first spoke of it, or took
 * it into care: both saw it.
 */
export interface SessionFacts extends RecordedSession {
  /** The last one that was recorded. */
  readonly name: string;
  /** How it came under rollcall's care. */
  readonly origin: Origin | null;
  readonly held: (Since & { readonly reason: string | null }) | null;
  readonly retained: (Since & KeptUntil & { readonly reason: string | null }) | null;
  readonly claims: Claims;
  readonly completion: (Since & Awake & { readonly outcome: string; readonly body: JsonObject }) | null;
  /** The close that is on its way, or was when its actor stopped; `sequence` is its intent. */
  readonly closing:
    | (Since & {
        readonly actor: ClosingActor;
        readonly place?: SessionIdentity;
        /** Its agent is put to sleep, and the session stays. */
        readonly isSleep?: true;
      })
    | null;
  readonly closed: (Since & Closed) | null;
  /** Another session took its place; `key` is that of the new one. */
  readonly reopened: (Since & { readonly key: string }) | null;
  /** Pieces of work that somebody wants finished, the oldest first; absent where there never was one. */
  readonly gates?: readonly OpenGate[];
  /** How the program that rollcall started ended, with its last few lines; absent as long as that is not recorded. */
  readonly ended?: Since & ProgramEnd;
  /** What sleeps in it; absent where nothing does. */
  readonly asleep?: Asleep | undefined;
  /** When somebody last counted on it: held, kept or claimed it, or gave it work to finish. */
  readonly wantedAt?: number;
  /** The ids of the panes that it showed when it was adopted, held or kept; its server gives none of them twice. */
  readonly paneIds?: readonly string[];
  /** It was gone while its server still answered; absent where nobody saw that. */
  readonly missing?: Since;
  /** Somebody was told that it can be restored. */
  readonly offered?: Since;
}

/** A close, by its receipt. */
export interface Closed {
  readonly receipt: string;
  /** What came of it, why it was closed, and where it was; each only where the receipt tells. */
  readonly result?: string;
  readonly reason?: string;
  readonly place?: SessionIdentity;
}

/** Who closes: a process of one boot and one pid namespace. */
interface ClosingActor {
  readonly pid: number;
  readonly bootId: string;
  readonly pidNamespace?: string;
}

/** The awake clock when it was said: what lasts from then on is counted on it. Absent in what earlier versions recorded. */
export interface Awake {
  readonly awakeMs?: number;
}

/** How long a session is kept. `until` alone is a date; null: for as long as nobody says otherwise. */
export interface KeptUntil extends Awake {
  readonly until: number | null;
  /** A duration: `until` is when it ends if nobody steps the clock. */
  readonly forMs?: number;
}

/** How a session came under rollcall's care, and where it was then. */
interface Origin extends Since {
  readonly how: 'started' | 'adopted' | 'reopened';
  /** Null where the entry does not tell. */
  readonly place: SessionIdentity | null;
  /** The run that started it; absent of an adopted one. */
  readonly run?: string;
  /** The pane that it was started with; absent of an adopted one, and where the entry does not tell. */
  readonly pane?: OwnPane;
  /** The process of the sleeper that its program was woken from; absent where it never slept. */
  readonly sleeper?: number;
}

/** A pane that rollcall started, with the process that it began with: whoever runs another program in it makes it theirs. */
export interface OwnPane {
  readonly paneId: string;
  readonly pid: number;
}
