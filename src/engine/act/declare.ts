import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { LockOutcome } from '../../ports/lock.ts';
import { recordStep, WRITER_TIMEOUT_MS } from './deed.ts';
import { factsOf, type Hands } from './hands.ts';

/** The only lasting step of a declaration. */
export const DECLARE_STEPS = ['declared'] as const;

export type DeclareOutcome<Refusal = never> =
  | (Noted & {
      readonly state: 'declared';
      readonly entry: LedgerEntry;
      readonly before: SessionFacts | undefined;
    })
  /** It held already, so nothing was recorded. */
  | (Noted & { readonly state: 'already'; readonly before: SessionFacts | undefined })
  | { readonly state: 'refused'; readonly refusal: Refusal }
  | Exclude<LockOutcome, { readonly state: 'held' }>;

interface Noted {
  /** What else whoever declared it should know. */
  readonly note?: string;
}

/**
 * Records what somebody declares about a session: one entry, or none where it says nothing new. `decide` is asked while nobody
 * else can record anything: it gives what is recorded, null where that holds already, or why it may not be recorded.
 */
export async function declare<Refusal = never>(
  hands: Hands,
  action: 'adopt' | 'hold' | 'unhold' | 'retain' | 'claim' | 'complete' | 'cancel',
  { key, name }: Pick<SessionEntry, 'key' | 'name'>,
  decide: (facts: SessionFacts | undefined) => JsonObject | null | { readonly refused: Refusal },
): Promise<DeclareOutcome<Refusal>> {
  const session = { key, name };
  const held = await hands.writer.hold({ task: action, argv: [] }, WRITER_TIMEOUT_MS, async () => {
    const before = factsOf(hands, session);
    const body = decide(before);
    if (body === null) return { state: 'already', before } as const;
    if (isRefusal<Refusal>(body)) return { state: 'refused', refusal: body.refused } as const;
    const entry = recordStep(hands, 'declared', { kind: 'declared', action, session, body });
    return { state: 'declared', entry, before } as const;
  });
  return held.state === 'done' ? held.value : held;
}

function isRefusal<Refusal>(
  body: JsonObject | { readonly refused: Refusal },
): body is { readonly refused: Refusal } {
  return Object.hasOwn(body, 'refused');
}
