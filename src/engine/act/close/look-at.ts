import { type ClosingPane, closingPanes } from '../../../core/close/closing-pane.ts';
import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import { identityOf, type Roll, type SessionEntry } from '../../../core/sight/roll.ts';
import type { SessionTarget } from '../../../ports/actuator.ts';
import type { Hands } from '../hands.ts';

/** A session by its identity, for looks and for acts. */
export interface Subject {
  readonly key: string;
  readonly name: string;
  readonly target: SessionTarget;
}

/** A session that a look found. */
export interface There {
  readonly state: 'there';
  readonly roll: Roll;
  readonly entry: SessionEntry;
  readonly panes: readonly ClosingPane[];
}

/** What one thorough look found of it. */
export type SubjectSight =
  | There
  | { readonly state: 'gone'; readonly roll: Roll }
  | { readonly state: 'unknown'; readonly roll: Roll; readonly text: string };

export function subjectOf(entry: SessionEntry): Subject {
  return { key: entry.key, name: entry.name, target: identityOf(entry) };
}

/**
 * Looks at one session: to `decide` with everything, git too; `again` without git once it is decided, because nothing slow
 * may stand between a look and its act; `briefly` right before the act, at what is cheapest to see.
 */
export async function lookAt(
  hands: Hands,
  { key, target }: Subject,
  how: 'decide' | 'again' | 'briefly' = 'decide',
): Promise<SubjectSight> {
  const roll = await hands.look({
    servers: [target.server.socketPath],
    ...(how === 'briefly'
      ? {}
      : { inspect: (sessions: readonly SessionEntry[]) => sessions.filter((entry) => entry.key === key) }),
    withoutGit: how !== 'decide',
  });
  const where = whereaboutsOf({ key, server: target.server }, roll, hands.processes.sense());
  if (where.state !== 'there') return { ...where, roll };
  return { state: 'there', roll, entry: where.entry, panes: closingPanes(where.entry, roll.at) };
}
