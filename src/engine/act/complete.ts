import type { Shortfall } from '../../core/declared.ts';
import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { Json, JsonObject } from '../../core/ledger/json.ts';
import { canonicalJson } from '../../core/ledger/json.ts';
import type { SessionEntry } from '../../core/roll.ts';
import { visible } from '../../core/visible.ts';
import type { Declared } from './declare.ts';
import { DECLARE_STEPS, declare, subjectOf } from './declare.ts';
import type { Hands } from './hands.ts';

/** Every lasting step of a completion. */
export const COMPLETE_STEPS = DECLARE_STEPS;

/** Somebody's word that the work of a session is over. */
export interface CompletionWish {
  readonly outcome: 'done' | 'failed';
  readonly task: string | null;
  readonly evidence: readonly string[];
  /** What its contract asks for and did not get. */
  readonly blockers: readonly Shortfall[];
  /** It was declared by a process of the session itself. */
  readonly isFromInside: boolean;
}

/** Why a completion is not this session's: its work is another. */
export interface ForeignTask {
  readonly task: string;
}

const LONGEST_EVIDENCE = 1000;

/** Declares the work of this very session over: the one that bears this key, and no other that has its name later. */
export function complete(
  hands: Hands,
  entry: SessionEntry,
  wish: CompletionWish,
): Promise<Declared<ForeignTask>> {
  return declare<ForeignTask>(hands, {
    action: 'complete',
    session: subjectOf(entry),
    decide: (facts) => {
      const claimed = facts?.claims.task ?? null;
      if (wish.task !== null && claimed !== null && claimed !== wish.task)
        return { refused: { task: claimed } };
      const body = { ...bodyOf(wish), awakeMs: hands.moment().awakeMs };
      return isSaid(facts, body) ? null : body;
    },
  });
}

/** Takes a completion back. */
export function cancel(hands: Hands, entry: SessionEntry): Promise<Declared> {
  return declare(hands, {
    action: 'cancel',
    session: subjectOf(entry),
    decide: (facts) => (facts?.completion ? {} : null),
  });
}

function bodyOf({ outcome, task, evidence, blockers, isFromInside }: CompletionWish): JsonObject {
  return {
    outcome,
    evidence: evidence.map((text) => visible(text, LONGEST_EVIDENCE)),
    isFromInside,
    ...(task === null ? {} : { claims: { task } }),
    ...(blockers.length === 0 ? {} : { blockers: blockers.map(({ code, text }) => ({ code, text })) }),
  };
}

// Who says the same again, as a hook does after every turn, neither starts the retention anew nor fills the ledger.
function isSaid(facts: SessionFacts | undefined, body: JsonObject): boolean {
  if (!facts?.completion) return false;
  const known: JsonObject = facts.completion.body;
  const same = (key: string) => written(known[key]) === written(body[key]);
  return ['outcome', 'evidence', 'blockers', 'claims'].every(same);
}

function written(value: Json | undefined): string {
  return canonicalJson(value ?? null);
}
