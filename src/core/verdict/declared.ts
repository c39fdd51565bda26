import type { OpenGate } from '../gate/open-gates.ts';
import type { CLAIMS, KeptUntil, OwnPane, SessionFacts } from '../ledger/current-facts.ts';
import type { Json } from '../ledger/json.ts';
import { type SpokenPane, spokenPanesIn } from '../memory/spoken-pane.ts';
import { type Clock, elapsedMs, unrealMs } from '../text/elapsed.ts';
import type { Moment } from '../text/moment.ts';
import { visible } from '../text/visible.ts';

/** What was declared about a session, ready to be shown; what was not is left out. */
export interface Declared {
  readonly origin?: {
    readonly at: number;
    readonly how: 'started' | 'adopted' | 'reopened';
    readonly pane?: OwnPane;
  };
  readonly claims?: { readonly [C in (typeof CLAIMS)[number]]?: string };
  readonly held?: { readonly at: number; readonly reason: string | null };
  readonly retained?: KeptUntil & { readonly at: number; readonly reason: string | null };
  readonly completion?: Completion;
  /** Pieces of work that somebody wants finished; whether their time is over is for whoever looks. */
  readonly gates?: readonly DeclaredGate[];
}

/** Work that its owner is to finish, as it was at the owner's last stop. */
export type DeclaredGate = Pick<
  OpenGate,
  'at' | 'awakeMs' | 'id' | 'task' | 'expiresAt' | 'missing' | 'stale'
>;

/** Somebody's word that the work of this generation of the session is over. */
export interface Completion {
  readonly at: number;
  readonly awakeMs?: number;
  /** `done`, `failed`, or a word that schedules nothing. */
  readonly outcome: string;
  readonly evidence: string | null;
  /** What the contract asks for and did not get: a completion with any of it was not accepted. */
  readonly blockers: readonly Shortfall[];
  /** Whom it speaks for; absent where an earlier version recorded it. */
  readonly speaksFor?: readonly SpokenPane[];
}

/** One thing that a contract asks for and a completion did not bring. */
export interface Shortfall {
  readonly code: string;
  readonly text: string;
}

const LENGTH = 300;

// The same facts come with every look until the ledger changes.
const known = new WeakMap<SessionFacts, Declared>();

/** The facts of the ledger as they bear on a verdict. */
export function declaredOf(facts: SessionFacts): Declared {
  const before = known.get(facts);
  if (before !== undefined) return before;
  const declared = declaredIn(facts);
  known.set(facts, declared);
  return declared;
}

function declaredIn(facts: SessionFacts): Declared {
  const { origin, claims, held, retained, completion, gates = [] } = facts;
  // A reopened session has several panes by its archive, and a completion vouches for none of them.
  const pane = origin?.how === 'started' ? origin.pane : undefined;
  const speaksFor = completion && spokenPanesIn(completion.body.speaksFor);
  const claimed = Object.entries(claims).filter((claim): claim is [string, string] => claim[1] !== null);
  return {
    ...(origin && {
      origin: { at: origin.at, how: origin.how, ...(pane && { pane }) },
    }),
    ...(claimed.length > 0 && {
      claims: Object.fromEntries(claimed.map(([claim, text]) => [claim, visible(text, LENGTH)])),
    }),
    ...(held && { held: { at: held.at, reason: shown(held.reason) } }),
    ...(retained && {
      retained: { ...keptOf(retained), at: retained.at, reason: shown(retained.reason) },
    }),
    ...(completion && {
      completion: {
        at: completion.at,
        ...(completion.awakeMs !== undefined && { awakeMs: completion.awakeMs }),
        outcome: visible(completion.outcome, LENGTH),
        evidence: shown(textOf(completion.body.evidence)),
        blockers: blockersIn(completion.body.blockers),
        ...(speaksFor && { speaksFor }),
      },
    }),
    ...(gates.length > 0 && { gates: gates.map(gateOf) }),
  };
}

/** The completion that counts: declared done, and with nothing missing that its contract asks for. */
export function acceptedCompletion({ completion }: Declared): Completion | null {
  return completion?.outcome === 'done' && completion.blockers.length === 0 ? completion : null;
}

/** A completion that was declared done and not accepted. */
export function refusedCompletion({ completion }: Declared): Completion | null {
  return completion?.outcome === 'done' && completion.blockers.length > 0 ? completion : null;
}

/** The work that is to be finished and still has time, which counts while the machine is awake. */
export function openGates(
  { gates = [] }: Declared,
  { now, clock }: { readonly now: Moment; readonly clock?: Clock },
): readonly DeclaredGate[] {
  return gates.filter((gate) => elapsedMs(gate, now, unrealMs(clock)) < gate.expiresAt - gate.at);
}

function keptOf({ until, awakeMs, forMs }: KeptUntil): KeptUntil {
  return { until, ...(awakeMs !== undefined && { awakeMs }), ...(forMs !== undefined && { forMs }) };
}

function gateOf({ at, awakeMs, id, task, expiresAt, missing, stale }: OpenGate): DeclaredGate {
  return {
    ...(awakeMs !== undefined && { awakeMs }),
    ...{ at, id: visible(id, LENGTH), task: shown(task), expiresAt },
    missing: missing.map((text) => visible(text, LENGTH)),
    stale: stale && { ...stale, text: visible(stale.text, LENGTH) },
  };
}

function shown(text: string | null): string | null {
  return text === null ? null : visible(text, LENGTH);
}

// Evidence is a text, or a list of texts.
function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.length > 0 ? value.map(String).join('; ') : null;
}

// Whatever stands there keeps the completion from being accepted, also where it is not understood.
function blockersIn(value: Json | undefined): Shortfall[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((one: Json) => {
    const { code, text } = typeof one === 'object' && one !== null ? (one as Record<string, Json>) : {};
    return {
      code: visible(typeof code === 'string' ? code : 'contract', LENGTH),
      text: visible(
        typeof text === 'string' ? text : typeof one === 'string' ? one : JSON.stringify(one),
        LENGTH,
      ),
    };
  });
}
