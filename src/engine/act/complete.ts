import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import { canonicalJson, type Json, type JsonObject, plain } from '../../core/ledger/json.ts';
import type { SpokenPane } from '../../core/memory/spoken-pane.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import { acceptedCompletion, declaredOf, type Shortfall } from '../../core/verdict/declared.ts';
import { type RolePolicies, rolePolicy } from '../../core/verdict/policy.ts';
import { contractBlockers } from './contract.ts';
import { DECLARE_STEPS, type DeclareOutcome, declare } from './declare.ts';
import { factsOf, type Hands } from './hands.ts';
import { outlastClose } from './outlast-close.ts';
import { isStillSaid, spokenPanes } from './spoken-panes.ts';
import { isTrouble, type Settled, settledOr, type Trouble, trouble } from './trouble.ts';

type Completed = Exclude<Settled<ForeignTask>, { readonly state: 'refused' }>;

/** Declares the work of a session over, by the contract of its role. It has to be one that was looked at thoroughly. */
export async function completeSession(
  hands: Hands,
  policies: RolePolicies,
  entry: SessionEntry,
  wish: Omit<CompletionWish, 'blockers'>,
): Promise<Completed | Trouble> {
  const { role } = factsOf(hands, entry)?.claims ?? { role: null };
  const contract = rolePolicy(policies, role);
  const blockers = wish.outcome === 'done' ? await contractBlockers(contract, entry, hands.runCommand) : [];
  const said = await complete(hands, entry, { ...wish, blockers });
  // Only a word that it is done lets it be closed.
  const isForKeeping = wish.outcome !== 'done';
  const declared = settledOr(isForKeeping ? await outlastClose(hands, entry, said) : said, hands.now());
  if (isTrouble(declared)) return declared;
  if (declared.state === 'refused') {
    const { refusal } = declared;
    if (isTrouble(refusal)) return refusal;
    const { task } = refusal;
    return trouble('refused', `the task of '${entry.name}' is '${task}', not '${wish.task}'`, {
      hint: 'nothing was recorded; see whether this is the right session',
    });
  }
  if (blockers.length > 0) {
    return trouble('refused', `'${entry.name}' is not complete: its contract is not met`, {
      details: blockers.map(({ text }) => text),
      hint: 'mend that and declare it again; until then the session stays active',
    });
  }
  return declared;
}

/** Takes a completion back; the answer is yes only where no close went on with it. */
export async function cancelCompletion(hands: Hands, entry: SessionEntry): Promise<DeclareOutcome<Trouble>> {
  return outlastClose(hands, entry, await cancel(hands, entry));
}

/** Every lasting step of a completion. */
export const COMPLETE_STEPS = DECLARE_STEPS;

/** Somebody's word that the work of a session is over. */
export interface CompletionWish {
  readonly outcome: 'done' | 'failed';
  readonly task: string | null;
  readonly evidence: readonly string[];
  /** What its contract asks for and did not get. */
  readonly blockers: readonly Shortfall[];
  /** The pane that it was declared in, by a process of the session itself: it speaks for no other. Null: from outside. */
  readonly fromPane: string | null;
}

/** Why a completion is not this session's: its work is another. */
export interface ForeignTask {
  readonly task: string;
}

const LONGEST_EVIDENCE = 1000;

/** Declares the work of this very session over: the one that bears this key, and no other that has its name later. */
export async function complete(
  hands: Hands,
  entry: SessionEntry,
  wish: CompletionWish,
): Promise<DeclareOutcome<ForeignTask>> {
  let spoken: readonly SpokenPane[] = [];
  const declared = await declare<ForeignTask>(hands, 'complete', entry, (facts) => {
    const claimed = facts?.claims.task ?? null;
    if (wish.task !== null && claimed !== null && claimed !== wish.task)
      return { refused: { task: claimed } };
    const { at, awakeMs } = hands.moment();
    const own = spokenPanes(entry, wish.fromPane, at);
    spoken = [...othersIn(facts, wish, own), ...own];
    const known = facts ? (declaredOf(facts).completion?.speaksFor ?? []) : [];
    const body = { ...bodyOf(wish), awakeMs, speaksFor: spoken.map(plain) };
    return isSaid(facts, body) && own.every((one) => isStillSaid(one, known, entry)) ? null : body;
  });
  if (declared.state !== 'declared') return declared;
  const note = unspokenNote(entry, spoken);
  return note === null ? declared : { ...declared, note };
}

// Who says it in one pane of several may have meant all of them.
function unspokenNote({ panes }: SessionEntry, spoken: readonly SpokenPane[]): string | null {
  const left = panes.filter(({ paneId, isDead }) => !isDead && !spoken.some((one) => one.paneId === paneId));
  if (left.length === 0) return null;
  const where = left.map(({ paneId }) => paneId).join(', ');
  return `this does not speak for ${where}: name the session to speak for all of it`;
}

/** Takes a completion back. */
export function cancel(hands: Hands, entry: SessionEntry): Promise<DeclareOutcome> {
  return declare(hands, 'cancel', entry, (facts) => (facts?.completion ? {} : null));
}

function bodyOf({ outcome, task, evidence, blockers, fromPane }: CompletionWish): JsonObject {
  return {
    outcome,
    evidence: evidence.map((text) => visible(text, LONGEST_EVIDENCE)),
    isFromInside: fromPane !== null,
    ...(task === null ? {} : { claims: { task } }),
    ...(blockers.length === 0 ? {} : { blockers: blockers.map(({ code, text }) => ({ code, text })) }),
  };
}

// Several agents of one session may each declare their own part.
function othersIn(
  facts: SessionFacts | undefined,
  { outcome, fromPane }: CompletionWish,
  own: readonly SpokenPane[],
): readonly SpokenPane[] {
  const before = facts && acceptedCompletion(declaredOf(facts));
  if (fromPane === null || outcome !== 'done') return [];
  return (before?.speaksFor ?? []).filter(({ paneId }) => own.every((one) => one.paneId !== paneId));
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
