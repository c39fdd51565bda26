import { isGone, type SessionEntry } from '../sight/roll.ts';
import { acceptedCompletion } from '../verdict/declared.ts';
import { type RolePolicies, rolePolicy } from '../verdict/policy.ts';
import { AT_WORK } from '../verdict/verdict.ts';

/**
 * How a session stands whose work was declared complete. `due`: it may be closed now. `closing`: it is being closed. `failed`:
 * a close failed, and another try follows. `later`: its time is not over, or a try that was called off is repeated. `working`:
 * once its turn is over. `unproven`: something is missing that would prove it. `protected`: for as long as it is.
 */
export const DUE_STATES = ['due', 'closing', 'failed', 'later', 'working', 'unproven', 'protected'] as const;

export type DueState = (typeof DUE_STATES)[number];

/** A session that is to be closed because its work was declared complete. */
export interface Due {
  readonly key: string;
  readonly name: string;
  /** Epoch ms; null where nobody can tell. */
  readonly dueAt: number | null;
  readonly why: string;
  readonly state: DueState;
}

/** Whether a completion makes a session closable at this moment, and not its rest alone. */
export function isDue({ lifecycle, reasons }: Pick<SessionEntry, 'lifecycle' | 'reasons'>): boolean {
  return lifecycle === 'safe-to-close' && reasons[0]?.code === 'completed';
}

/**
 * When a session is to be closed. Null where nobody has said so: without an accepted completion, by a role that keeps it, and
 * where rollcall neither started nor adopted it, by the ledger of whoever looks.
 */
export function dueOf(entry: SessionEntry, at: number, roles: RolePolicies): Due | null {
  const { key, name, lifecycle, activity, evidence, protections, retainedUntil } = entry;
  const standing = evidence.find((piece) => piece.kind === 'standing');
  if (!standing?.isManaged || acceptedCompletion(standing) === null) return null;
  if (isGone(entry)) return null;
  // It was said of something else than what is there now.
  if (entry.reasons.some(({ code }) => code === 'completion-over')) return null;
  if (rolePolicy(roles, entry.role).onComplete === 'keep') return null;
  const why = entry.reasons[0]?.text ?? '';
  const due = (state: DueState, dueAt: number | null, text = why): Due => ({
    ...{ key, name, dueAt, why: text, state },
  });
  if (lifecycle === 'closing') return due('closing', null);
  // A wish to keep it has a time of its own.
  const protection = protections.find(({ code }) => code !== 'retained');
  if (protection) return due('protected', null, protection.text);
  if (isDue(entry)) return due('due', at);
  if (lifecycle === 'completed-retained') return due('later', retainedUntil);
  return due(lifecycle === 'active' && AT_WORK.has(activity) ? 'working' : 'unproven', null);
}

/** All of them, as the roll has them. */
export function duesIn(sessions: readonly SessionEntry[], at: number, roles: RolePolicies): Due[] {
  return sessions.flatMap((entry) => dueOf(entry, at, roles) ?? []);
}
