import { answeredHolds } from './answered-holds.ts';
import { blindDoesNothing } from './blind-does-nothing.ts';
import { bystander } from './bystander.ts';
import { completeGoes } from './complete-goes.ts';
import { deathIsTold } from './death-is-told.ts';
import { detachedLivesOn } from './detached-lives-on.ts';
import { graceAndBudget } from './grace-and-budget.ts';
import { idleGoes } from './idle-goes.ts';
import { intentFirst } from './intent-first.ts';
import type { Law } from './law.ts';
import { ledgerVerifies } from './ledger-verifies.ts';
import { noAutomaticCloseOfUnfinished } from './no-automatic-close-of-unfinished.ts';
import { noCloseAtWork } from './no-close-at-work.ts';
import { noCloseWithDraft } from './no-close-with-draft.ts';
import { noCloseWithPeople } from './no-close-with-people.ts';
import { noDeadlock } from './no-deadlock.ts';
import { nothingLost } from './nothing-lost.ts';
import { oneAgentAConversation } from './one-agent-a-conversation.ts';
import { oneOutcome } from './one-outcome.ts';
import { rightIdentity } from './right-identity.ts';

/** Every law, the most serious first: where several are broken at once, that one is told. */
export const LAWS: readonly Law[] = [
  noCloseAtWork,
  noCloseWithDraft,
  noCloseWithPeople,
  answeredHolds,
  bystander,
  rightIdentity,
  intentFirst,
  detachedLivesOn,
  blindDoesNothing,
  noAutomaticCloseOfUnfinished,
  nothingLost,
  oneAgentAConversation,
  graceAndBudget,
  ledgerVerifies,
  noDeadlock,
  oneOutcome,
  deathIsTold,
  completeGoes,
  idleGoes,
];
