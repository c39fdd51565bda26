import type { PositionalSpec } from './command.ts';

/** The word by which a command takes a session. */
export const ONE_SESSION = {
  placeholder: 'SESSION',
  kind: 'session',
  min: 1,
  max: 1,
  help: 'Name, $id, %pane or key of a session; LABEL:NAME or SOCKETPATH:NAME where a name is not unique.',
} as const;

/** The words by which a command takes any number of them. */
export const SESSIONS = { ...ONE_SESSION, max: 1000 } as const;

/** The word by which a command takes one of these, or none. */
export function chosenWord(placeholder: string, values: readonly string[], help: string): PositionalSpec {
  return { placeholder, kind: 'choice', values, min: 0, max: 1, help };
}
