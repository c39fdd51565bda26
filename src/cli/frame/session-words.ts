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
