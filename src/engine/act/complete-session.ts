import type { SessionEntry } from '../../core/sight/roll.ts';
import { type RolePolicies, rolePolicy } from '../../core/verdict/policy.ts';
import { type CompletionWish, cancel, complete, type ForeignTask } from './complete.ts';
import { contractBlockers } from './contract.ts';
import type { Declared } from './declare.ts';
import { factsOf } from './facts-of.ts';
import type { Hands } from './hands.ts';
import { outlastClose } from './outlast-close.ts';
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
export async function cancelCompletion(hands: Hands, entry: SessionEntry): Promise<Declared<Trouble>> {
  return outlastClose(hands, entry, await cancel(hands, entry));
}
