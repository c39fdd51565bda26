import type { VerdictFacts } from '../verdict/facts.ts';
import type { Activity, BlockerKind, Check } from '../verdict/verdict.ts';

/** What a check may look at: the facts, and what the rules made of them. */
export interface Judged {
  readonly facts: VerdictFacts;
  readonly activity: Activity;
  readonly restMs: number;
}

/** What a check says. Its kind is that of its code, unless it says another. */
export type CheckAnswer = Omit<Check, 'kind'> & { readonly kind?: BlockerKind };

/** One line of the closing checklist. Anything but positive proof leaves it unmet or unknown. */
export type CheckRule = (judged: Judged) => CheckAnswer;

/** What a check says, without its code. */
export type Answer = Omit<CheckAnswer, 'code'>;

export function check(code: string, answer: (judged: Judged) => Answer): CheckRule {
  return (judged) => ({ code, ...answer(judged) });
}

export const met = (text: string): Answer => ({ state: 'met', text });
export const unmet = (text: string): Answer => ({ state: 'unmet', text });
export const unknown = (text: string): Answer => ({ state: 'unknown', text });

/** What is missing for certain weighs more than what is not known. */
export function worstOf(all: readonly Answer[]): Answer | undefined {
  return all.find(({ state }) => state === 'unmet') ?? all.find(({ state }) => state === 'unknown') ?? all[0];
}

/** Time, git and contracts: whatever they say, closing takes nothing away. All others guard what would be lost. */
const UNFINISHED: ReadonlySet<string> = new Set(['rested', 'work-saved', 'contract']);

/** A line with its kind. A code that nobody has sorted would lose something. */
export function lineOf({ code, kind, state, text }: CheckAnswer): Check {
  return { code, kind: kind ?? (UNFINISHED.has(code) ? 'unfinished' : 'would-lose'), state, text };
}
