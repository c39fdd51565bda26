import type { Around } from './around.ts';
import type { ProcessFacts } from './facts.ts';
import type { ProcessClass } from './finding.ts';
import type { Stranger } from './process-scene.ts';

/** Whose a process is, and what says so. */
export interface Attribution {
  readonly class: ProcessClass;
  /** Why, in one sentence. */
  readonly text: string;
  readonly evidence: readonly string[];
  /** The session it belongs or belonged to, where that is known. */
  readonly session: { readonly key: string; readonly name: string } | null;
}

/** One way to tell whose a process is; null where it has no word on it. */
export type AttributionRule = (stranger: Stranger, facts: ProcessFacts, around: Around) => Attribution | null;

/** A word on a process without a session of its own. */
export function word(of: ProcessClass, text: string, evidence: readonly string[] = []): Attribution {
  return { class: of, text, evidence, session: null };
}

/** It belongs to a session that lives. */
export function living(
  { key, name }: { readonly key: string; readonly name: string },
  how: string,
): Attribution {
  const text = `it belongs to session '${name}', which lives`;
  return { class: 'belongs-to-a-live-session', text, evidence: [how], session: { key, name } };
}
